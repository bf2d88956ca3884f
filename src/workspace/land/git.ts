/**
 * Commits made by the real git, so that the user's hooks run and his signature is on them. They are made from an index of
 * their own, as `git commit --only` does it: what the user staged takes no part.
 */

import { createFile, removeIfThere } from '../../git/durable.ts';
import { type ParsedCommit, parseCommit } from '../../git/objects/commit.ts';
import { writePath } from '../../git/objects/tree.ts';
import { readHead } from '../../git/refs/refs.ts';
import type { GitResult, RunGit } from '../../git/run-git.ts';
import { parseLands } from '../../trail/lands-trailer.ts';
import type { PathContents } from '../../trail/pick.ts';
import type { Context } from '../context.ts';
import { readIndex } from '../transaction/index-step.ts';
import type { LandCommit } from './plan.ts';
import { BranchMoved, storeObjects } from './publish.ts';
import type { LandTarget } from './target.ts';
import { placeOf, refusedByGit } from './use-git.ts';

/** What git writes is made durable, and messages are what they are, whatever the user's config says. */
const CONFIG = ['-c', 'core.fsync=committed', '-c', 'i18n.commitEncoding=UTF-8'];

/** Which of how many commits was made: counted from 1. */
export type CommitMade = (count: number, of: number) => void;

/** On the checked-out branch: `git commit`, once for each. All are made, or none. Answers the newest one's id. */
export async function commitWithGit(
  context: Context,
  git: RunGit,
  target: LandTarget,
  commits: readonly LandCommit[],
  onCommit: CommitMade,
): Promise<string> {
  let head = target.commit;
  let tree = target.tree;
  for (const [index, commit] of commits.entries()) {
    const result = await commitOne(context, git, await storeTree(context, tree, commit.changes), commit);
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

async function commitOne(
  context: Context,
  git: RunGit,
  tree: string,
  { message, time }: LandCommit,
): Promise<GitResult> {
  const path = await ownIndex(context);
  const env = { GIT_INDEX_FILE: path, ...dateOf(time) };
  const cwd = placeOf(context);
  const filled = await git({ args: ['read-tree', '--reset', tree], cwd, env });
  if (filled?.code !== 0) return filled ?? NO_GIT;
  const args = [...CONFIG, 'commit', '-q', '--cleanup=whitespace', '-F', '-'];
  return (await git({ args, cwd, env, input: message })) ?? NO_GIT;
}

const NO_GIT: GitResult = { code: -1, stdout: '', stderr: 'git could not be started' };

/** A copy of the user's index: what it knows of unchanged files spares git to read them all. */
async function ownIndex(context: Context): Promise<string> {
  const path = `${context.folder}/tmp/land-index`;
  const index = await readIndex(context);
  await removeIfThere(context.fs, path);
  if (index) await createFile(context.fs, path, index, { sync: false });
  return path;
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
  const signs = await git({ args: ['config', '--type=bool', '--get', 'commit.gpgSign'], cwd });
  const sign = signs?.stdout.trim() === 'true' ? ['-S'] : [];
  const options = [...sign, ...(parent.commit === null ? [] : ['-p', parent.commit])];
  const stored = await storeTree(context, parent.tree, changes);
  const args = [...CONFIG, 'commit-tree', ...options, stored];
  const result = (await git({ args, cwd, input: message, env: dateOf(time) })) ?? NO_GIT;
  if (result.code !== 0) throw refusedByGit(result);
  return { commit: result.stdout.trim(), tree: stored };
}
