/** Landing: what agents did becomes a commit, or one each, of the user's own on a branch. Files are not touched. */

import type { Answer } from '../engine/answer.ts';
import { type CheckOptions, optionsCheck } from '../engine/calls/call-options.ts';
import { Cancellation } from '../engine/calls/cancel.ts';
import * as option from '../engine/calls/option.ts';
import { syncTrail } from '../engine/change/sync.ts';
import { type Context, fromTrail } from '../engine/context.ts';
import { Snapshot } from '../engine/files/snapshot.ts';
import { committer } from '../engine/identity.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import { openWork } from '../engine/trails/open-work.ts';
import { checkIdle } from '../engine/transaction/in-progress.ts';
import { publish } from '../engine/transaction/publication.ts';
import { movingRef, type Outcome } from '../engine/transaction/transaction.ts';
import { asWriter, type LockLease } from '../engine/transaction/writer.ts';
import { canUseGit, placeOf } from '../engine/use-git.ts';
import { EditError } from '../errors.ts';
import { formatIdentity, type Identity, parseCommit } from '../git/objects/commit.ts';
import type { EncodedObject } from '../git/objects/object.ts';
import { lookup } from '../git/objects/tree.ts';
import { preflight } from '../git/repository/preflight.ts';
import type { RunGit } from '../git/run-git.ts';
import { appendCommit } from '../history/append.ts';
import { listedSome } from '../text/words.ts';
import { type LandData, type LandedCommit, landAnswer, landDiffs, type Made } from './answer.ts';
import { nameOf } from './contents.ts';
import { type CommitMade, commitWithGit, type MadeCommits } from './git/commit.ts';
import { planStaged } from './index.ts';
import { type LandPlan, planLanding } from './plan.ts';
import type { LandRequest } from './request.ts';
import { landNames } from './select.ts';
import { findTarget } from './target.ts';

export interface LandOptions extends LandRequest {
  /** An agent lands: with outside changes it claims none of those that nobody claims. */
  asAgent?: boolean | undefined;
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
    session: option.text,
    agent: option.text,
    turn: option.text,
    paths: option.texts,
    commits: option.texts,
    onto: option.text,
    each: option.flag,
    outside: option.flag,
    accepted: option.flag,
    hunks: option.texts,
    message: option.text,
    coAuthors: option.texts,
    asAgent: option.flag,
    dryRun: option.flag,
    git: option.callback<RunGit>,
    verify: option.flag,
    onCommit: option.callback<CommitMade>,
    onOutput: option.callback<(text: string) => void>,
  },
  { message: 'Refuse expired tokens' },
);

export type { LandData, LandedCommit };

const TRIES = 3;

/** Lands edits on a branch. Throws NO_CHANGE, CONFLICT, GIT_REFUSED, INVALID_INPUT, LOCKED; nothing is changed then. */
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
  const moved: Array<readonly string[]> = [];
  while (moved.length < TRIES) {
    const plan = await planLanding(context, options, named);
    const diffs = await landDiffs(context, plan);
    cancel.begin();
    const made = await landPlanned(context, plan, options);
    if ('commits' in made) return landAnswer(context, await withLeft(context, plan, made), diffs, made);
    moved.push(made.byHooks);
    cancel.resume();
  }
  throw neverQuiet(context, moved);
}

/** Counts anew what is left where a hook added something, which may be of other edits. */
async function withLeft(context: Context, plan: LandPlan, { changedByHooks }: Made): Promise<LandPlan> {
  if (changedByHooks.length === 0) return plan;
  const count = async (): Promise<number> => {
    const { trail } = await syncTrail(context, await openTrail(context));
    return (await openWork(new Snapshot(context, trail))).edits.length;
  };
  return { ...plan, left: await count().catch(() => plan.left) };
}

/** `moved`: by try, the files that were others after the hooks had run. */
function neverQuiet(context: Context, [first = [], ...others]: ReadonlyArray<readonly string[]>): EditError {
  const always = first.filter(path => others.every(paths => paths.includes(path)));
  if (always.length === 0)
    return new EditError(
      'LOCKED',
      `Nothing was committed: the branch, the index or a file that lands changed each of ${TRIES} times, while the hooks ran or the commit was signed. Land again when it is quiet.`,
    );
  const paths = always.map(path => nameOf(context, path));
  const message = `Nothing was committed: ${listedSome(paths)} changed each of ${TRIES} times that the hooks ran, so what they saw is never what lands. Let the hook leave a file alone that it has been through, or commit that with git.`;
  return new EditError('GIT_REFUSED', message, { exit: null, output: '', paths });
}

/** Something of the plan moved before the branch could; `byHooks`: files that land, where hooks ran meanwhile. */
interface Moved {
  byHooks: readonly string[];
}

/** Commits without the lock, which only the move of the branch takes. Throws GIT_REFUSED, INVALID_INPUT. */
async function landPlanned(context: Context, plan: LandPlan, options: LandOptions): Promise<Made | Moved> {
  const { git } = options;
  const usable = git && (await canUseGit(context, git, plan.target)) ? git : null;
  const made = await (usable ? commitWithGit(context, usable, plan, options) : plainCommits(context, plan));
  const landed = await asWriter(context, turn => publishLanding(context, plan, made, turn));
  if ('files' in landed) return { byHooks: made.hooks ? landed.files : [] };
  if (!landed.done) return { byHooks: [] };
  const { commits, changedByHooks, hooks } = made;
  // It is made, whatever the hook says; and git packs what is loose, as after its own commit.
  await hooks?.run('post-commit').catch(() => {});
  if (usable) await usable({ args: ['gc', '--auto', '--quiet'], cwd: placeOf(context) });
  return { commits, changedByHooks, withHooks: hooks !== null, warnings: landed.warnings };
}

async function plainCommits(context: Context, plan: LandPlan): Promise<MadeCommits> {
  const user = userOf(context);
  const [objects, made]: [EncodedObject[], string[]] = [[...plan.objects], []];
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
    made.push(appended.oid);
    [commit, tree] = [appended.oid, appended.tree];
  }
  return { commits: made, tree: tree!, objects, changedByHooks: [], hooks: null };
}

function userOf(context: Context): Identity {
  if (context.user) return { ...committer(context), ...context.user };
  throw new EditError(
    'INVALID_INPUT',
    'Whose commit shall it be? Set user.name and user.email (git config), or give the option user.',
    { field: 'user' },
  );
}

/** `done: false`, or the files: something that the commits were planned on is another now; nothing happened. */
async function publishLanding(
  context: Context,
  plan: LandPlan,
  made: MadeCommits,
  turn: LockLease,
): Promise<Outcome | { files: string[] }> {
  if (!(await stillStands(context, plan))) return { done: false };
  const files = await changedFiles(context, plan, made);
  if (files.length > 0) return { files };
  const { target, staged } = plan;
  const { ref, checkedOut, commit: oid } = target;
  const commit = made.commits.at(-1)!;
  const { committer, message } = parseCommit((await context.objects.read(commit, 'commit')).content);
  const kind = oid === null ? 'commit (initial)' : 'commit';
  return publish(
    context,
    {
      ...movingRef(context, { ref, checkedOut, oid, head: oid, commit, summary: '' }),
      objects: made.objects,
      committer: () => formatIdentity(committer),
      summary: `${kind}: ${message.split('\n')[0]}`,
      landing: checkedOut ? { from: oid, staged: [...staged] } : null,
    },
    turn,
  );
}

/** True where branch and index are as they were planned on. */
async function stillStands(context: Context, plan: LandPlan): Promise<boolean> {
  const { target, contents, changes } = plan;
  const now = await findTarget(context, plan.request.onto);
  if (now.ref !== target.ref || now.commit !== target.commit || now.checkedOut !== target.checkedOut)
    return false;
  if (target.checkedOut) await checkIdle(context);
  const { staged } = await planStaged(context, target, contents, changes);
  return JSON.stringify(staged) === JSON.stringify(plan.staged);
}

/**
 * The files that land and are not as they were planned on. Other files may have been edited meanwhile, and one that lands may be
 * as a hook left it on the way.
 */
async function changedFiles(context: Context, plan: LandPlan, made: MadeCommits): Promise<string[]> {
  const present = new Snapshot(context, (await syncTrail(context, await openTrail(context))).trail);
  const changed: string[] = [];
  for (const path of plan.changes.keys()) {
    const was = await stateOf(plan.snapshot, path);
    const left = await entryOf(context, made.tree, path);
    const is = await stateOf(present, path);
    if (is.some((one, at) => one !== was[at] && one !== left)) changed.push(path);
  }
  return changed;
}

/** Tells a path as the trail and as the folder have it. */
async function stateOf(snapshot: Snapshot, path: string): Promise<[trail: string, file: string]> {
  const { context, trail } = snapshot;
  const name = fromTrail(context, path);
  const file = name === null ? null : await snapshot.entryAsRecorded(name).catch(() => null);
  return [await entryOf(context, trail.tree, path), file ? `${file.mode} ${file.version}` : ''];
}

async function entryOf({ objects }: Context, tree: string | null, path: string): Promise<string> {
  const entry = tree && (await lookup(objects, tree, path));
  return entry ? `${entry.mode} ${entry.oid}` : '';
}
