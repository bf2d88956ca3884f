/** The commits of a landing, made before anything is locked: by git, or where there is none by the engine. */

import { EditError } from '../../errors.ts';
import type { Identity } from '../../git/objects/commit.ts';
import type { RunGit } from '../../git/run-git.ts';
import { appendCommit } from '../../trail/append.ts';
import type { Context } from '../context.ts';
import { committer } from '../identity.ts';
import { commitWithGit, type GitOptions, type MadeCommits } from './git/commit.ts';
import type { LandPlan } from './plan.ts';

/** Throws GIT_REFUSED, INVALID_INPUT. */
export function makeCommits(
  context: Context,
  plan: LandPlan,
  git: RunGit | null,
  options: GitOptions,
): Promise<MadeCommits> {
  return git ? commitWithGit(context, git, plan, options) : plainCommits(context, plan);
}

async function plainCommits(context: Context, plan: LandPlan): Promise<MadeCommits> {
  const user = userOf(context);
  const objects = [...plan.objects];
  let { commit, tree } = plan.target;
  for (const { changes, message, time } of plan.commits) {
    const appended = await appendCommit(context.objects, {
      parents: commit === null ? [] : [commit],
      tree,
      changes,
      message,
      author: time === null ? user : { ...user, seconds: time },
      committer: user,
    });
    objects.push(...appended.objects);
    [commit, tree] = [appended.oid, appended.tree];
  }
  return { commit: commit!, tree: tree!, objects, changedByHooks: [], hooks: null };
}

function userOf(context: Context): Identity {
  if (context.user) return { ...committer(context), ...context.user };
  throw new EditError(
    'INVALID_INPUT',
    'Whose commit shall it be? Set user.name and user.email (git config), or give the option user.',
    { field: 'user' },
  );
}
