/**
 * Pairs the equal rows of two lists, in order: by the shortest edit between them (Myers, "An O(ND) Difference Algorithm and Its
 * Variations", 1986), of several the one that the package diff takes, in a tenth of its time; where the lists differ in so much
 * that nobody waits for that, what both have once divides them into parts (the "patience diff" of Bram Cohen).
 */

import { firstNotBefore } from '../../sorted.ts';

/**
 * Counts the items that two rows have in common at their beginnings, and of the rest those at their ends. A text is a row
 * of UTF-16 units.
 */
export function commonEnds<Item>(
  a: ArrayLike<Item>,
  b: ArrayLike<Item>,
  isSame: (one: Item, other: Item) => boolean = (one, other) => one === other,
): { lead: number; tail: number } {
  const most = Math.min(a.length, b.length);
  let lead = 0;
  while (lead < most && isSame(a[lead]!, b[lead]!)) lead++;
  let tail = 0;
  while (tail < most - lead && isSame(a[a.length - 1 - tail]!, b[b.length - 1 - tail]!)) tail++;
  return { lead, tail };
}

/** Myers' algorithm takes time and memory with the square of the edit length: 500 is about a millisecond. */
const MOST_EDITS = 500;

export interface PairedRows {
  /** By the index in the first list, that of the partner in the second; -1 where there is none. Ascending. */
  to: Int32Array;
  /** True where no more rows can be paired. */
  isShortest: boolean;
}

/** Pairs the rows of two lists; where the shortest edit has more than `most` steps, with one that is short. Bounded in time. */
export function pairRows(
  old: readonly string[],
  fresh: readonly string[],
  most: number = MOST_EDITS,
): PairedRows {
  const numbers = new Map<string, number>();
  const [own, others] = [numbered(old, numbers), numbered(fresh, numbers)];
  const to = new Int32Array(old.length).fill(-1);
  // What only one of the lists has can never be paired.
  const ours = placesOfShared(own, others, numbers.size);
  if (ours.length === 0) return { to, isShortest: true };
  const theirs = placesOfShared(others, own, numbers.size);
  const shared = [ours.map(at => own[at]!), theirs.map(at => others[at]!)] as const;
  const pair: Pair = (a, b) => {
    to[ours[a]!] = theirs[b]!;
  };
  const isShortest = pairShortest(...shared, most, pair);
  if (!isShortest) pairParts(...shared, numbers.size, most, pair);
  return { to, isShortest };
}

/** Notes that two rows are a pair, by their places. */
type Pair = (old: number, fresh: number) => void;

/** Numbers rows by the order in which they first come: equal rows have one number. */
function numbered(rows: readonly string[], numbers: Map<string, number>): Uint32Array {
  const found = new Uint32Array(rows.length);
  for (const [at, row] of rows.entries()) {
    const number = numbers.get(row) ?? numbers.size;
    if (number === numbers.size) numbers.set(row, number);
    found[at] = number;
  }
  return found;
}

/** Where the numbers stand that the other row has too; all are below `count`. */
function placesOfShared(own: Uint32Array, others: Uint32Array, count: number): Uint32Array {
  const isShared = new Uint8Array(count);
  for (let n = 0; n < others.length; n++) isShared[others[n]!] = 1;
  const places = new Uint32Array(own.length);
  let found = 0;
  for (let at = 0; at < own.length; at++) if (isShared[own[at]!] === 1) places[found++] = at;
  return places.subarray(0, found);
}

const NONE = -1;

/** Pairs two rows of numbers by their shortest edit; false, and nothing is paired, where it has more than `most` steps. */
function pairShortest(old: Uint32Array, fresh: Uint32Array, most: number, pair: Pair): boolean {
  /** By the number of edits, how far a path comes on each of its diagonals (the place in the old row less that in the new one). */
  const ends: Int32Array[] = [];
  /** Answers how far a path comes to the n-th diagonal by a last edit that removes a row, or adds one. */
  const byRemoving = (edits: number, n: number): number => {
    const end = n > 0 ? ends[edits - 1]![n - 1]! : NONE;
    return end === NONE || end === old.length ? NONE : end + 1;
  };
  const byAdding = (edits: number, n: number): number => {
    const end = n < edits ? ends[edits - 1]![n]! : NONE;
    return end - 2 * n + edits > fresh.length ? NONE : end;
  };
  for (let edits = 0; edits <= most; edits++) {
    const here = new Int32Array(edits + 1).fill(NONE);
    ends.push(here);
    for (let n = 0; n <= edits; n++) {
      let end = edits === 0 ? 0 : Math.max(byRemoving(edits, n), byAdding(edits, n));
      if (end === NONE) continue;
      const diagonal = 2 * n - edits;
      while (end < old.length && end - diagonal < fresh.length && old[end] === fresh[end - diagonal]) end++;
      here[n] = end;
      if (end === old.length && end - diagonal === fresh.length) return back(edits);
    }
  }
  return false;

  /** Back along the path that came to the end of both rows. */
  function back(last: number): true {
    let [row, column] = [old.length, fresh.length];
    for (let edits = last; edits >= 0; edits--) {
      const n = (row - column + edits) / 2;
      const [removed, added] = [byRemoving(edits, n), byAdding(edits, n)];
      while (row > Math.max(removed, added, 0)) pair(--row, --column);
      if (removed > added) row--;
      else column--;
    }
    return true;
  }
}

/** The numbers of both rows between two anchors; ends are exclusive. */
interface Part {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/** Where a number stands that both parts have once. */
interface Anchor {
  old: number;
  fresh: number;
}

/**
 * Limits the steps of all searches and looks at numbers, to less than a second; the parts that are left then are given up.
 * Steps and not time, so that the same rows have the same pairs whenever they are compared.
 */
const MOST_STEPS = 30_000_000;

/** Pairs what two rows of numbers, all below `count`, have once, and the parts between, each by its shortest edit or divided again. */
function pairParts(old: Uint32Array, fresh: Uint32Array, count: number, most: number, pair: Pair): void {
  const anchorsOf = anchorFinder(old, fresh, count);
  let steps = 0;
  /** A part without any anchor is given up. */
  const divide = (part: Part): void => {
    const anchors = anchorsOf(part);
    let [oldStart, newStart] = [part.oldStart, part.newStart];
    for (const anchor of anchors) {
      pairPart({ oldStart, oldEnd: anchor.old, newStart, newEnd: anchor.fresh });
      [oldStart, newStart] = [anchor.old, anchor.fresh];
    }
    if (anchors.length > 0) pairPart({ ...part, oldStart, newStart });
  };
  const pairPart = ({ oldStart, oldEnd, newStart, newEnd }: Part): void => {
    while (oldStart < oldEnd && newStart < newEnd && old[oldStart] === fresh[newStart])
      pair(oldStart++, newStart++);
    while (oldStart < oldEnd && newStart < newEnd && old[oldEnd - 1] === fresh[newEnd - 1])
      pair(--oldEnd, --newEnd);
    if (oldStart === oldEnd || newStart === newEnd) return;
    const [own, others] = [old.subarray(oldStart, oldEnd), fresh.subarray(newStart, newEnd)];
    const length = own.length + others.length;
    steps += length + Math.min(length, most) ** 2 / 2;
    if (steps > MOST_STEPS) return;
    const isPaired = pairShortest(own, others, most, (a, b) => pair(oldStart + a, newStart + b));
    if (!isPaired) divide({ oldStart, oldEnd, newStart, newEnd });
  };
  divide({ oldStart: 0, oldEnd: old.length, newStart: 0, newEnd: fresh.length });
}

/** Stands for a number that both parts have once. Each time in the old part counts 1, up to 2; in the new part 4, up to 8. */
const ONCE_IN_BOTH = 1 + 4;

/** Returns a function that finds what both rows of a part have once, as much as is in the same order in both. */
function anchorFinder(old: Uint32Array, fresh: Uint32Array, count: number): (part: Part) => Anchor[] {
  /** By number; zeros between two parts. */
  const seen = new Uint8Array(count);
  /** The last place of each number in the old row. */
  const places = new Uint32Array(count);
  return ({ oldStart, oldEnd, newStart, newEnd }) => {
    for (let at = oldStart; at < oldEnd; at++) {
      if (seen[old[at]!]! < 2) seen[old[at]!]!++;
      places[old[at]!] = at;
    }
    for (let at = newStart; at < newEnd; at++) if (seen[fresh[at]!]! < 8) seen[fresh[at]!]! += 4;
    const anchors: Anchor[] = [];
    for (let at = newStart; at < newEnd; at++)
      if (seen[fresh[at]!] === ONCE_IN_BOTH) anchors.push({ old: places[fresh[at]!]!, fresh: at });
    for (let at = oldStart; at < oldEnd; at++) seen[old[at]!] = 0;
    for (let at = newStart; at < newEnd; at++) seen[fresh[at]!] = 0;
    return longestRising(anchors);
  };
}

/** The longest row of anchors, of those given in the order of the new row, that is in the order of the old row too. */
function longestRising(anchors: readonly Anchor[]): Anchor[] {
  /** For each length, the anchor with the lowest old place that ends a row of that length; and what comes before each anchor. */
  const ends: number[] = [];
  const before = new Int32Array(anchors.length).fill(-1);
  for (const [index, { old }] of anchors.entries()) {
    const from = firstNotBefore(0, ends.length, at => anchors[ends[at]!]!.old < old);
    before[index] = from > 0 ? ends[from - 1]! : -1;
    ends[from] = index;
  }
  const row: Anchor[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) row.push(anchors[at]!);
  return row.reverse();
}
