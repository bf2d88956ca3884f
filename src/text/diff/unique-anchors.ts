/**
 * Common runs of rows that differ in so much that nobody waits for the shortest edit: what both rows have exactly once, in
 * the order in which most of it agrees, divides them into parts (the "patience diff" of Bram Cohen), and each part has its
 * own shortest edit, or is divided again.
 */

import { firstNotBefore } from '../../sorted.ts';
import { type CommonRun, commonRuns, MOST_EDITS } from './shortest-edit.ts';

/** The shortest edit where it has no more than `most` steps, else one that is short. `count`: all numbers are below it. */
export function boundedRuns(
  old: Uint32Array,
  fresh: Uint32Array,
  count: number,
  most: number = MOST_EDITS,
): CommonRun[] {
  const runs = commonRuns(old, fresh, most);
  if (runs !== null) return runs;
  const divided = new Divided(old, fresh, count, most);
  divided.divide({ oldStart: 0, oldEnd: old.length, newStart: 0, newEnd: fresh.length });
  return divided.runs;
}

/** Names the numbers of both rows between two anchors; ends are exclusive. */
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
 * Steps and not time, so that the same rows have the same runs whenever they are compared.
 */
const MOST_STEPS = 30_000_000;

/** Stands for a number that both parts have once. Each time in the old part counts 1, up to 2; in the new part 4, up to 8. */
const ONCE_IN_BOTH = 1 + 4;

class Divided {
  readonly runs: CommonRun[] = [];
  readonly #old: Uint32Array;
  readonly #new: Uint32Array;
  readonly #most: number;
  #steps = 0;
  /** By number; zeros between two parts. */
  readonly #seen: Uint8Array;
  /** The last place of each number in the old row. */
  readonly #places: Uint32Array;

  constructor(old: Uint32Array, fresh: Uint32Array, count: number, most: number) {
    this.#old = old;
    this.#new = fresh;
    this.#most = most;
    this.#seen = new Uint8Array(count);
    this.#places = new Uint32Array(count);
  }

  /** Parts between anchors; a part without any is given up. */
  divide(part: Part): void {
    const anchors = this.#anchors(part);
    if (anchors.length > 0) this.#divideAt(anchors, part);
  }

  #divideAt(anchors: readonly Anchor[], part: Part): void {
    let [oldStart, newStart] = [part.oldStart, part.newStart];
    for (const { old, fresh } of anchors) {
      // What both have behind an anchor may hold the next ones.
      if (old < oldStart) continue;
      this.#add({ oldStart, oldEnd: old, newStart, newEnd: fresh });
      const behind = this.#withoutLead({ ...part, oldStart: old, newStart: fresh });
      [oldStart, newStart] = [behind.oldStart, behind.newStart];
    }
    this.#add({ ...part, oldStart, newStart });
  }

  /** The shortest edit of a part, between what is common at its ends. */
  #add(whole: Part): void {
    const part = this.#withoutLead(whole);
    const tail = this.#tailOf(part);
    part.oldEnd -= tail;
    part.newEnd -= tail;
    if (part.oldEnd > part.oldStart && part.newEnd > part.newStart) this.#addMiddle(part);
    this.#note(part.oldEnd, part.newEnd, tail);
  }

  #addMiddle(part: Part): void {
    const { oldStart, oldEnd, newStart, newEnd } = part;
    const [old, fresh] = [this.#old.subarray(oldStart, oldEnd), this.#new.subarray(newStart, newEnd)];
    const length = old.length + fresh.length;
    this.#steps += length + Math.min(length, this.#most) ** 2 / 2;
    if (this.#steps > MOST_STEPS) return;
    const runs = commonRuns(old, fresh, this.#most);
    if (runs) for (const run of runs) this.#note(oldStart + run.oldStart, newStart + run.newStart, run.count);
    else this.divide(part);
  }

  #withoutLead(part: Part): Part {
    let { oldStart, newStart } = part;
    while (oldStart < part.oldEnd && newStart < part.newEnd && this.#old[oldStart] === this.#new[newStart]) {
      oldStart++;
      newStart++;
    }
    this.#note(part.oldStart, part.newStart, oldStart - part.oldStart);
    return { ...part, oldStart, newStart };
  }

  #tailOf({ oldStart, oldEnd, newStart, newEnd }: Part): number {
    const most = Math.min(oldEnd - oldStart, newEnd - newStart);
    let tail = 0;
    while (tail < most && this.#old[oldEnd - 1 - tail] === this.#new[newEnd - 1 - tail]) tail++;
    return tail;
  }

  #note(oldStart: number, newStart: number, count: number): void {
    if (count > 0) this.runs.push({ oldStart, newStart, count });
  }

  /** In order, and in the same order in both parts: as many as there are. */
  #anchors(part: Part): Anchor[] {
    const [old, fresh] = [this.#old, this.#new];
    const [seen, places] = [this.#seen, this.#places];
    for (let at = part.oldStart; at < part.oldEnd; at++) {
      const number = old[at]!;
      if (seen[number]! < 2) seen[number]!++;
      places[number] = at;
    }
    for (let at = part.newStart; at < part.newEnd; at++) if (seen[fresh[at]!]! < 8) seen[fresh[at]!]! += 4;
    const anchors: Anchor[] = [];
    for (let at = part.newStart; at < part.newEnd; at++)
      if (seen[fresh[at]!] === ONCE_IN_BOTH) anchors.push({ old: places[fresh[at]!]!, fresh: at });
    for (let at = part.oldStart; at < part.oldEnd; at++) seen[old[at]!] = 0;
    for (let at = part.newStart; at < part.newEnd; at++) seen[fresh[at]!] = 0;
    return longestRising(anchors);
  }
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
