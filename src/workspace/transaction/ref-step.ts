/** The ref of a change: whether it still is what the change was planned on, and the rename that moves it. */

import { appendReflog, reflogPaths } from '../../git/refs/reflog.ts';
import { readHead, readRef, refPath } from '../../git/refs/refs.ts';
import type { Context } from '../context.ts';
import type { Transaction } from './transaction.ts';

/** HEAD matters only where it is part of the trail: a trail beside the branch does not care about a checkout. */
export async function refIsOld({ repo }: Context, trail: Transaction['trail']): Promise<boolean> {
  if (!trail.checkedOut) return (await readRef(repo, trail.ref)) === trail.oid;
  const head = await readHead(repo);
  return (head.ref ?? 'HEAD') === trail.ref && head.oid === trail.oid;
}

/**
 * THE MOMENT OF THE EDIT: the file `staged` becomes the ref. An error of the rename leaves open whether it happened: the ref
 * itself tells. False where it holds the commit and the rename failed.
 */
export async function moveRef(
  { fs, repo }: Context,
  { trail, commit, committer, summary }: Transaction,
  staged: string,
): Promise<boolean> {
  const paths = await reflogPaths(fs, repo, trail.ref, trail.checkedOut);
  await appendReflog(fs, paths, { old: trail.oid, new: commit!, committer, message: summary });
  try {
    await fs.rename(staged, refPath(repo, trail.ref));
    return true;
  } catch (error) {
    if ((await readRef(repo, trail.ref).catch(() => null)) !== commit) throw error;
    return false;
  }
}
