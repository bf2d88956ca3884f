/** Landing: what agents did becomes a commit, or one each, of the user's own on a branch. Files are not touched. */

import * as z from 'zod';
import { EditError } from '../../errors.ts';
import type { Identity } from '../../git/objects/commit.ts';
import { preflight } from '../../git/repository/preflight.ts';
import type { RunGit } from '../../git/run-git.ts';
import { appendCommit } from '../../trail/append.ts';
import type { Answer } from '../answer.ts';
import { type CheckOptions, functionOf, optionsCheck } from '../calls/call-options.ts';
import { Cancellation } from '../calls/cancel.ts';
import type { Context } from '../context.ts';
import { committer } from '../identity.ts';
import { asWriter } from '../transaction/writer.ts';
import { type LandData, type LandedCommit, landAnswer, landDiffs, type Made } from './answer.ts';
import { type CommitMade, commitWithGit, type GitOptions, type MadeCommits } from './git/commit.ts';
import { canUseGit, placeOf } from './git/use-git.ts';
import { type LandPlan, type LandRequest, planLanding } from './plan.ts';
import { publishLanding } from './publish.ts';
import { landNames } from './selection.ts';

export interface LandOptions extends LandRequest {
  /** An agent lands: with outside changes it claims none of those that nobody claims. */
  asAgent?: boolean | undefined;
  /** Answer what would land; write nothing. */
  dryRun?: boolean | undefined;
  /** The real git, for hooks and signing; without it they are left out, and the answer says so. */
  git?: RunGit | undefined;
  /** Run the hooks that could refuse, pre-commit and commit-msg; default: true. */
  verify?: boolean | undefined;
  /** Told of each commit that git has made, where it makes them one by one. */
  onCommit?: CommitMade | undefined;
  /** Told what git and the hooks of the repository print while they commit, as it comes. */
  onOutput?: ((text: string) => void) | undefined;
}

export const checkLand: CheckOptions<LandOptions> = optionsCheck(
  {
    session: z.string().optional(),
    agent: z.string().optional(),
    turn: z.string().optional(),
    paths: z.array(z.string()).optional(),
    commits: z.array(z.string()).optional(),
    onto: z.string().optional(),
    each: z.boolean().optional(),
    outside: z.boolean().optional(),
    overridden: z.boolean().optional(),
    accepted: z.boolean().optional(),
    hunks: z.array(z.string()).optional(),
    message: z.string().optional(),
    coAuthors: z.array(z.string()).optional(),
    asAgent: z.boolean().optional(),
    dryRun: z.boolean().optional(),
    git: functionOf<RunGit>().optional(),
    verify: z.boolean().optional(),
    onCommit: functionOf<CommitMade>().optional(),
    onOutput: functionOf<(text: string) => void>().optional(),
  },
  { message: 'Refuse expired tokens' },
);

export type { LandData, LandedCommit };

const TRIES = 3;

/** Throws NO_CHANGE, CONFLICT, GIT_REFUSED, INVALID_INPUT, LOCKED; nothing is changed then. */
export async function land(
  context: Context,
  options: LandOptions = {},
  cancel: Cancellation = new Cancellation(),
): Promise<Answer<LandData>> {
  await preflight(context.repo);
  const named = options.commits ? await landNames(context, options.commits) : null;
  if (options.dryRun) {
    const plan = await planLanding(context, options, named);
    return landAnswer(context, plan, await landDiffs(context, plan), null);
  }
  // What a killed process left is repaired before anything is planned on it.
  await asWriter(context, async () => {});
  for (let tries = 1; tries <= TRIES; tries++) {
    const plan = await planLanding(context, options, named);
    const fileDiffs = await landDiffs(context, plan);
    cancel.begin();
    const made = await landPlanned(context, plan, options);
    if (made) return landAnswer(context, plan, fileDiffs, made);
    cancel.resume();
  }
  throw new EditError(
    'LOCKED',
    `Nothing was committed: the branch, the index or a file that lands changed each of ${TRIES} times, while the hooks ran or the commit was signed. Land again when it is quiet.`,
  );
}

/** Commits without the lock, which only the move of the branch takes. `null` where something of the plan moved meanwhile. */
async function landPlanned(context: Context, plan: LandPlan, options: LandOptions): Promise<Made | null> {
  const { git } = options;
  const usable = git && (await canUseGit(context, git, plan.target)) ? git : null;
  const made = await makeCommits(context, plan, usable, options);
  const landed = await asWriter(context, turn => publishLanding(context, plan, made, turn));
  if (!landed.done) return null;
  const { commit: newest, changedByHooks, hooks } = made;
  // It is made, whatever the hook says; and git packs what is loose, as after its own commit.
  await hooks?.run('post-commit').catch(() => {});
  if (usable) await usable({ args: ['gc', '--auto', '--quiet'], cwd: placeOf(context) });
  return { newest, changedByHooks, withHooks: hooks !== null, warnings: landed.warnings };
}

/** Throws GIT_REFUSED, INVALID_INPUT. */
function makeCommits(
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
