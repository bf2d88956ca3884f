/**
 * When HEAD moved since a trail beside the branch last looked (a commit, a reset, a rebase), one commit with both
 * parents brings the trail up to it: HEAD's tree, with what the agents did and the person has not committed.
 */

import { parseCommit } from '../../git/objects/commit.ts';
import { lookup } from '../../git/objects/tree.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import type { TreeRef } from '../../git/objects/tree-entries.ts';
import { type Appended, appendCommit } from '../../trail/append.ts';
import type { TrailHead } from '../../trail/head.ts';
import { formatMessage } from '../../trail/message.ts';
import { type Recorded, sameRecorded } from '../../trail/steps.ts';
import { walkTrail } from '../../trail/walk.ts';
import { type Context, fromTrail } from '../context.ts';
import { Conversion } from '../conversion.ts';
import { committer } from '../identity.ts';

/** The trail after the sync, and the commit that brings it there; the same trail and `null` when none is needed. */
export async function syncTrail(
  context: Context,
  trail: TrailHead,
): Promise<{ trail: TrailHead; commit: Appended | null }> {
  if (trail.checkedOut || !trail.oid || !trail.head || trail.head === trail.seen)
    return { trail, commit: null };
  if (await hasLanded(context, trail)) return { trail, commit: null };
  const tree = await treeOf(context, trail.head);
  const changes = await keptEdits(context, trail, tree);
  const message = formatMessage(`sync with ${trail.head.slice(0, 12)}`, undefined, {
    op: 'sync',
    paths: [],
    head: trail.head,
  });
  const who = committer(context);
  const commit = await appendCommit(context.objects, {
    parents: [trail.oid, trail.head],
    tree,
    changes,
    message,
    author: who,
    committer: who,
  });
  return { trail: { ...trail, parent: commit.oid, tree: commit.tree, seen: trail.head }, commit };
}

/** True when HEAD stands on one of the trail's own commits: then the trail holds all that HEAD does. */
async function hasLanded(context: Context, trail: TrailHead): Promise<boolean> {
  for await (const entry of walkTrail(context.objects, trail.oid, { ownOnly: true })) {
    if (entry.commit === trail.head) return true;
    if (entry.meta?.head !== trail.seen) return false;
  }
  return false;
}

/** The agents' changes since the trail last saw HEAD that are still in the files, or that HEAD knows nothing of. */
async function keptEdits(
  context: Context,
  trail: TrailHead,
  tree: string,
): Promise<Map<string, TreeRef | null>> {
  const kept = new Map<string, TreeRef | null>();
  const conversion = new Conversion(context);
  const before = trail.seen ? await treeOf(context, trail.seen) : null;
  for (const { path, before: old, after: ours } of await diffTrees(context.objects, before, trail.tree)) {
    const theirs = await lookup(context.objects, tree, path);
    if (sameRecorded(ours, theirs)) continue;
    const holds = await presentAt(context, conversion, path);
    const onDisk = (await holds(theirs)) ? 'theirs' : 'ours';
    const unknown = !((await holds(ours)) || (await holds(theirs)));
    const choice = unknown ? (sameRecorded(old, theirs) ? 'ours' : 'theirs') : onDisk;
    if (choice === 'ours') kept.set(path, ours);
  }
  return kept;
}

/** Tells whether a recorded path is on disk as recorded; never where the workspace cannot or may not look. */
async function presentAt(
  context: Context,
  conversion: Conversion,
  path: string,
): Promise<(recorded: Recorded) => Promise<boolean>> {
  const own = fromTrail(context, path);
  if (own === null || !context.store.separate) return async () => false;
  try {
    const file = await context.store.read(own);
    return recorded => conversion.isRecorded(own, file, recorded);
  } catch {
    return async () => false;
  }
}

async function treeOf(context: Context, commit: string): Promise<string> {
  return parseCommit((await context.objects.read(commit)).content).tree;
}
