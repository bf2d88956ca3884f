/** Deleting trails of work trees that are gone, and whose edits are on a branch. Their commits stay until a git gc forgets them. */

import type { Context } from '../engine/context.ts';
import { oldTrails } from '../engine/trails/old-trails.ts';
import { beginIfNone, cutRecord } from '../engine/transaction/journal/journal-end.ts';
import type { ChangeRecord } from '../engine/transaction/journal/record.ts';
import { lockContent } from '../engine/transaction/locks.ts';
import type { LockLease } from '../engine/transaction/writer.ts';
import { createFile, removeIfThere } from '../fs/durable.ts';
import { lstatOf } from '../fs/fs.ts';
import { LockLost } from '../fs/lock/engine-lock.ts';
import { releaseGitLocks, takeGitLocks } from '../git/git-locks.ts';
import { deleteRef, locksToDelete, readHead, removeEmptyFolders } from '../git/refs/refs.ts';
import { worktreeHeads } from '../git/repository/worktrees.ts';
import { trailHome } from '../history/head.ts';
import { INDEX_FILE } from '../history/trail-index.ts';

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
  for (const { left, ...trail } of await oldTrails(context, wish.before)) {
    if (inUse.has(trail.ref)) plan.keep.push({ ...trail, why: 'its work tree is there' });
    else if (left === 0 || wish.unlanded) plan.prune.push(trail);
    else plan.keep.push({ ...trail, why: `${left} of its edits have not landed` });
  }
  return plan;
}

/** Returns the trails of all work trees, and the one that this workspace works on: their next edit may come at any moment. */
async function trailsInUse({ repo, trailName }: Context): Promise<ReadonlySet<string>> {
  const own = trailHome(repo, await readHead(repo), trailName);
  const folders = (await worktreeHeads(repo)).map(({ ref, gitDir }) => {
    const worktree = gitDir === repo.commonDir ? null : gitDir.slice(gitDir.lastIndexOf('/') + 1);
    return trailHome({ ...repo, worktree }, { ref, oid: null });
  });
  return new Set([own, ...folders].map(({ ref }) => ref));
}

/** Deletes a trail, if it still is what it was. With the engine's lock held. */
export async function deleteTrail(
  context: Context,
  { ref, head }: Pick<PrunedTrail, 'ref' | 'head'>,
  turn: LockLease,
): Promise<boolean> {
  const { folder, fs, repo } = context;
  const held = await holdLocks(context, { ref, oid: head }, turn);
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

interface HeldLocks {
  /** The file of which the locks are hard links. */
  staged: string;
  paths: string[];
}

/** Takes git's locks for the deletion of a ref. The record that says whose they are comes first, as that of a change does. */
async function holdLocks(
  context: Context,
  { ref, oid }: { ref: string; oid: string },
  turn: LockLease,
): Promise<HeldLocks> {
  const { fs, folder, repo, prefix } = context;
  const name = turn.name();
  const staged = `${folder}/tmp/${name}-lock`;
  await createFile(fs, staged, lockContent(oid), { sync: false });
  const { ino } = await lstatOf(fs, staged);
  const { worktree, commonDir } = repo;
  const nothing = { refBefore: null, refStaged: null, store: null, paths: [], index: null, landing: null };
  const own = { name, worktree, prefix, ref, old: oid, new: oid, lockInode: String(ino) };
  try {
    await appendDurably(context, turn, { ...own, ...nothing, exact: [] });
    const locks = locksToDelete(repo, ref, staged);
    await takeGitLocks(locks, { fs, commonDir, patience: context.patience.git });
    return { staged, paths: locks.map(lock => lock.path) };
  } catch (error) {
    await removeIfThere(fs, staged);
    throw error;
  }
}

async function appendDurably(context: Context, turn: LockLease, record: ChangeRecord): Promise<void> {
  const { journal } = turn.writer;
  if (journal.number === null) await beginIfNone(context, turn);
  if (!(await turn.lock.isMine())) throw new LockLost();
  let isAppended = false;
  try {
    await journal.append({ data: record, objects: [] });
    isAppended = true;
    await journal.sync();
  } catch (error) {
    await cutRecord(context, turn, isAppended);
    throw error;
  }
}

/** Gives back the locks that are still held. */
async function letGo({ fs }: Context, held: HeldLocks): Promise<void> {
  await releaseGitLocks(fs, held.paths.splice(0));
  await removeIfThere(fs, held.staged);
}
