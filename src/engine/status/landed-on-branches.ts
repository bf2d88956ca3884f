/**
 * Finds the commits of a trail that a commit of a branch says to hold (Vedit-Lands). It counts where no text can tell:
 * where the trail is the checked-out branch, and edits land on another one; and for a trail whose files are not here.
 */

import { listRefs } from '../../git/refs/ref-list.ts';
import { AncestorWalk } from '../../git/rev-list.ts';
import { LandedRows } from '../../history/landing/lands.ts';
import { readEntryOrNull, walkRows } from '../../history/walk.ts';
import type { Context } from '../context.ts';
import type { Snapshot } from '../files/snapshot.ts';

/** Where there are more branches than these, none is looked at. */
const BRANCHES = 100;

/**
 * Answers of a commit of the trail the one that says to hold it, or `null`; reads the trail as far as to the commit.
 */
export function landedOnBranches(snapshot: Snapshot): (commit: string) => Promise<string | null> {
  const known = new Map<string, string | null>();
  let walk: AsyncGenerator<void> | null = null;
  return async commit => {
    walk ??= read(snapshot, known);
    while (!known.has(commit)) if ((await walk.next()).done) return null;
    return known.get(commit) ?? null;
  };
}

async function* read({ context, trail }: Snapshot, known: Map<string, string | null>): AsyncGenerator<void> {
  const { objects } = context;
  const { checkedOut } = trail;
  // The HEAD that another clone's trail stands on is the one over there.
  const bySayingSo = checkedOut || trail.mirror === true;
  const head = trail.head === null ? [] : [trail.head];
  const named = new LandedRows();
  const from = bySayingSo ? await otherBranches(context, trail.ref) : head;
  const branches = new AncestorWalk(objects, from, { lenient: true });
  for await (const rows of walkRows(objects, trail.tip, { ownOnly: !checkedOut })) {
    for (const row of rows) {
      // A commit that lands an edit is younger than the edit.
      while (!named.covers(row) && !branches.isOver(row.time)) {
        const next = await branches.next(row.time);
        const entry = next && (await readEntryOrNull(objects, next.oid).catch(() => null));
        if (entry?.lands) named.add(entry.lands, entry.commit);
      }
      const isThere = !bySayingSo && branches.has(row.commit);
      known.set(row.commit, named.note(row) ?? (isThere ? row.commit : null));
    }
    yield;
  }
}

/** A branch that is damaged is no reason not to read the trail. */
async function otherBranches({ repo }: Context, own: string): Promise<string[]> {
  const heads = await listRefs(repo, 'refs/heads/').catch(() => []);
  const others = heads.filter(({ name }) => name !== own).map(({ oid }) => oid);
  return others.length > BRANCHES ? [] : others;
}
