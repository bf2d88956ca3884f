/**
 * Finds the commits of a trail that a commit of a branch says to hold (Vedit-Lands). It counts where no text can tell:
 * where the trail is the checked-out branch, and edits land on another one; and for a trail whose files are not here.
 */

import { listRefs } from '../../git/refs/ref-list.ts';
import { AncestorWalk, revList } from '../../git/rev-list.ts';
import { rowsInTree } from '../../trail/history/file-rows.ts';
import type { FileHistory } from '../../trail/history/versions.ts';
import type { WovenRow } from '../../trail/history/weave.ts';
import { LandedRows } from '../../trail/landing/lands.ts';
import { landsIn, presentLands } from '../../trail/landing/lands-trailer.ts';
import { type TrailEntry, treeOf, walkRows } from '../../trail/walk.ts';
import type { Context } from '../context.ts';
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
    const named = new LandedRows();
    const branches = new AncestorWalk(objects, bySayingSo ? await this.#others() : head, { lenient: true });
    for await (const rows of walkRows(objects, trail.tip, { ownOnly: !checkedOut, joined: 'shared' })) {
      for (const row of rows) {
        // A commit that lands an edit is younger than the edit.
        while (!named.covers(row) && !branches.isOver(row.time)) {
          const next = await branches.next(row.time);
          const object = next && (await objects.readOrNull(next.oid).catch(() => null));
          if (object) named.add(presentLands(landsIn(object.content), objects.presentIds), next!.oid);
        }
        const isThere = !bySayingSo && branches.has(row.commit);
        this.#known.set(row.commit, named.note(row) ?? (isThere ? row.commit : null));
      }
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

/** The most commits to look through for the one that brought an edit into HEAD's history. */
const MOST_CANDIDATES = 500;

/** Goes down from a commit that has it, as long as a commit below it has it too; not to one `without` it. */
export async function firstWith(
  { objects }: Pick<Context, 'objects'>,
  { weave, names }: Pick<FileHistory, 'weave' | 'names'>,
  has: (held: ReadonlySet<WovenRow>) => boolean,
  { newest, without }: { newest: string; without: string | null },
): Promise<string> {
  const between = await revList(objects, newest, without);
  const isIn = async (commit: string): Promise<boolean> =>
    has(weave.place(await rowsInTree(objects, await treeOf(objects, commit), names)).held);
  let now = newest;
  for (let looked = 0; looked < MOST_CANDIDATES; ) {
    const below = ((await objects.commitInfo(now))?.parents ?? []).filter(oid => between.has(oid));
    let next: string | null = null;
    for (const oid of below) {
      looked++;
      if (next === null && (await isIn(oid))) next = oid;
    }
    if (next === null) return now;
    now = next;
  }
  return now;
}
