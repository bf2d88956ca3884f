/** Unified diffs as git prints them, as rows. Pure. */

import { type WordRange, wordDiff } from '../../../../text/diff/word-diff.ts';
import type { Hunk, Row } from '../contract.ts';

/** Splits a text into lines with their line feeds, as git counts them. */
export function lines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Parses a diff of one file. Lines are counted, so that a changed one may look like anything. */
export function parse(diff: string): Hunk[] {
  const lines = diff.split('\n');
  const hunks: Hunk[] = [];
  for (let at = 0; at < lines.length; ) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s.exec(lines[at++]!);
    if (!head) continue;
    const hunk: Hunk = {
      oldStart: Number(head[1]),
      oldCount: Number(head[2] ?? 1),
      newStart: Number(head[3]),
      newCount: Number(head[4] ?? 1),
      heading: head[5]!,
      rows: [],
    };
    at = readRows(lines, at, hunk);
    markWords(hunk.rows);
    hunks.push(hunk);
  }
  return hunks;
}

function readRows(lines: readonly string[], start: number, hunk: Hunk): number {
  let old = first(hunk.oldStart, hunk.oldCount);
  let now = first(hunk.newStart, hunk.newCount);
  const [oldEnd, newEnd] = [old + hunk.oldCount, now + hunk.newCount];
  let at = start;
  for (; at < lines.length; at++) {
    const line = lines[at]!;
    const last = hunk.rows.at(-1);
    if (line.startsWith('\\') && last) last.text = last.text.slice(0, -1);
    else if (old >= oldEnd && now >= newEnd) break;
    else {
      const sign = line[0] as '+' | '-' | ' ';
      const numbers = { old: sign === '+' ? null : old++ + 1, now: sign === '-' ? null : now++ + 1 };
      hunk.rows.push({ sign, ...numbers, text: `${line.slice(1)}\n` });
    }
  }
  return at;
}

/** Returns the 0-based line at which a range begins; an empty one names the line before it. */
function first(start: number, count: number): number {
  return count === 0 ? start : start - 1;
}

/** Makes rows of every line of the new text, with what the hunks removed. */
export function whole(now: readonly string[], hunks: readonly Hunk[]): Row[] {
  const rows: Row[] = [];
  let at = 0;
  let shift = 0;
  const keep = (end: number): void => {
    for (; at < end; at++) rows.push({ sign: ' ', old: at + 1 - shift, now: at + 1, text: now[at]! });
  };
  for (const { newStart, newCount, oldCount, rows: own } of hunks) {
    keep(first(newStart, newCount));
    for (const row of own) rows.push(row);
    at += newCount;
    shift += newCount - oldCount;
  }
  keep(now.length);
  return rows;
}

/** Makes rows of lines, numbered from `old` and `now` on; `null` where they are not in that text. */
export function rowsOf(
  sign: Row['sign'],
  texts: readonly string[],
  old: number | null,
  now: number | null,
): Row[] {
  const at = (start: number | null, n: number): number | null => (start === null ? null : start + n);
  return texts.map((text, n) => ({ sign, old: at(old, n), now: at(now, n), text }));
}

/** Pairs the lines of each replaced block, one by one, and marks in each pair the words that are different. */
export function markWords(rows: readonly Row[]): void {
  for (let at = 0; at < rows.length; ) {
    const removed = run(rows, at, '-');
    const added = run(rows, at + removed, '+');
    for (let n = 0; n < Math.min(removed, added); n++) mark(rows[at + n]!, rows[at + removed + n]!);
    at += Math.max(1, removed + added);
  }
}

function run(rows: readonly Row[], start: number, sign: string): number {
  let end = start;
  while (rows[end]?.sign === sign) end++;
  return end - start;
}

/** Marks what is in one line and not in the other. Lines that have little in common are different as a whole. */
function mark(a: Row, b: Row): void {
  const diff = wordDiff(a.text, b.text) ?? edges(a.text, b.text);
  if (!diff) return;
  const marks = (ranges: readonly WordRange[]): Row['marks'] => ranges.map(({ start, end }) => [start, end]);
  a.marks = marks(diff.removed)!;
  b.marks = marks(diff.added)!;
}

/** Characters of a line that is cut where it is shown: around its first mark. */
const LONG = 5_000;

/** Returns what is between the common beginning and end of long lines; `null` for others. */
function edges(a: string, b: string): { removed: WordRange[]; added: WordRange[] } | null {
  const shorter = Math.min(a.length, b.length);
  if (shorter < LONG) return null;
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return {
    removed: [{ start, end: a.length - end }],
    added: [{ start, end: b.length - end }],
  };
}
