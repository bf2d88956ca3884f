/** Finds the words of a line that became others: for showing a change inside a line. */

import { diffArrays } from 'diff/lib/diff/array.js';

/** Offsets in UTF-16 characters, the end exclusive. */
export interface WordRange {
  start: number;
  end: number;
}

export interface WordDiff {
  /** The ranges of the old line that are gone, and those of the new one that came, in order. */
  removed: WordRange[];
  added: WordRange[];
}

/** A word, a run of blanks, or any other single character. */
const WORDS = /[\p{L}\p{N}_]+|\s+|./gsu;

const LIMITS = { maxEditLength: 200, timeout: 50 };

/** Lines that share less than this part of the longer one are shown as two lines, not as one that changed. */
const ALIKE = 0.3;

/** UTF-16 characters: the words of longer lines are not worth the wait. */
const LONGEST = 10_000;

/** Compares two lines word by word. `null` when they have too little in common for that to help, or are too long. */
export function wordDiff(oldLine: string, newLine: string): WordDiff | null {
  if (Math.max(oldLine.length, newLine.length) > LONGEST) return null;
  const [oldWords, newWords] = [oldLine, newLine].map(line => line.match(WORDS) ?? []);
  const changes = diffArrays(oldWords!, newWords!, LIMITS);
  if (!changes) return null;
  const diff: WordDiff = { removed: [], added: [] };
  let [at, to, common] = [0, 0, 0];
  for (const { value, added, removed } of changes) {
    const length = value.join('').length;
    if (added) extend(diff.added, to, to + length);
    else if (removed) extend(diff.removed, at, at + length);
    else common += value.join('').trim().length;
    if (!added) at += length;
    if (!removed) to += length;
  }
  const longer = Math.max(oldLine.trim().length, newLine.trim().length);
  return common < longer * ALIKE ? null : diff;
}

/** Adds a range, or makes the last one longer where the two touch. */
function extend(ranges: WordRange[], start: number, end: number): void {
  const last = ranges.at(-1);
  if (last?.end === start) last.end = end;
  else ranges.push({ start, end });
}
