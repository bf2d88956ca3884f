/** The commits of a landing that git's own `commit` does not make: for a branch elsewhere, or where there is no git. */

import { EditError } from '../../errors.ts';
import { formatIdentity, type Identity } from '../../git/objects/commit.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import type { RunGit } from '../../git/run-git.ts';
import { appendCommit } from '../../trail/append.ts';
import type { Context } from '../context.ts';
import { committer } from '../identity.ts';
import { type CommitMade, commitTreeWithGit } from './git/git.ts';
import type { LandPlan } from './plan.ts';
import { type Landing, storeObjects } from './publish.ts';

/** What is to be published: objects that are not written yet, and where the branch shall go. */
export async function readyCommits(
  context: Context,
  plan: LandPlan,
  git: RunGit | null,
  onCommit: CommitMade,
): Promise<Pick<Landing, 'objects' | 'move'> & { move: NonNullable<Landing['move']> }> {
  const made = git ? await signed(context, plan, git, onCommit) : await plain(context, plan);
  const { seconds, offsetMinutes } = committer(context);
  const who = { ...(context.user ?? committer(context)), seconds, offsetMinutes };
  const move = { commit: made.commit, committer: formatIdentity(who), summary: 'vedit: land' };
  return { objects: made.objects, move };
}

interface Commits {
  objects: EncodedObject[];
  commit: string;
}

/** Commits by git, which knows who the user is and whether they sign. */
async function signed(context: Context, plan: LandPlan, git: RunGit, onCommit: CommitMade): Promise<Commits> {
  await storeObjects(context, plan.objects);
  let { commit, tree } = plan.target;
  for (const [index, one] of plan.commits.entries()) {
    ({ commit, tree } = await commitTreeWithGit(context, git, { commit, tree }, one));
    onCommit(index + 1, plan.commits.length);
  }
  return { objects: [], commit: commit! };
}

async function plain(context: Context, plan: LandPlan): Promise<Commits> {
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
  return { objects, commit: commit! };
}

function userOf(context: Context): Identity {
  if (context.user) return { ...committer(context), ...context.user };
  throw new EditError(
    'INVALID_INPUT',
    'Whose commit shall it be? Set user.name and user.email (git config), or give the option user.',
    { field: 'user' },
  );
}
