/** Files of commits that a blame has still to look at, the newest commit first, each with the lines that it may have written. */

import type { TrailEntry } from '../history/walk.ts';
import { firstNotBefore } from '../sorted.ts';
import type { LineChange } from '../text/diff/line-diff.ts';

/** Lines of one file, in order, and for each the number under which it is asked for. */
export interface SuspectLines {
  /** 1-based. */
  here: Int32Array;
  keys: Int32Array;
}

export interface Suspect {
  entry: TrailEntry;
  path: string;
  blob: string;
  lines: SuspectLines;
  /** True where a weave said already that the commit has them from no event before it. */
  isTold?: boolean;
}

export class Suspects {
  /** Oldest first, so that the next one is at the end. */
  readonly #queue: Suspect[] = [];
  readonly #open = new Map<string, Suspect>();
  readonly #merged: Array<[key: number, same: number]> = [];

  /** Lines that come to the same file on two ways are looked at together from here on. */
  add(suspect: Suspect): void {
    const key = keyOf(suspect);
    const known = this.#open.get(key);
    if (known) {
      known.lines = this.#union(known.lines, suspect.lines);
      return;
    }
    this.#open.set(key, suspect);
    const { time } = suspect.entry;
    const at = firstNotBefore(0, this.#queue.length, one => this.#queue[one]!.entry.time < time);
    this.#queue.splice(at, 0, suspect);
  }

  /** The newest one: whatever leads to it has been looked at, as far as times tell. */
  take(): Suspect | undefined {
    const next = this.#queue.pop();
    if (next) this.#open.delete(keyOf(next));
    return next;
  }

  /** Numbers that came to the same line as another one, the last ones first. */
  merged(): ReadonlyArray<readonly [key: number, same: number]> {
    return [...this.#merged].reverse();
  }

  #union(a: SuspectLines, b: SuspectLines): SuspectLines {
    const [here, keys]: [number[], number[]] = [[], []];
    let [i, j] = [0, 0];
    while (i < a.here.length || j < b.here.length) {
      const [left, right] = [a.here[i] ?? END, b.here[j] ?? END];
      here.push(Math.min(left, right));
      keys.push(left <= right ? a.keys[i]! : b.keys[j]!);
      if (left === right) this.#merged.push([b.keys[j]!, a.keys[i]!]);
      if (left <= right) i++;
      if (right <= left) j++;
    }
    return { here: Int32Array.from(here), keys: Int32Array.from(keys) };
  }
}

const END = Number.POSITIVE_INFINITY;

function keyOf({ entry, path, isTold = false }: Suspect): string {
  return `${entry.commit}\0${path}\0${isTold}`;
}

/** The lines that the change left as they were, with their old numbers, and the others with their new ones. */
export function splitLines(
  { here, keys }: SuspectLines,
  changes: readonly LineChange[],
): { kept: SuspectLines; rest: SuspectLines } {
  if (changes.length === 0) return { kept: { here, keys }, rest: NO_LINES };
  const [kept, rest] = [new Collected(here.length), new Collected(here.length)];
  let shift = 0;
  let next = 0;
  for (let at = 0; at < here.length; at++) {
    const line = here[at]!;
    while (next < changes.length && changes[next]!.newEnd < line) {
      const { oldStart, oldEnd, newStart, newEnd } = changes[next++]!;
      shift += oldEnd - oldStart - (newEnd - newStart);
    }
    const change = changes[next];
    const isKept = !change || line <= change.newStart;
    if (isKept) kept.push(line + shift, keys[at]!);
    else rest.push(line, keys[at]!);
  }
  return { kept: kept.lines(), rest: rest.lines() };
}

const NO_LINES: SuspectLines = { here: new Int32Array(0), keys: new Int32Array(0) };

class Collected {
  readonly #here: Int32Array;
  readonly #keys: Int32Array;
  #count = 0;

  constructor(most: number) {
    this.#here = new Int32Array(most);
    this.#keys = new Int32Array(most);
  }

  push(here: number, key: number): void {
    this.#here[this.#count] = here;
    this.#keys[this.#count++] = key;
  }

  lines(): SuspectLines {
    return { here: this.#here.subarray(0, this.#count), keys: this.#keys.subarray(0, this.#count) };
  }
}
