/**
 * The part of two texts in which they differ, with some lines around it: most versions of a large file differ in a few
 * lines, and the rest is then compared as bytes and never decoded.
 */

import { commonPrefix, commonSuffix, countByte, indexOfByte } from '../bytes.ts';

const LF = 10;

/** Whole lines of two texts, each ended by LF, that hold every difference. */
export interface ChangedWindow {
  oldText: string;
  newText: string;
  /** The number of lines above, the same in both. */
  above: number;
  /** The nearest line above that begins like a name, for the heading of a hunk; '' where none does. */
  heading: string;
}

/**
 * The window with at least `around` common lines on each side, where there are so many. `null` where lines may end
 * otherwise than with LF, so that the whole texts have to tell. Both have to be UTF-8.
 */
export function changedWindow(before: Uint8Array, after: Uint8Array, around: number): ChangedWindow | null {
  const prefix = commonPrefix(before, after);
  const start = linesUp(before, lineStart(before, prefix), around);
  const suffix = commonSuffix(
    before,
    after,
    Math.min(before.length, after.length) - lineStart(before, prefix),
  );
  const tail = before.length - linesDown(before, before.length - suffix, around + 2);
  const [old, fresh] = [before, after].map(bytes => bytes.subarray(start, bytes.length - tail));
  if (start === 0 && (indexOfByte(old!, LF) < 0 || indexOfByte(fresh!, LF) < 0)) return null;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return {
    oldText: decoder.decode(old),
    newText: decoder.decode(fresh),
    above: countByte(before, LF, start),
    heading: headingAbove(before, start, decoder),
  };
}

/** Where the line begins that holds the byte before `at`; `at` itself after a line end. */
function lineStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && bytes[start - 1] !== LF) start--;
  return start;
}

/** Returns where the line `count` lines above `from` begins; the beginning of the text at the most. */
function linesUp(bytes: Uint8Array, from: number, count: number): number {
  let at = from;
  for (let n = 0; n < count && at > 0; n++) at = lineStart(bytes, at - 1);
  return at;
}

/** The end of the line at `from`, and so many lines further down. */
function linesDown(bytes: Uint8Array, from: number, count: number): number {
  let at = from;
  for (let n = 0; n < count; n++) {
    const end = indexOfByte(bytes, LF, at);
    if (end < 0) return bytes.length;
    at = end + 1;
  }
  return at;
}

/** Finds the nearest line above that begins like a name, as headingBefore of diff/diff.ts does in a text. */
function headingAbove(bytes: Uint8Array, end: number, decoder: TextDecoder): string {
  for (let at = end; at > 0; ) {
    const start = lineStart(bytes, at - 1);
    if (beginsName(bytes[start]!)) return decoder.decode(bytes.subarray(start, at));
    at = start;
  }
  return '';
}

/** A-Z, a-z, _ or $. */
function beginsName(byte: number): boolean {
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || byte === 0x5f || byte === 0x24;
}
