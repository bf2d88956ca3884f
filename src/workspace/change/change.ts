/**
 * One change from request to answer: read, check the base, plan, draft the commits, publish, report. Everything that
 * changes a workspace (an edit, several, an undo, a rollback) is this one function with another plan.
 */

import { EditError } from '../../errors.ts';
import { ensureFolder, parentOf } from '../../git/durable.ts';
import { takeEngineLock } from '../../git/lock/engine-lock.ts';
import { shareFolder } from '../../git/lock/shared-mode.ts';
import { formatIdentity } from '../../git/objects/commit.ts';
import { syncFolders } from '../../git/objects/loose.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import { preflight } from '../../git/preflight.ts';
import { checkUnlinked } from '../../git/unlinked.ts';
import { readTrail } from '../../trail/head.ts';
import { answerDone, type Done, withWarnings } from '../answer.ts';
import type { Context } from '../context.ts';
import { committer } from '../identity.ts';
import { checkName, checkPlaces, holdLocks } from '../publish/hold.ts';
import { checkIdle } from '../publish/in-progress.ts';
import { publish } from '../publish/publish.ts';
import { enqueue, type Finished } from '../publish/queue.ts';
import { recover } from '../publish/recover.ts';
import { findCommit } from '../revision.ts';
import { Snapshot } from '../snapshot.ts';
import { type Draft, type DraftRequest, draft, type Planned } from './draft.ts';
import { findRepeated } from './repeated.ts';
import { syncTrail } from './sync.ts';

export interface ChangeRequest extends DraftRequest {
  dryRun: boolean;
  /** Decides on a snapshot; called again when somebody moved the trail or a file before the change was published. */
  plan(snapshot: Snapshot): Promise<Planned>;
}

/** So often a change is planned without locks; then git's locks come first, and only an editor can be faster. */
const OPTIMISTIC_TRIES = 5;
const TRIES = 20;

/** Makes the change, or throws and leaves everything as it was. */
export async function makeChange(context: Context, request: ChangeRequest): Promise<Done> {
  await preflight(context.repo);
  if (request.dryRun) return (await repeatedAnswer(context, request, false)) ?? dryRun(context, request);
  return enqueue(context.folder, () => underLock(context, token => publishChange(context, request, token)));
}

/** Finishes or takes back what a dead process left, as every change does before it begins. */
export function repairNow(context: Context, force: { force?: string } = {}): Promise<void> {
  const nothing = { value: undefined, rest: Promise.resolve() };
  return enqueue(context.folder, () => underLock(context, async () => nothing, force));
}

/** Runs an action as the one writer of this repository, after repairing what a dead one left. */
export async function underLock<T>(
  context: Context,
  action: (token: string) => Promise<Finished<T>>,
  force: { force?: string } = {},
): Promise<Finished<T>> {
  const { fs, processes, folder, patience, shared } = context;
  await makeFolders(context);
  const lock = await takeEngineLock({ fs, processes, folder, shared, patience: patience.engine, ...force });
  const release = (): Promise<void> => lock.release().catch(() => {});
  try {
    await recover(context);
    const { value, rest } = await action(lock.token);
    return { value, rest: rest.then(release, release) };
  } catch (error) {
    await release();
    throw error;
  }
}

/** The first time ever: a power cut must not take the folder that holds the journal. */
async function makeFolders({ fs, repo, folder, workFolder, shared }: Context): Promise<void> {
  const bases = new Map([
    [`${folder}/tmp`, repo.commonDir],
    [`${workFolder}/tmp`, repo.gitDir],
  ]);
  for (const [path, base] of bases) {
    await checkUnlinked(fs, base, path);
    const made = await ensureFolder(fs, path);
    for (const one of made) await shareFolder(fs, one, shared);
    if (made.length > 0) await syncFolders(fs, made.map(parentOf));
  }
}

async function repeatedAnswer(
  context: Context,
  { editId }: ChangeRequest,
  mayWrite: boolean,
): Promise<Done | null> {
  return editId ? findRepeated(context, editId, mayWrite) : null;
}

async function dryRun(context: Context, request: ChangeRequest): Promise<Done> {
  const { drafted } = await prepare(context, request);
  return answerDone(request.op, drafted, { dryRun: true });
}

async function publishChange(
  context: Context,
  request: ChangeRequest,
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
  request: ChangeRequest,
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
  request: ChangeRequest,
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
async function prepare(context: Context, request: ChangeRequest): Promise<Prepared> {
  const found = await readTrail(context.repo, context.objects, context.trailName);
  if (found.checkedOut) await checkIdle(context);
  const { trail, commit } = await syncTrail(context, found);
  const snapshot = new Snapshot(context, trail);
  const base = request.base && (await findCommit(context, trail, request.base));
  const drafted = await draft(snapshot, await request.plan(snapshot), { ...request, base });
  return { drafted, snapshot, objects: [...(commit?.objects ?? []), ...drafted.objects] };
}
