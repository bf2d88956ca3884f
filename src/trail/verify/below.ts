/** The commits of a trail that are below the one that is being checked. */

import { EditError } from '../../errors.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { type TrailEntry, walkTrail } from '../walk.ts';

export interface BelowOptions {
  /** The commit that was checked before: what is below it is read when it is asked for. */
  since: TrailEntry | null;
  ownOnly: boolean;
}

export class Below {
  readonly #entries = new Map<string, TrailEntry>();
  readonly #older: AsyncGenerator<TrailEntry> | null;

  constructor(objects: ObjectDatabase, { since, ownOnly }: BelowOptions) {
    if (since) this.add(since);
    this.#older = since && walkTrail(objects, since.parents[0] ?? null, { ownOnly });
  }

  add(entry: TrailEntry): void {
    this.#entries.set(entry.commit, entry);
  }

  /** The commit, if it is one of those that were checked or read so far. */
  get(oid: string): TrailEntry | undefined {
    return this.#entries.get(oid);
  }

  async has(oid: string): Promise<boolean> {
    while (!this.#entries.has(oid)) if (!(await this.#readOlder())) return false;
    return true;
  }

  async hasPrefix(prefix: string): Promise<boolean> {
    if ([...this.#entries.keys()].some(oid => oid.startsWith(prefix))) return true;
    for (let next = await this.#readOlder(); next; next = await this.#readOlder())
      if (next.commit.startsWith(prefix)) return true;
    return false;
  }

  /**
   * Reads the next older entry. One that was checked before and cannot be read now is not there for those who look
   * below it.
   */
  async #readOlder(): Promise<TrailEntry | null> {
    try {
      const next = await this.#older?.next();
      if (!next || next.done) return null;
      this.add(next.value);
      return next.value;
    } catch (error) {
      if (error instanceof EditError) return null;
      throw error;
    }
  }
}
