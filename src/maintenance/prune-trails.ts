/** Deleting trails that are old, and whose edits are on a branch. Their commits stay until a git gc forgets them. */

import type { Context } from '../engine/context.ts';
import { holdLocks, letGo } from '../engine/transaction/held-locks.ts';
import type { LockLease } from '../engine/transaction/writer.ts';
import { removeIfThere } from '../fs/durable.ts';
import { deleteRef, locksToDelete, removeEmptyFolders } from '../git/refs/delete-ref.ts';
import { worktreeHeads } from '../git/repository/worktrees.ts';
import { listTrails, type TrailInfo } from '../queries/trails.ts';
import { TRAIL_PREFIX, trailHome } from '../trail/head.ts';
import { INDEX_FILE } from '../trail/trail-index.ts';

export interface PruneCriteria {
  /** Trails whose newest commit is older than this. */
  before: Date;
  /** Deletes trails with edits that are on no branch, too. */
  unlanded: boolean;
}

export interface PrunedTrail {
  ref: string;
  /** The commit that the ref pointed to: `git update-ref <ref> <head>` brings it back while git has the commit. */
  head: string;
  last: string;
}

export interface KeptTrail extends PrunedTrail {
  why: string;
}

export interface PrunePlan {
  prune: PrunedTrail[];
  /** Trails that are old enough to go, and stay all the same, each with why. */
  keep: KeptTrail[];
}

export async function planPrune(context: Context, wish: PruneCriteria): Promise<PrunePlan> {
  const inUse = await trailsInUse(context);
  const plan: PrunePlan = { prune: [], keep: [] };
  for (const trail of await listTrails(context)) {
    const { ref, head, last, checked_out } = trail;
    if (checked_out || !ref.startsWith(TRAIL_PREFIX) || new Date(last) >= wish.before) continue;
    const why = reasonToKeep(trail, inUse, wish);
    if (why === null) plan.prune.push({ ref, head, last });
    else plan.keep.push({ ref, head, last, why });
  }
  return plan;
}

function reasonToKeep(trail: TrailInfo, inUse: ReadonlySet<string>, wish: PruneCriteria): string | null {
  if (trail.current || inUse.has(trail.ref)) return 'its branch is checked out';
  if (trail.left === 0 || wish.unlanded) return null;
  return `${trail.left} of its edits have not landed`;
}

/** Returns the trails of what is checked out in any work tree: their next edit may come at any moment. */
async function trailsInUse({ repo }: Context): Promise<ReadonlySet<string>> {
  const heads = await worktreeHeads(repo);
  return new Set(
    heads.map(({ ref, gitDir }) => {
      const worktree = gitDir === repo.commonDir ? null : gitDir.slice(gitDir.lastIndexOf('/') + 1);
      return trailHome({ ...repo, worktree }, { ref, oid: null }).ref;
    }),
  );
}

/** Deletes a trail, if it still is what it was. With the engine's lock held. */
export async function deleteTrail(
  context: Context,
  { ref, head }: Pick<PrunedTrail, 'ref' | 'head'>,
  turn: LockLease,
): Promise<boolean> {
  const { folder, fs, repo } = context;
  const held = await holdLocks(context, { ref, oid: head }, turn, staged => locksToDelete(repo, ref, staged));
  try {
    const deleted = await deleteRef(repo, ref, head, `${folder}/tmp/${turn.name()}-packed-refs`);
    // What was kept of its commits goes too; of other trails it is made anew.
    if (deleted) await removeIfThere(fs, `${folder}/${INDEX_FILE}`);
    return deleted;
  } finally {
    await letGo(context, held);
    await removeEmptyFolders(repo, ref, ref.split('/', 2).join('/'));
  }
}
