/**
 * Tells where commits stand on the lines of first parents that a search goes down. Commits of one second do not tell by their
 * times which of them is the older; a search that takes the older one first would come to it twice.
 */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { isSync } from '../../operations.ts';
import { beginsTrail, readEntryOrNull, type TrailEntry } from '../walk.ts';

/** Newer commits have a greater time, or the same and a smaller depth. */
export interface LinePosition {
  /** Seconds since 1970; never more than that of a commit above on the line. */
  time: number;
  /** Steps down the line; -1 for a commit that is on none as far as they were read. */
  depth: number;
}

class Line {
  readonly oids: string[] = [];
  /** The next commit to read; `null` at the end. */
  next: string | null;
  time: number;
  /** The trail's first commit was read, and the one that it began on: what is below was there before the trail. */
  hasBeginning = false;
  hasBase = false;

  constructor(start: TrailEntry) {
    this.next = start.commit;
    this.time = start.time;
  }
}

export class Ancestry {
  readonly #objects: ObjectDatabase;
  readonly #places = new Map<string, LinePosition & { line: Line }>();
  readonly #syncs = new Map<string, string>();

  constructor(objects: ObjectDatabase) {
    this.#objects = objects;
  }

  placeOf({ commit, time }: TrailEntry): LinePosition {
    return this.#places.get(commit) ?? { time, depth: -1 };
  }

  /**
   * True when `target` is in the history of `from` by first parents alone, or was there before the trail began. Reads
   * no further down than the time of the target.
   */
  async isBelow(from: TrailEntry, target: TrailEntry): Promise<boolean> {
    const line = await this.#lineOf(from);
    while (!this.#places.has(target.commit) && !line.hasBase && line.next && line.time >= target.time)
      await this.#extend(line);
    const known = this.#places.get(target.commit);
    if (known || this.#syncs.has(target.commit)) return known?.line === line;
    return line.hasBase && target.time <= line.time;
  }

  /** The ids of the commits between the two, newest first, where isBelow has found the second one. */
  between(from: TrailEntry, target: TrailEntry): readonly string[] {
    const [above, below] = [this.#places.get(from.commit), this.#places.get(target.commit)];
    if (!above) return [];
    return above.line.oids.slice(above.depth + 1, below?.line === above.line ? below.depth : undefined);
  }

  /** The commit of a line that joined this one to the trail, as far as the lines were read. */
  syncOf(commit: string): string | null {
    return this.#syncs.get(commit) ?? null;
  }

  async #lineOf(from: TrailEntry): Promise<Line> {
    const known = this.#places.get(from.commit)?.line;
    if (known) return known;
    const line = new Line(from);
    await this.#extend(line);
    return line;
  }

  async #extend(line: Line): Promise<void> {
    const entry = line.next === null ? null : await readEntryOrNull(this.#objects, line.next);
    line.next = entry?.parents[0] ?? null;
    if (!entry) return;
    line.time = Math.min(line.time, entry.time);
    if (!this.#places.has(entry.commit))
      this.#places.set(entry.commit, { line, time: line.time, depth: line.oids.length });
    line.oids.push(entry.commit);
    const [, joined] = entry.parents;
    if (isSync(entry.meta?.op) && joined && !this.#syncs.has(joined)) this.#syncs.set(joined, entry.commit);
    line.hasBase = line.hasBeginning;
    line.hasBeginning ||= beginsTrail(entry);
  }
}
