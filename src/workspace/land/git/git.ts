/**
 * Commits made by the real git, so that the user's hooks run and their signature is on them. They are made from an index of
 * their own, as `git commit --only` does it: what the user staged takes no part.
 */

import { type ParsedCommit, parseCommit } from '../../../git/objects/commit.ts';
import { writePath } from '../../../git/objects/tree.ts';
import { readHead } from '../../../git/refs/refs.ts';
import { quietGit, type RunGit } from '../../../git/run-git.ts';
import { parseLands } from '../../../trail/landing/lands-trailer.ts';
import type { Context } from '../../context.ts';
import type { PathContents } from '../contents.ts';
import type { LandCommit } from '../plan-commits.ts';
import { BranchMoved, storeObjects } from '../publish.ts';
import type { LandTarget } from '../target.ts';
import { CONFIG, type CommittingGit, NO_GIT } from './committing-git.ts';
import { placeOf, refusedByGit } from './use-git.ts';

/** Which of how many commits was made: counted from 1. */
export type CommitMade = (count: number, of: number) => void;

/** On the checked-out branch: `git commit`, once for each. All are made, or none. Answers the newest one's id. */
export async function commitWithGit(
  committing: CommittingGit,
  target: LandTarget,
  commits: readonly LandCommit[],
  onCommit: CommitMade,
): Promise<string> {
  const { context, git } = committing;
  let head = target.commit;
  let tree = target.tree;
  for (const [index, commit] of commits.entries()) {
    const stored = await storeTree(context, tree, commit.changes);
    const result = await committing.commit(stored, commit.message, dateOf(commit.time));
    const now = (await readHead(context.repo)).oid;
    const found = now === null || now === head ? null : await readCommit(context, now);
    const parent = found?.parents[0] ?? null;
    if (!found || !(result.code === 0 || isOurs(found, commit))) {
      if (head !== target.commit && now === head) await moveBack(context, git, target, head, target.commit);
      throw found ? new BranchMoved() : refusedByGit(result);
    }
    if (parent !== head) {
      await moveBack(context, git, target, now, parent);
      throw new BranchMoved();
    }
    [head, tree] = [now, found.tree];
    onCommit(index + 1, commits.length);
  }
  return head!;
}

async function readCommit(context: Context, oid: string): Promise<ParsedCommit> {
  return parseCommit((await context.objects.read(oid, 'commit')).content);
}

/** Git may complain of something after it has made the commit. */
function isOurs({ message }: ParsedCommit, { lands }: LandCommit): boolean {
  return parseLands(message).some(({ last }) => last === lands[0]?.last);
}

/** The tree with these changes, its objects written. */
async function storeTree(context: Context, tree: string | null, changes: PathContents): Promise<string> {
  const written = await writePath(context.objects, tree, changes);
  for (const object of written.objects) context.objects.remember(object);
  await storeObjects(context, written.objects);
  return written.tree;
}

function dateOf(time: number | null): Record<string, string> {
  return time === null ? {} : { GIT_AUTHOR_DATE: `@${time} +0000` };
}

/** Only if the branch still is where our own commit put it. */
async function moveBack(
  context: Context,
  git: RunGit,
  { ref }: LandTarget,
  from: string | null,
  to: string | null,
): Promise<void> {
  const move = to === null ? ['-d', ref, from ?? ''] : [ref, to, from ?? ''];
  const args = ['update-ref', '-m', 'vedit: landing taken back', ...move];
  const result = await git({ args, cwd: placeOf(context) });
  if (result && result.code !== 0) throw refusedByGit(result);
}

/** For a branch that is not checked out: a commit that nothing points to yet, signed if the user signs. */
export async function commitTreeWithGit(
  context: Context,
  git: RunGit,
  parent: Pick<LandTarget, 'commit' | 'tree'>,
  { changes, message, time }: LandCommit,
): Promise<{ commit: string; tree: string }> {
  const cwd = placeOf(context);
  const signs = await quietGit(git)({ args: ['config', '--type=bool', '--get', 'commit.gpgSign'], cwd });
  const sign = signs?.stdout.trim() === 'true' ? ['-S'] : [];
  const options = [...sign, ...(parent.commit === null ? [] : ['-p', parent.commit])];
  const stored = await storeTree(context, parent.tree, changes);
  const args = [...CONFIG, 'commit-tree', ...options, stored];
  const result = (await git({ args, cwd, input: message, env: dateOf(time) })) ?? NO_GIT;
  if (result.code !== 0) throw refusedByGit(result);
  return { commit: result.stdout.trim(), tree: stored };
}
