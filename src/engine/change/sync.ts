/**
 * When HEAD moved since a trail beside the branch last looked (a commit, a reset, a rebase), one commit with both
 * parents brings the trail up to it: HEAD's tree, with what the agents did and the person has not committed.
 */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import { type Appended, appendCommit } from '../../trail/append.ts';
import { isInStep, type TrailHead } from '../../trail/head.ts';
import { formatMessage } from '../../trail/message.ts';
import { readEntryOrNull, treeOf, walkRows } from '../../trail/walk.ts';
import type { Context } from '../context.ts';
import { Snapshot } from '../files/snapshot.ts';
import { committer } from '../identity.ts';
import { originMeta } from '../origins/origins.ts';

/** The trail after the sync, and the commit that brings it there; the same trail and `null` when none is needed. */
export async function syncTrail(
  context: Context,
  trail: TrailHead,
): Promise<{ trail: TrailHead; commit: Appended | null }> {
  const { tip, head } = trail;
  if (isInStep(trail) || tip === null || head === null || (await hasLanded(context, trail)))
    return { trail, commit: null };
  const tree = await treeOf(context.objects, head);
  const before = trail.seen ? await treeOf(context.objects, trail.seen) : null;
  const { changes, blobs } = await (await import('./retained-edits.ts')).findRetainedEdits(context, {
    before,
    ours: trail.tree,
    theirs: tree,
  });
  // What a command of an agent committed counts as accepted by nobody.
  const { callsThatCommitted } = await import('../origins/head-moves.ts');
  const calls = await callsThatCommitted(context, head);
  const committed = calls.length > 0 ? await diffTrees(context.objects, before, tree) : [];
  const message = formatMessage(`your commit ${head.slice(0, 12)}`, undefined, {
    op: 'head',
    paths: committed.flatMap(({ path, utf8 }) => (utf8 ? path : [])),
    ...(calls.length > 0 && originMeta({ by: 'during', calls })),
    head,
    branch: trail.branch ?? undefined,
    committer: context.identity.committer?.email,
  });
  const who = committer(context);
  const commit = await appendCommit(context.objects, {
    parents: [tip, head],
    tree,
    changes,
    message,
    author: who,
    committer: who,
  });
  const objects = [...blobs, ...commit.objects];
  return {
    trail: { ...trail, parent: commit.oid, tree: commit.tree, seen: head },
    commit: { ...commit, objects },
  };
}

/**
 * Returns the snapshot that readers look at: the files, and the trail as it is when HEAD that moved counts as joined
 * already.
 */
export async function syncedSnapshot(context: Context, trail: TrailHead): Promise<Snapshot> {
  return new Snapshot(context, (await syncTrail(context, trail)).trail, { shown: trail });
}

/** By database, a HEAD that stands on one of the trail's own commits, and a newer commit of that trail. */
const landed = new WeakMap<ObjectDatabase, { head: string; tip: string }>();

/** True when HEAD stands on one of the trail's own commits: then the trail holds all that HEAD does. */
async function hasLanded({ objects }: Context, { tip, head, seen }: TrailHead): Promise<boolean> {
  // A commit of a person ends the question, however long the trail is.
  if ((await readEntryOrNull(objects, head!))?.meta == null) return false;
  const known = landed.get(objects);
  for await (const rows of walkRows(objects, tip, { ownOnly: true })) {
    for (const row of rows) {
      const isHead = row.commit === head;
      if (!isHead && row.head !== seen) return false;
      if (!isHead && !(known?.head === head && known.tip === row.commit)) continue;
      landed.set(objects, { head: head!, tip: tip! });
      return true;
    }
  }
  return false;
}
