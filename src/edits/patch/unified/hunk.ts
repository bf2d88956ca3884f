/** One hunk of a unified diff: its header, its lines, and whether its counts are right. */

import type { Hunk, HunkLine } from '../patch.ts';
import { fenceOf, markedLine, type PatchLine, type PatchReader, patchSyntax } from '../patch-text.ts';

interface Header {
  line: PatchLine;
  /** Absent where the header has no numbers. */
  counts: { oldStart: number; old: number; fresh: number } | null;
}

/** Line numbers of git and of GNU patch are no larger. */
const LARGEST = 2 ** 31 - 1;
const NUMBERS = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
/** `@@`, `@@ @@`, `@@ ... @@`, with or without a heading behind the second `@@`. */
const NO_NUMBERS = /^@@\s*(\.{3}|…)?\s*(@@.*)?$/;

/** Reads a hunk from its `@@` line on. Throws PATCH_SYNTAX. */
export function readUnifiedHunk(reader: PatchReader): Hunk {
  const header = readHeader(reader.take());
  const counted = header.counts === null ? null : countedLines(reader, header.counts);
  const lines = counted ?? allLines(reader, header);
  if (counted !== null) checkNoSurplus(reader, header.line);
  checkMarkers(lines, header.line);
  return {
    at: header.line.at,
    anchors: [],
    lines,
    endOfFile: lines.some(({ end }) => end === ''),
    // An empty old range names the line before it.
    hint: header.counts && header.counts.oldStart + (header.counts.old === 0 ? 1 : 0),
    ...(counted === null && header.counts !== null ? { recounted: true } : {}),
  };
}

function readHeader(line: PatchLine): Header {
  const numbers = NUMBERS.exec(line.text);
  if (numbers === null && NO_NUMBERS.test(line.text)) return { line, counts: null };
  if (/^@@@/.test(line.text))
    throw patchSyntax(
      line,
      'is the header of a combined diff, which shows a merge against both of its parents',
      'the diff against one of them (git diff HEAD^1)',
    );
  if (numbers === null) {
    throw patchSyntax(
      line,
      'is not the header of a unified hunk: this format has line numbers there, and no anchors',
      '"@@ -start,count +start,count @@"',
      'apply_patch',
    );
  }
  const [oldStart = 0, old = 1, newStart = 0, fresh = 1] = numbers.slice(1).map(digits => {
    return digits === undefined ? undefined : Number(digits);
  });
  if (Math.max(oldStart, old, newStart, fresh) > LARGEST) {
    throw patchSyntax(line, 'has a number that no line can have', `numbers up to ${LARGEST}`);
  }
  return { line, counts: { oldStart, old, fresh } };
}

/** Takes the lines that the counts promise; `null`, and the reader stays where it was, when they are not there. */
function countedLines(
  reader: PatchReader,
  { old, fresh }: { old: number; fresh: number },
): HunkLine[] | null {
  const lines: HunkLine[] = [];
  let taken = 0;
  for (let [oldLeft, newLeft] = [old, fresh]; oldLeft > 0 || newLeft > 0; taken++) {
    const before = lines.length;
    if (!addLine(lines, reader.peek(taken))) return null;
    if (lines.length === before) continue;
    const { mark } = lines.at(-1)!;
    if (mark !== '+') oldLeft--;
    if (mark !== '-') newLeft--;
    if (oldLeft < 0 || newLeft < 0) return null;
  }
  const next = reader.peek(taken);
  if (next && isMarker(next) && addLine(lines, next)) taken++;
  if (lines.length === 0) return null;
  reader.skip(taken);
  return lines;
}

/** Adds a line of the patch to those of a hunk, or ends the last of these by a marker; false for any other line. */
function addLine(lines: HunkLine[], next: PatchLine | undefined): boolean {
  const line = next ? markedLine(next) : null;
  if (line) lines.push(line);
  else if (next && isMarker(next) && lines.length > 0) {
    const last = lines.pop()!;
    // A CR before the line end is the last character of the file, unless all of the patch is CRLF.
    const cr = last.end === '\r\n' && next.end === '\n' ? '\r' : '';
    lines.push({ ...last, text: last.text + cr, end: '' });
  } else return false;
  return true;
}

/** True for `\ No newline at end of file`, in any language. */
function isMarker({ text }: PatchLine): boolean {
  return text.startsWith('\\ ');
}

/** Throws PATCH_SYNTAX for lines of a hunk behind the last that was counted, which would be lost. */
function checkNoSurplus(reader: PatchReader, header: PatchLine): void {
  let blank = 0;
  while (reader.peek(blank)?.text === '') blank++;
  const next = reader.peek(blank);
  if (!next || !/^[-+ \\]/.test(next.text) || beginsFile(reader, blank) || isSignature(reader, blank)) return;
  throw patchSyntax(
    next,
    `comes after the lines that the counts of the header in line ${header.at} promise`,
    'a header, or counts that include the line',
  );
}

/** True before `--- name`, `+++ name` and a hunk, or one of git's own first lines. */
export function beginsFile(reader: PatchReader, ahead = 0): boolean {
  const text = (more: number): string => reader.peek(ahead + more)?.text ?? '';
  if (/^(diff --git |Index: |diff -|From [0-9a-f]{40} )/.test(text(0))) return true;
  return /^--- ./.test(text(0)) && /^\+\+\+ ./.test(text(1)) && text(2).startsWith('@@');
}

/** True before the end of a mail by git format-patch: `-- `, then git's version and nothing of a hunk. */
export function isSignature(reader: PatchReader, ahead = 0): boolean {
  const text = (more: number): string => reader.peek(ahead + more)?.text ?? '';
  return /^-- ?$/.test(text(0)) && /^\d/.test(text(1)) && !/^[-+ @\\]/.test(text(2));
}

/** Takes everything up to the next header, for a hunk without counts, or with counts that fit no part of what follows. */
function allLines(reader: PatchReader, header: Header): HunkLine[] {
  const lines: HunkLine[] = [];
  while (!reader.done && !beginsFile(reader) && !isSignature(reader)) {
    if (!addLine(lines, reader.peek())) break;
    reader.take();
  }
  // The empty lines at the end part the hunk from what follows.
  const kept = lines.slice(0, lines.findLastIndex(({ bare }) => !bare) + 1);
  const next = reader.peek();
  if (next && kept.length === lines.length && !isBoundary(reader, next)) {
    throw patchSyntax(next, 'begins with no mark of a hunk', 'a line that begins with " ", "-" or "+"');
  }
  if (kept.length === 0)
    throw patchSyntax(header.line, 'is followed by no line of a hunk', 'lines to change');
  checkNoList(kept, header);
  checkNotCutOff(kept, header, reader.done && kept.length === lines.length);
  return kept;
}

/**
 * A patch that was cut off has too few lines too. Only context is missing where both counts are too large by the same
 * number, unless the patch ends with a changed line, or before any.
 */
function checkNotCutOff(lines: readonly HunkLine[], header: Header, endsPatch: boolean): void {
  if (header.counts === null) return;
  const oldMissing = header.counts.old - count(lines, '+');
  const newMissing = header.counts.fresh - count(lines, '-');
  if (oldMissing <= 0 && newMissing <= 0) return;
  const isCut = endsPatch && (lines.at(-1)!.mark !== ' ' || lines.every(({ mark }) => mark === ' '));
  if (oldMissing === newMissing && !isCut) return;
  throw patchSyntax(
    header.line,
    'promises more lines than the patch has: it may have been cut off',
    `the whole patch, or the right counts, -${count(lines, '+')} and +${count(lines, '-')} if it is complete`,
  );
}

function isBoundary(reader: PatchReader, { text }: PatchLine): boolean {
  return text.startsWith('@@') || fenceOf(text) !== null || beginsFile(reader) || isSignature(reader);
}

/** Throws PATCH_SYNTAX where, without right counts, added lines at the end may be a list in the text around the patch. */
function checkNoList(lines: readonly HunkLine[], header: Header): void {
  const blank = lines.findLastIndex(({ bare }) => bare);
  const rest = lines.slice(blank + 1);
  if (blank < 0 || !rest.every(({ mark }) => mark === '+')) return;
  throw patchSyntax(
    header.line,
    `does not say whether line ${rest[0]!.at} and those after it belong to the hunk`,
    `the right counts, -${count(lines, '+')} and +${count(lines, '-')} if they do`,
  );
}

function count(lines: readonly HunkLine[], without: '+' | '-'): number {
  return lines.filter(({ mark }) => mark !== without).length;
}

/** Throws PATCH_SYNTAX for a line without a newline that is not the last of its side. */
function checkMarkers(lines: readonly HunkLine[], header: PatchLine): void {
  for (const [i, line] of lines.entries()) {
    if (line.end !== '') continue;
    const after = lines
      .slice(i + 1)
      .find(({ mark }) => mark === line.mark || mark === ' ' || line.mark === ' ');
    if (after === undefined) continue;
    throw patchSyntax(
      header,
      `begins a hunk in which line ${line.at} has no newline, but line ${after.at} comes after it`,
      '"\\ No newline at end of file" behind a last line only',
    );
  }
}
