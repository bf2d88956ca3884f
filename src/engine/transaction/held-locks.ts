/** Git's locks for the deletion of a ref. A record says whose they are, as that of a change does. */

import { createFile, removeIfThere } from '../../fs/durable.ts';
import { lstatOf } from '../../fs/fs.ts';
import { LockLost } from '../../fs/lock/engine-lock.ts';
import { releaseGitLocks, takeGitLocks, type WantedLock } from '../../git/git-locks.ts';
import type { Context } from '../context.ts';
import { beginIfNone, cutRecord } from './journal/journal-end.ts';
import type { ChangeRecord } from './journal/record.ts';
import { lockContent } from './locks.ts';
import type { LockLease } from './writer.ts';

export interface HeldLocks {
  /** The file of which the locks are hard links. */
  staged: string;
  paths: string[];
}

/** `wanted` names the locks, as hard links of the file `staged`. The record that says whose they are comes first. */
export async function holdLocks(
  context: Context,
  { ref, oid }: { ref: string; oid: string },
  turn: LockLease,
  wanted: (staged: string) => WantedLock[],
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
    const locks = wanted(staged);
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
export async function letGo({ fs }: Context, held: HeldLocks): Promise<void> {
  await releaseGitLocks(fs, held.paths.splice(0));
  await removeIfThere(fs, held.staged);
}
