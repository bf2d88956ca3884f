/**
 * Common runs of rows that differ in so much that nobody waits for the shortest edit: what both rows have exactly once, in
 * the order in which most of it agrees, divides them into parts (the "patience diff" of Bram Cohen), and each part has its
 * own shortest edit, or is divided again.
 */

import { firstNotBefore } from '../../sorted.ts';
import { type CommonRun, commonEnds, commonRuns, MOST_EDITS } from './shortest-edit.ts';

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
    if (anchors.length === 0) return;
    let [oldStart, newStart] = [part.oldStart, part.newStart];
    for (const { old, fresh } of anchors) {
      this.#add({ oldStart, oldEnd: old, newStart, newEnd: fresh });
      [oldStart, newStart] = [old, fresh];
    }
    this.#add({ ...part, oldStart, newStart });
  }

  /** The shortest edit of a part, between what is common at its ends. */
  #add({ oldStart, oldEnd, newStart, newEnd }: Part): void {
    const [old, fresh] = [this.#old.subarray(oldStart, oldEnd), this.#new.subarray(newStart, newEnd)];
    const { lead, tail } = commonEnds(old, fresh);
    const middle = {
      oldStart: oldStart + lead,
      oldEnd: oldEnd - tail,
      newStart: newStart + lead,
      newEnd: newEnd - tail,
    };
    this.#note(oldStart, newStart, lead);
    if (middle.oldEnd > middle.oldStart && middle.newEnd > middle.newStart) this.#addMiddle(middle);
    this.#note(middle.oldEnd, middle.newEnd, tail);
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
