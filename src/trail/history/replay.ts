/**
 * The own edits made again on the server's text, one after the other, where the texts as a whole cannot be merged. What
 * does not fit is put aside: it stays in history, and is named. Merging and its check by verify are this one calculation.
 */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { isMerge, isOutside, isSync } from '../../operations.ts';
import { aboutPath } from '../message.ts';
import { fileAtCommit, type Recorded, sameRecorded } from '../steps.ts';
import type { TrailEntry } from '../walk.ts';
import { entriesNotIn } from './entries-not-in.ts';
import { type Blobs, blobsOf, type Made, type Merged, madeAs, mergeStep } from './merge-steps.ts';

export interface Replayed extends Made {
  /** The commits that do not fit, oldest first. */
  aside: string[];
}

export class Replay {
  readonly #objects: ObjectDatabase;
  readonly #theirs: string;
  readonly #entries: readonly TrailEntry[];
  readonly #blobs: Blobs;

  private constructor(objects: ObjectDatabase, theirs: string, entries: readonly TrailEntry[]) {
    this.#objects = objects;
    this.#theirs = theirs;
    this.#entries = entries;
    this.#blobs = blobsOf(objects);
  }

  /** Reads what `ours` has in its history, and `theirs` has not. */
  static async of(objects: ObjectDatabase, ours: string, theirs: string): Promise<Replay> {
    return new Replay(objects, theirs, await entriesNotIn(objects, ours, theirs));
  }

  async at(path: string): Promise<Replayed> {
    let now = await fileAtCommit(this.#objects, this.#theirs, path);
    const aside: string[] = [];
    // What an own merge has put aside already is not brought back by the next one.
    const before = new Set(this.#entries.flatMap(({ meta }) => meta?.setsAside ?? []));
    for (const entry of this.#entries) {
      if (before.has(aboutPath(entry.commit, path))) continue;
      const next = await this.#step(entry, path, now);
      if (next === null) continue;
      if ('conflict' in next) aside.push(entry.commit);
      else now = next.recorded;
    }
    return { ...madeAs(this.#blobs, now), aside };
  }

  /** Makes the step of an entry again; `null` where it did nothing to the path that its parents had not. */
  async #step(entry: TrailEntry, path: string, now: Recorded): Promise<Merged | null> {
    const { parents, commit, meta } = entry;
    const to = await fileAtCommit(this.#objects, commit, path);
    const held = await Promise.all(parents.map(parent => fileAtCommit(this.#objects, parent, path)));
    const isJoin = parents.length > 1 && !isOutside(meta?.op);
    if (isJoin && (isMerge(meta?.op) || isSync(meta?.op))) return null;
    if (isJoin) return held.some(one => sameRecorded(one, to)) ? null : { conflict: [] };
    const from = held[0] ?? null;
    return sameRecorded(from, to) ? null : mergeStep(this.#blobs, now, { path, from, to });
  }
}
