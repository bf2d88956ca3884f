/**
 * One change from request to answer: read, check the base, plan, draft the commits, publish, report. Everything that
 * changes a workspace (an edit, several, an undo, a rollback) is this one function with another plan.
 */

import { EditError } from '../../errors.ts';
import { ensureFolder, parentOf } from '../../git/durable.ts';
import { takeEngineLock } from '../../git/engine-lock.ts';
import { formatIdentity } from '../../git/objects/commit.ts';
import { syncFolders } from '../../git/objects/loose.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import { preflight } from '../../git/preflight.ts';
import { checkUnlinked } from '../../git/unlinked.ts';
import { readTrail, type TrailHead } from '../../trail/head.ts';
import { answerDone, type Done, withWarnings } from '../answer.ts';
import type { Context } from '../context.ts';
import { committer } from '../identity.ts';
import { openTrail } from '../open-trail.ts';
import { checkName, checkPlaces, holdLocks } from '../publish/hold.ts';
import { checkIdle } from '../publish/in-progress.ts';
import { publish } from '../publish/publish.ts';
import { enqueue, type Finished } from '../publish/queue.ts';
import { recover } from '../publish/recover.ts';
import { NamedCommits } from '../revision.ts';
import { Snapshot } from '../snapshot.ts';
import { type Draft, type DraftRequest, draft, type Planned } from './draft.ts';
import { findRepeated } from './repeated.ts';
import { syncTrail } from './sync.ts';

export interface ChangeRequest extends DraftRequest {
  dryRun: boolean;
  /** Commits that the plan asks the snapshot for, as the caller named them; `base` is one of them anyway. */
  names?: ReadonlyArray<string | undefined>;
  /** The plan is about edits that were made before, so that it must know of all of them; see openTrail. */
  plansOnHistory?: boolean;
  /** Decides on a snapshot; called again when somebody moved the trail or a file before the change was published. */
  plan(snapshot: Snapshot): Promise<Planned>;
}

/** A request with the commits that it names, which mean what they meant when it was made. */
interface NamedRequest extends ChangeRequest {
  named: NamedCommits | null;
}

/** So often a change is planned without locks; then git's locks come first, and only an editor can be faster. */
const OPTIMISTIC_TRIES = 5;
const TRIES = 20;

/** Makes the change, or throws and leaves everything as it was. */
export async function makeChange(context: Context, asked: ChangeRequest): Promise<Done> {
  await preflight(context.repo);
  const names = [asked.base, ...(asked.names ?? [])].filter(name => name !== undefined);
  const request = { ...asked, named: names.length > 0 ? await namedCommits(context, names) : null };
  if (request.dryRun) return (await repeatedAnswer(context, request, false)) ?? dryRun(context, request);
  return enqueue(context.folder, () => underLock(context, token => publishChange(context, request, token)));
}

/** Found against the trail as log shows it. */
async function namedCommits(context: Context, names: readonly string[]): Promise<NamedCommits> {
  return NamedCommits.of(context, await openTrail(context), names);
}

/** Finishes or takes back what a dead process left, as every change does before it begins. */
export function repairNow(context: Context): Promise<void> {
  const nothing = { value: undefined, rest: Promise.resolve() };
  return enqueue(context.folder, () => underLock(context, async () => nothing));
}

/** Runs an action as the one writer of this work tree, after repairing what a dead one left. */
export async function underLock<T>(
  context: Context,
  action: (token: string) => Promise<Finished<T>>,
): Promise<Finished<T>> {
  const { fs, processes, folder, patience } = context;
  await checkUnlinked(fs, context.repo.gitDir, `${folder}/tmp`);
  // The first time ever: a power cut must not take the folder that holds the journal.
  const made = await ensureFolder(fs, `${folder}/tmp`);
  if (made.length > 0) await syncFolders(fs, made.map(parentOf));
  const lock = await takeEngineLock({ fs, processes, folder, patience: patience.engine });
  const release = (): Promise<void> => lock.release().catch(() => {});
  try {
    await recover(context);
    const { value, rest } = await action(lock.owner.token);
    return { value, rest: rest.then(release, release) };
  } catch (error) {
    await release();
    throw error;
  }
}

async function repeatedAnswer(
  context: Context,
  request: ChangeRequest,
  mayWrite: boolean,
): Promise<Done | null> {
  const { editId, editHash } = request;
  return editId && editHash ? findRepeated(context, { ...request, editId, editHash }, mayWrite) : null;
}

/** The commits below it that a dry run leaves unwritten have no names, so its parent is the newest that there is. */
async function dryRun(context: Context, request: NamedRequest): Promise<Done> {
  const { drafted, snapshot } = await prepare(context, request);
  return answerDone(request.op, { ...drafted, parent: snapshot.shown.parent }, { dryRun: true });
}

async function publishChange(
  context: Context,
  request: NamedRequest,
  token: string,
): Promise<Finished<Done>> {
  // Looked for after the repair: the files may not have held yet what the trail does.
  const repeated = await repeatedAnswer(context, request, true);
  if (repeated) return { value: repeated, rest: Promise.resolve() };
  for (let tries = 1; tries <= TRIES; tries++) {
    const done = await (tries <= OPTIMISTIC_TRIES
      ? tryOnce(context, request, token, null)
      : tryHolding(context, request, token));
    if (done) return done;
  }
  throw new EditError(
    'LOCKED',
    `Git or an editor changed the same files ${TRIES} times while this edit was being written. Try again when they are idle.`,
  );
}

/** The same with git's locks taken first. Until the publication begins only recovery knows what is held. */
async function tryHolding(
  context: Context,
  request: NamedRequest,
  token: string,
): Promise<Finished<Done> | null> {
  let done: Finished<Done> | null = null;
  try {
    const trail = await readTrail(context.repo, context.objects, context.trailName);
    await holdLocks(context, trail, token);
    done = await tryOnce(context, request, token, trail.ref);
    return done;
  } finally {
    if (!done) await recover(context).catch(() => {});
  }
}

/**
 * Plans and publishes; `null` when somebody moved the trail or a file in between. `held` is the ref whose locks are
 * held already.
 */
async function tryOnce(
  context: Context,
  request: NamedRequest,
  token: string,
  held: string | null,
): Promise<Finished<Done> | null> {
  const { drafted, snapshot, objects } = await prepare(context, request);
  // Another branch was checked out before the locks were taken.
  if (held !== null && held !== snapshot.trail.ref) return null;
  const transaction = {
    trail: snapshot.trail,
    commit: drafted.commit,
    objects,
    changes: drafted.changes.filter(change => !change.inPlace),
    index: drafted.index,
    holding: held !== null,
    committer: formatIdentity(committer(context)),
    summary: `vedit: ${drafted.subject}`,
  };
  // Before the edit is made: after it nothing may go wrong that would make a failure of it.
  const done = answerDone(request.op, drafted, {});
  await checkName(context, snapshot.trail);
  await checkPlaces(context, snapshot.trail);
  const outcome = await publish(context, transaction, token);
  return outcome.done ? { value: withWarnings(done, outcome.warnings), rest: outcome.rest } : null;
}

interface Prepared {
  drafted: Draft;
  snapshot: Snapshot;
  objects: EncodedObject[];
}

/** Steps 1 to 3 of the write protocol: nothing is written. */
async function prepare(context: Context, request: NamedRequest): Promise<Prepared> {
  if (request.plansOnHistory) return prepareOn(context, request, await openTrail(context));
  const trail = await openTrail(context, 'begun');
  let failure: unknown = null;
  const prepared = await prepareOn(context, request, trail).catch(error => {
    failure = error;
    return null;
  });
  // What looks like a change from outside may be work that another trail knows, and this one can go on from.
  const isStrange = prepared ? prepared.drafted.outside !== null : isStale(failure);
  const looked = isStrange && trail.continues === null ? await openTrail(context) : null;
  if (looked?.continues) return prepareOn(context, request, looked);
  if (prepared) return prepared;
  throw failure;
}

function isStale(error: unknown): boolean {
  return error instanceof EditError && error.code === 'STALE';
}

async function prepareOn(context: Context, request: NamedRequest, found: TrailHead): Promise<Prepared> {
  if (found.checkedOut) await checkIdle(context);
  const { trail, commit } = await syncTrail(context, found);
  const snapshot = new Snapshot(context, trail, { shown: found, named: request.named });
  const base = request.base && (await snapshot.commit(request.base));
  const drafted = await draft(snapshot, await request.plan(snapshot), { ...request, base });
  return { drafted, snapshot, objects: [...(commit?.objects ?? []), ...drafted.objects] };
}
