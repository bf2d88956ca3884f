/** Landing: what agents did becomes a commit, or one each, of the user's own on a branch. Files are not touched. */

import * as z from 'zod';
import { EditError } from '../../errors.ts';
import { preflight } from '../../git/repository/preflight.ts';
import type { RunGit } from '../../git/run-git.ts';
import type { Answer } from '../answer.ts';
import { type CheckOptions, functionOf, optionsCheck } from '../calls/call-options.ts';
import { Cancellation } from '../calls/cancel.ts';
import type { Context } from '../context.ts';
import type { NamedCommits } from '../revision.ts';
import { asWriter, type Turn } from '../transaction/writer.ts';
import { type LandData, type LandedCommit, landAnswer, landDiffs, type Made } from './answer.ts';
import { readyCommits } from './commits.ts';
import { CommittingGit } from './git/committing-git.ts';
import { type CommitMade, commitWithGit } from './git/git.ts';
import { canUseGit } from './git/use-git.ts';
import { type LandPlan, type LandRequest, planLanding } from './plan.ts';
import { BranchMoved, publishLanding } from './publish.ts';
import { landNames } from './selection.ts';

export interface LandOptions extends LandRequest {
  /** An agent lands: with outside changes it claims none of those that nobody claims. */
  asAgent?: boolean | undefined;
  /** Answer what would land; write nothing. */
  dryRun?: boolean | undefined;
  /** The real git, for hooks and signing; without it they are left out, and the answer says so. */
  git?: RunGit | undefined;
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
    message: z.string().optional(),
    coAuthors: z.array(z.string()).optional(),
    asAgent: z.boolean().optional(),
    dryRun: z.boolean().optional(),
    git: functionOf<RunGit>().optional(),
    onCommit: functionOf<CommitMade>().optional(),
    onOutput: functionOf<(text: string) => void>().optional(),
  },
  { message: 'Refuse expired tokens' },
);

export type { LandData, LandedCommit };

const TRIES = 5;

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
  return asWriter(context, turn => landNow(context, options, named, { turn, cancel }));
}

async function landNow(
  context: Context,
  options: LandOptions,
  named: NamedCommits | null,
  { turn, cancel }: { turn: Turn; cancel: Cancellation },
): Promise<Answer<LandData>> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const plan = await planLanding(context, options, named);
    const fileDiffs = await landDiffs(context, plan);
    const { git } = options;
    const usable = git && (await canUseGit(context, git, plan.target)) ? git : null;
    const { onCommit, onOutput } = options;
    cancel.begin();
    const made = await commit(context, plan, { git: usable, onCommit, onOutput }, turn).catch(error => {
      if (error instanceof BranchMoved) return null;
      throw error;
    });
    if (made) return landAnswer(context, plan, fileDiffs, made);
    cancel.resume();
  }
  throw new EditError(
    'LOCKED',
    'The branch moved each time while the edits were landing. Try again when it is quiet.',
  );
}

/** `null` when the branch moved since the planning. */
async function commit(
  context: Context,
  plan: LandPlan,
  { git, onCommit = () => {}, onOutput }: Pick<LandOptions, 'onCommit' | 'onOutput'> & { git: RunGit | null },
  turn: Turn,
): Promise<Made | null> {
  const { target, staged } = plan;
  const withHooks = git !== null && target.checkedOut;
  const ready = withHooks
    ? { objects: plan.objects, move: null }
    : await readyCommits(context, plan, git, onCommit);
  let newest = ready.move?.commit ?? null;
  const landed = await publishLanding(context, { target, staged, ...ready }, turn, async name => {
    const committing = await CommittingGit.open(context, git!, name, onOutput);
    try {
      newest = await commitWithGit(committing, target, plan.commits, onCommit);
    } finally {
      committing.close();
    }
  });
  return landed.done ? { newest: newest!, withHooks, warnings: landed.warnings } : null;
}
