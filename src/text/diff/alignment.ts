/**
 * Pairs the equal rows of two lists, in order, with a say in which of several equal ones are paired: a comparison for
 * telling what became of a line, where `line-diff.ts` is one for showing what changed.
 */

import { commonEnds, pairRows } from './pairs.ts';

/** Compared rows: lines, or what stands for a mode or a name. */
export type Token = string;

/** Up to so many pairs of rows are compared, so that preferences count everywhere; in larger lists only runs slide. */
const MOST_CELLS = 1 << 16;

/** The most pairs that are compared each with each at once. */
const FEW_CELLS = 256;

const NEVER = (): boolean => false;

/**
 * Pairs as many rows as possible; of large lists that differ in much, as many as are found in bounded time. Of equal rows
 * in `old` those are paired of which `prefers` (by index) is true. By the index in `old`, answers that of its partner in
 * `fresh`; -1 where there is none. Ascending.
 */
export function align(
  old: readonly Token[],
  fresh: readonly Token[],
  prefers: (old: number) => boolean = NEVER,
): { to: Int32Array } {
  const { lead, tail } = commonEnds(old, fresh);
  const to = new Int32Array(old.length).fill(-1);
  for (let n = 0; n < lead; n++) to[n] = n;
  for (let n = 1; n <= tail; n++) to[old.length - n] = fresh.length - n;
  const [rows, columns] = [old.length - lead - tail, fresh.length - lead - tail];
  if (rows > 0 && columns > 0) {
    const [ours, theirs] = [old.slice(lead, lead + rows), fresh.slice(lead, lead + columns)];
    const found = alignMiddle(ours, theirs, at => prefers(lead + at));
    for (const [at, partner] of found.entries()) if (partner >= 0) to[lead + at] = lead + partner;
  }
  if (rows > 0 && prefers !== NEVER) slide(old, to, prefers);
  return { to };
}

function alignMiddle(
  old: readonly Token[],
  fresh: readonly Token[],
  prefers: (old: number) => boolean,
): Int32Array {
  if (old.length * fresh.length <= FEW_CELLS) return bestPairs(old, fresh, prefers, 0);
  const { to, isShortest } = pairRows(old, fresh);
  const common = isShortest ? to.filter(partner => partner >= 0).length : 0;
  const band = old.length * (old.length + fresh.length - 2 * common + 1);
  return common > 0 && band <= MOST_CELLS ? bestPairs(old, fresh, prefers, common) : to;
}

/** More than all preferences of one comparison together weigh less than one pair. */
const PREFERRED = 1 / MOST_CELLS;

/**
 * Finds the longest common subsequence, preferred rows first, of lists that have at least so many rows in common: whoever
 * pairs that many leaves few others without a partner, so rows far apart are not compared.
 */
function bestPairs(
  old: readonly Token[],
  fresh: readonly Token[],
  prefers: (old: number) => boolean,
  common: number,
): Int32Array {
  const removed = old.length - common;
  const width = removed + fresh.length - common + 1;
  /** By row, and by how far a column is from the first one that is compared with the row. */
  const best = new Float64Array((old.length + 1) * width).fill(Number.NEGATIVE_INFINITY);
  const at = (i: number, j: number): number => {
    const place = j - i + removed;
    return place < 0 || place >= width ? Number.NEGATIVE_INFINITY : best[i * width + place]!;
  };
  const paired = (i: number, j: number): number =>
    old[i] === fresh[j] ? at(i + 1, j + 1) + 1 + (prefers(i) ? PREFERRED : 0) : Number.NEGATIVE_INFINITY;
  for (let i = old.length; i >= 0; i--) {
    for (let j = Math.min(fresh.length, i - removed + width - 1); j >= Math.max(0, i - removed); j--) {
      const isOver = i === old.length || j === fresh.length;
      const rest = Math.max(i < old.length ? at(i + 1, j) : 0, j < fresh.length ? at(i, j + 1) : 0);
      best[i * width + j - i + removed] = isOver ? Math.max(rest, 0) : Math.max(rest, paired(i, j));
    }
  }
  const to = new Int32Array(old.length).fill(-1);
  for (let i = 0, j = 0; i < old.length && j < fresh.length; ) {
    if (at(i, j) === paired(i, j)) to[i++] = j++;
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return to;
}

/**
 * Moves each run of rows without a pair up or down over equal rows, to where most rows that are preferred have one: with
 * `}` twice, the one that was there before counts as the one that stayed.
 */
function slide(old: readonly Token[], to: Int32Array, prefers: (old: number) => boolean): void {
  for (let start = 0; start < to.length; start++) {
    if (to[start]! >= 0) continue;
    let end = start;
    while (end < to.length && to[end]! < 0) end++;
    const by = bestSlide(old, to, { start, end }, prefers);
    for (let n = 0; n < Math.abs(by); n++) {
      const [from, into] = by < 0 ? [start - 1 - n, end - 1 - n] : [end + n, start + n];
      to[into] = to[from]!;
      to[from] = -1;
    }
    start = end + Math.max(by, 0);
  }
}

/** Answers by how many rows the run is best moved; below 0: up. */
function bestSlide(
  old: readonly Token[],
  to: Int32Array,
  { start, end }: { start: number; end: number },
  prefers: (old: number) => boolean,
): number {
  let [best, most] = [0, 0];
  // With each row up, the row above takes the place of the run's last one.
  for (let by = -1, gain = 0; start + by >= 0 && to[start + by]! >= 0; by--) {
    if (old[start + by] !== old[end + by]) break;
    gain += Number(prefers(end + by)) - Number(prefers(start + by));
    if (gain > most) [best, most] = [by, gain];
  }
  for (let by = 1, gain = 0; end + by <= to.length && to[end + by - 1]! >= 0; by++) {
    if (old[end + by - 1] !== old[start + by - 1]) break;
    gain += Number(prefers(start + by - 1)) - Number(prefers(end + by - 1));
    if (gain > most) [best, most] = [by, gain];
  }
  return best;
}
