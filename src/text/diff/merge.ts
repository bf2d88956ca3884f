/**
 * Three-way merge by lines. Two sides changed the same base; what only one of them changed is taken from it. Where
 * both changed the same or touching lines to different text there is a conflict, as for git: nothing is guessed.
 */

import type { ConflictRegion } from '../../errors.ts';
import { encodeText, isNoText, type TextFile, textFile } from '../document.ts';
import { type Lines, lineBreakOf, linesOf } from '../lines.ts';
import { numbered } from '../snippet.ts';
import { counted, cutLine, fenced, lineWords } from '../words.ts';
import { type LineChange, lineDiff, splitLines } from './line-diff.ts';

/**
 * Joins `ours` and `theirs`, both made from `base`: returns the text, or the regions that both changed to different text, by lines
 * of `ours`. Bounded in time, as lineDiff.
 */
export function merge(base: string, ours: string, theirs: string): string | ConflictRegion[] {
  const lineBreak = lineBreakOf(base);
  const [baseLines, ourLines, theirLines] = [base, ours, theirs].map(text => splitLines(text, lineBreak));
  const [ourChanges, theirChanges] = [ours, theirs].map(text => lineDiff(base, text, lineBreak));
  const parts: string[] = [];
  const conflicts: ConflictRegion[] = [];
  let done = 0;
  for (const region of regions(ourChanges!, theirChanges!)) {
    const mine = sideOf(region, region.ours, ourLines!);
    const other = sideOf(region, region.theirs, theirLines!);
    parts.push(baseLines!.slice(done, region.start).join(''), (mine ?? other)!.text);
    if (mine && other && mine.text !== other.text)
      conflicts.push({
        start_line: mine.start + 1,
        end_line: mine.end,
        present: mine.text,
        wanted: other.text,
      });
    done = region.end;
  }
  return conflicts.length > 0 ? conflicts : parts.join('') + baseLines!.slice(done).join('');
}

/** A content of a file; `version` is its blob id, or '' where that is not known. */
export interface FileContent {
  bytes: Uint8Array;
  version: string;
}

/**
 * Merges the bytes of a file: byte order mark and encoding are merged as a line of their own would be. Returns the
 * content, or the regions that both changed, by lines of `ours`. Throws BINARY_FILE, NOT_UTF8, ENCODING and TOO_LARGE.
 */
export function mergeFile(
  path: string,
  base: FileContent,
  ours: FileContent,
  theirs: FileContent,
): { content: Uint8Array } | { conflict: ConflictRegion[] } {
  const [was, now, next] = [base, ours, theirs].map(one => textFile(path, one.bytes, one.version));
  const merged = merge(was!.text, now!.text, next!.text);
  if (typeof merged !== 'string') return { conflict: merged };
  const joined = <Key extends 'bom' | 'encoding'>(key: Key): TextFile[Key] =>
    now![key] === was![key] ? next![key] : now![key];
  return { content: encodeText(merged, joined('bom'), joined('encoding'), path) };
}

/** Merges as `mergeFile`; of what is no text, or too large, answers a conflict without regions. */
export function mergeFileOrNone(...sides: Parameters<typeof mergeFile>): ReturnType<typeof mergeFile> {
  try {
    return mergeFile(...sides);
  } catch (error) {
    if (isNoText(error, 'or too large')) return { conflict: [] };
    throw error;
  }
}

/** A range of base lines that was changed, and the changes of both sides in it. */
interface Region {
  start: number;
  end: number;
  ours: LineChange[];
  theirs: LineChange[];
}

/**
 * The base ranges that were changed, in order; changes of the two sides that touch are one region. A change of line 5 and
 * one of line 6 touch: each was made in sight of the other's old line.
 */
function regions(ours: readonly LineChange[], theirs: readonly LineChange[]): Region[] {
  const all = [
    ...ours.map(change => ({ change, side: 'ours' as const })),
    ...theirs.map(change => ({ change, side: 'theirs' as const })),
  ].sort((a, b) => a.change.oldStart - b.change.oldStart || a.change.oldEnd - b.change.oldEnd);
  const found: Region[] = [];
  for (const { change, side } of all) {
    const { oldStart: start, oldEnd: end } = change;
    if (found.length === 0 || start > found.at(-1)!.end) found.push({ start, end, ours: [], theirs: [] });
    const region = found.at(-1)!;
    region.end = Math.max(region.end, end);
    region[side].push(change);
  }
  return found;
}

/** Returns what one side, by its changes in the region, makes of it; `null` where it changed nothing. */
function sideOf(
  region: Region,
  changes: readonly LineChange[],
  lines: readonly string[],
): { start: number; end: number; text: string } | null {
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) return null;
  const start = first.newStart - (first.oldStart - region.start);
  const end = last.newEnd + (region.end - last.oldEnd);
  return { start, end, text: lines.slice(start, end).join('') };
}

/** The most places of a file that are shown, the most lines of each, and the most characters of a line. */
const SHOWN = 5;
const LINES = 20;
const LONG_LINE = 240;

/**
 * Places that a merge could not join, in words: what is there now and what is wanted there, so that it can be put there by hand.
 */
export function regionWords(path: string, regions: readonly ConflictRegion[]): string[] {
  const words = regions.slice(0, SHOWN).flatMap(region => [presentWords(path, region), wantedWords(region)]);
  const more = regions.length - SHOWN;
  return more > 0 ? [...words, `[and ${counted(more, 'more place')} in ${path}]`] : words;
}

function presentWords(path: string, { start_line: start, end_line: end, present }: ConflictRegion): string {
  if (end < start) return `${path}, before line ${start}: the lines are gone.`;
  const lines = linesOf(present);
  const options = { maxLineLength: LONG_LINE, firstNumber: start };
  const shown = numbered(lines, 1, Math.min(lines.count, LINES), options);
  return [`${path}, ${lineWords(start, end)} now:`, shown, ...moreWords(lines)].join('\n');
}

function wantedWords({ wanted }: ConflictRegion): string {
  if (wanted === '') return 'Wanted there: nothing.';
  const lines = linesOf(wanted);
  const count = Math.min(lines.count, LINES);
  const shown = Array.from({ length: count }, (_, index) => cutLine(lines.content(index + 1), LONG_LINE));
  return ['Wanted there:', fenced(shown.join('\n')), ...moreWords(lines)].join('\n');
}

function moreWords(lines: Lines): string[] {
  return lines.count > LINES ? [`[${counted(lines.count - LINES, 'more line')}]`] : [];
}
