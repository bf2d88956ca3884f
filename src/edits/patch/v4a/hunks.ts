/**
 * The hunks of the formats that mark places by text instead of numbers: `@@` lines with an anchor, then lines with the
 * marks ` `, `-` and `+`, and `*** End of File` (OpenAI's V4A, and Agent Zero's context patch, which is a part of it).
 */

import type { Anchor, Hunk, HunkLine } from '../patch.ts';
import { markedLine, type PatchLine, type PatchReader, patchSyntax } from '../patch-text.ts';

const END_OF_FILE = '*** End of File';
const UNIFIED_HEADER = /^@@ -\d+(,\d+)? \+\d+(,\d+)? @@/;
const MARKED = 'a line that begins with " " (context), "-" (removed) or "+" (added)';

/** Reads hunks up to a line that `stops` knows, or to the end. Throws PATCH_SYNTAX for anything that is no hunk. */
export function readHunks(
  reader: PatchReader,
  stops: (line: PatchLine) => boolean,
  allowsEnd = true,
): Hunk[] {
  const hunks: Hunk[] = [];
  while (!reader.done && !stops(reader.peek()!)) hunks.push(readHunk(reader, allowsEnd));
  return hunks;
}

function readHunk(reader: PatchReader, allowsEnd: boolean): Hunk {
  skipSeparators(reader);
  const first = reader.peek()!;
  const anchors: Anchor[] = [];
  const numbered = UNIFIED_HEADER.test(first.text);
  while (reader.peek()?.text.startsWith('@@')) anchors.push(...anchorOf(reader.take()));
  const lines: HunkLine[] = [];
  while (!reader.done && !/^(@@|\*\*\*)/.test(reader.peek()!.text)) lines.push(hunkLine(reader.take()));
  if (lines.length === 0) {
    const at = reader.peek() ?? first;
    const isControl = /^\*\*\* (?!End of File\s*$)/.test(at.text);
    const problem = isControl ? 'is no line of this format, or not in this place' : 'has no lines of a hunk';
    throw patchSyntax(at, problem, MARKED);
  }
  checkNoUnified(reader, lines);
  const unused = numbered ? { numbered: true as const } : {};
  const hunk: Hunk = { at: first.at, anchors, lines, endOfFile: false, hint: null, ...unused };
  if (!allowsEnd || reader.peek()?.text.trimEnd() !== END_OF_FILE) return hunk;
  const end = reader.take();
  reader.skipBlank();
  if (!reader.done && !/^(@@|\*\*\*)/.test(reader.peek()!.text)) throw behindEnd(reader.peek()!, end);
  return { ...hunk, endOfFile: true };
}

/** Skips blank lines right before an `@@` line, where no hunk has begun: they are no context of anything. */
function skipSeparators(reader: PatchReader): void {
  let blank = 0;
  while (reader.peek(blank)?.text === '') blank++;
  if (reader.peek(blank)?.text.startsWith('@@')) reader.skip(blank);
}

/**
 * The rest of the line without the one space that parts it from `@@`. A bare `@@` is not an anchor, and neither are the
 * numbers of a unified diff, which models write here from habit: the lines say where the hunk goes.
 */
function anchorOf(line: PatchLine): Anchor[] {
  if (UNIFIED_HEADER.test(line.text)) return [];
  if (line.text.startsWith('@@@')) throw patchSyntax(line, 'is the header of a combined diff', '"@@"');
  const text = line.text.slice(2).replace(/^ /, '');
  return text.trim() === '' ? [] : [{ text, at: line.at }];
}

function hunkLine(line: PatchLine): HunkLine {
  const marked = markedLine(line);
  if (marked) return marked;
  if (!line.text.startsWith('\\ ')) throw patchSyntax(line, 'begins with no mark', MARKED);
  throw patchSyntax(
    line,
    'belongs to a unified diff; in this format the file keeps its final newline',
    MARKED,
  );
}

function behindEnd(line: PatchLine, end: PatchLine): Error {
  return patchSyntax(
    line,
    `comes after "${END_OF_FILE}" (line ${end.at})`,
    '"@@" for another hunk, or the end of this file\'s part',
  );
}

/** Throws PATCH_SYNTAX for `--- a/f`, `+++ b/f`, `@@ -1 +1 @@`, which would read as a removed and an added line. */
function checkNoUnified(reader: PatchReader, lines: readonly HunkLine[]): void {
  const [old, fresh] = lines.slice(-2);
  const headers = old?.mark === '-' && old.text.startsWith('-- ') && fresh?.text.startsWith('++ ');
  if (headers && UNIFIED_HEADER.test(reader.peek()?.text ?? '')) {
    throw patchSyntax(reader.peek()!, 'begins a unified diff inside this patch', 'one format in one patch');
  }
}
