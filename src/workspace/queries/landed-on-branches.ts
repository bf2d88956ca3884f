/**
 * Finds the commits of a trail that a commit of a branch says to hold (Vedit-Lands). It counts where no text can tell:
 * where the trail is the checked-out branch, and edits land on another one; and for a trail whose files are not here.
 */

import { listRefs } from '../../git/refs/ref-list.ts';
import { Landings } from '../../trail/landing/landings.ts';
import type { TrailEntry } from '../../trail/walk.ts';
import { walkRows } from '../../trail/walk.ts';
import type { Snapshot } from '../files/snapshot.ts';

/** Where there are more branches than these, none is looked at. */
const BRANCHES = 100;

export class LandedOnBranches {
  readonly #snapshot: Snapshot;
  readonly #known = new Map<string, string | null>();
  #walk: AsyncGenerator<void> | null = null;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  /** The commit that says to hold it, or `null`. Reads the trail as far as to this commit. */
  async of({ commit }: TrailEntry): Promise<string | null> {
    this.#walk ??= this.#read();
    while (!this.#known.has(commit)) if ((await this.#walk.next()).done) return null;
    return this.#known.get(commit) ?? null;
  }

  async *#read(): AsyncGenerator<void> {
    const { context, trail } = this.#snapshot;
    const { objects } = context;
    const { checkedOut } = trail;
    // The HEAD that another clone's trail stands on is the one over there.
    const bySayingSo = checkedOut || trail.mirror === true;
    const head = trail.head === null ? [] : [trail.head];
    const landings = new Landings(objects, bySayingSo ? await this.#others() : head, { bySayingSo });
    for await (const rows of walkRows(objects, trail.tip, { ownOnly: !checkedOut, joined: 'shared' })) {
      for (const row of rows) this.#known.set(row.commit, await landings.of(row));
      yield;
    }
  }

  /** A branch that is damaged is no reason not to read the trail. */
  async #others(): Promise<string[]> {
    const { context, trail } = this.#snapshot;
    const heads = await listRefs(context.repo, 'refs/heads/').catch(() => []);
    const others = heads.filter(({ name }) => name !== trail.ref).map(({ oid }) => oid);
    return others.length > BRANCHES ? [] : others;
  }
}
