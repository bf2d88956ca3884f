/** The record of a change: all that recovery needs to do it again, and how what it is about looked on the disk. */

import type { Stat } from '../../../fs/fs.ts';
import { refPath } from '../../../git/refs/refs.ts';
import { worktreeMade } from '../../../git/repository/worktrees.ts';
import { evidenceOf } from '../../../stores/disk/staged-file.ts';
import type { Context } from '../../context.ts';
import type { Transaction } from '../transaction.ts';
import type { ChangeRecord } from './record.ts';

/** The staged files of a change, at the time when its record is made. */
export interface StagedParts {
  /** Begins the names of all that is staged. */
  name: string;
  /** The absolute path that begins all staged files: tmp/ and the name. */
  temp: string;
  /** The ref's file as it was seen before anything was staged; `null` where it has none. */
  ref: Stat | null;
  /** The file that git's locks will be links of. */
  lock: string;
  /** The store's own record of the change. */
  store: unknown;
}

export async function makeRecord(
  { fs, repo, prefix, index: file }: Context,
  { trail, commit, paths, index, exact, landing = null }: Transaction,
  { name, temp, ref, lock, store }: StagedParts,
): Promise<ChangeRecord> {
  const look = async (path: string): Promise<Stat | null> => fs.lstat(path);
  const isLoose = ref?.type === 'file' || trail.oid === null;
  const held = lock === refPath(repo, trail.ref) ? ref : await look(lock);
  return {
    name,
    worktree: repo.worktree,
    ...(repo.worktree === null ? {} : { worktreeMade: (await worktreeMade(repo)) ?? '0 0' }),
    prefix,
    ref: trail.ref,
    old: trail.oid,
    new: commit,
    refBefore: evidenceOf(isLoose ? ref : await look(`${repo.commonDir}/packed-refs`)),
    refStaged: commit === null ? null : evidenceOf(await look(`${temp}-ref`)),
    lockInode: String(held?.ino ?? 0),
    store,
    paths: [...paths],
    index: index && {
      entries: index,
      was: evidenceOf(await look(file.path)),
      staged: evidenceOf(await look(`${temp}-index`))!,
    },
    landing,
    exact: exact.map(({ oid }) => oid),
  };
}
