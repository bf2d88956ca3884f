/**
 * One change from request to answer: read, check the base, plan, draft the commits, publish, report. Everything that
 * changes a workspace (an edit, several, an undo, a rollback) is this one function with another plan.
 */

import { EditError } from '../../errors.ts';
import type { Force } from '../../fs/lock/engine-lock.ts';
import { formatIdentity, parseCommit } from '../../git/objects/commit.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import { preflight } from '../../git/repository/preflight.ts';
import { readTrail, type TrailHead } from '../../trail/head.ts';
import { answerDone, type Done, withWarnings } from '../answer.ts';
import type { Cancellation } from '../calls/cancel.ts';
import { type Context, toTrail } from '../context.ts';
import { Snapshot } from '../files/snapshot.ts';
import { committer } from '../identity.ts';
import { NamedCommits } from '../revision.ts';
import { openTrail } from '../trails/open-trail.ts';
import { assertCheckedOutNowhere, assertOwnTrail } from '../trails/own-trail.ts';
import { type HeldLocks, holdLocks, letGo } from '../transaction/held-locks.ts';
import { checkIdle } from '../transaction/in-progress.ts';
import { checkName, checkPlaces, wantedLocks } from '../transaction/locks.ts';
import { publish } from '../transaction/publication.ts';
import { asWriter, type Turn } from '../transaction/writer.ts';
import { orNone } from './cleared-folders.ts';
import { type Draft, type DraftRequest, draft, type Planned } from './draft.ts';
import type { DraftedChange } from './drafted-change.ts';
import { findRepeated } from './repeated.ts';
import { placeSubmodules } from './submodule-folders.ts';
import { syncTrail } from './sync.ts';

export interface ChangeRequest extends DraftRequest {
  dryRun: boolean;
  cancel: Cancellation;
  /** The id of the call was never used before: nobody need look for it. */
  isFirst?: boolean;
  /** Commits that the plan asks the snapshot for, as the caller named them; `base` is one of them anyway. */
  names?: ReadonlyArray<string | undefined>;
  /** The plan is about edits that were made before, so that it must know of all of them; see openTrail. */
  plansOnHistory?: boolean;
  /** What others made is planned before the lock is taken: nobody waits for that, however much it is. */
  ofOthers?: boolean;
  /**
   * It is about what HEAD's newest commits hold already: the trail is brought up to HEAD by the next change. A trail that has
   * not begun yet begins on this commit, where there is one.
   */
  beforeSync?: { head: string | null };
  /** Told which commit it will be, before it is on the trail. */
  onDrafted?: (commit: string, trail: string) => Promise<void>;
  /** Told that HEAD moved since the trail last looked. */
  onSynced?: () => void;
  /** Decides on a snapshot; called again when somebody moved the trail or a file before the change was published. */
  plan(snapshot: Snapshot): Promise<Planned>;
}

/** Of a request that takes in what others made. */
export const OF_OTHERS: Pick<ChangeRequest, 'plansOnHistory' | 'ofOthers'> = {
  plansOnHistory: true,
  ofOthers: true,
};

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
  if (request.dryRun) return (await repeatedAnswer(context, request)) ?? dryRun(context, request);
  if (request.ofOthers) return publishPlanned(context, request);
  return asWriter(context, turn => publishChange(context, request, turn));
}

/** A plan that takes no more milliseconds may be made again under the lock, where nothing moves any more. */
const SHORT = 2_000;

/** Plans without the lock; what was planned quickly, and was overtaken or refused, is planned once more with it. */
async function publishPlanned(context: Context, request: NamedRequest): Promise<Done> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const begun = performance.now();
    const planned = await prepare(context, request).catch(error => ({ error }));
    const isShort = performance.now() - begun < SHORT;
    // What another process has not finished yet looks like a change that nobody recorded.
    if ('error' in planned && !(isShort && planned.error instanceof EditError)) throw planned.error;
    const done = await asWriter(context, async turn => {
      const isCurrent = !('error' in planned) && (await areInPlace(planned));
      const first = isCurrent ? await publishOnce(context, request, turn, null, planned) : null;
      return first ?? (isShort ? publishChange(context, request, turn) : null);
    });
    if (done) return done;
  }
  throw overtaken();
}

/** True while the files hold what they held already when it was planned; of all others the publication makes sure. */
async function areInPlace({ drafted, snapshot: { context, trail } }: Prepared): Promise<boolean> {
  const { store } = context;
  const now = new Snapshot(context, trail);
  for (const { path, inPlace, recorded } of drafted.changes) {
    const after = recorded.after && { mode: recorded.after.mode, oid: recorded.after.version };
    if (!inPlace || !store.separate || !store.entry || after?.mode === '160000') continue;
    const file = await orNone(() => now.entry(path));
    if (!(await now.conversion.isRecorded(path, file, after))) return false;
  }
  return true;
}

/** Found against the trail as log shows it. */
async function namedCommits(context: Context, names: readonly string[]): Promise<NamedCommits> {
  return NamedCommits.of(context, await openTrail(context), names);
}

/** Finishes or takes back what a dead process left, as every change does before it begins. */
export function repairNow(context: Context, force: Force = {}): Promise<void> {
  return asWriter(context, async () => {}, force);
}

async function repeatedAnswer(context: Context, request: ChangeRequest): Promise<Done | null> {
  const { editor, editId, call, editHash, isFirst } = request;
  const id = editId !== undefined ? { editId } : call !== undefined ? { call } : null;
  return id && editHash && !isFirst ? findRepeated(context, { ...id, editor, editHash }) : null;
}

/** The commits below it that a dry run leaves unwritten have no names, so its parent is the newest that there is. */
async function dryRun(context: Context, request: NamedRequest): Promise<Done> {
  const { drafted, snapshot } = await prepare(context, request);
  return answerDone({ ...drafted, parent: snapshot.shown.parent }, { dryRun: true });
}

async function publishChange(context: Context, request: NamedRequest, turn: Turn): Promise<Done> {
  // Looked for after the repair: the files may not have held yet what the trail does.
  const repeated = await repeatedAnswer(context, request);
  if (repeated) return repeated;
  for (let tries = 1; tries <= TRIES; tries++) {
    const done = await (tries <= OPTIMISTIC_TRIES
      ? tryOnce(context, request, turn, null)
      : tryHolding(context, request, turn));
    if (done) return done;
  }
  throw overtaken();
}

function overtaken(): EditError {
  return new EditError(
    'LOCKED',
    `Git or an editor changed the same files ${TRIES} times while this edit was being written. Try again when they are idle.`,
  );
}

/** Tries once with git's locks taken first. */
async function tryHolding(context: Context, request: NamedRequest, turn: Turn): Promise<Done | null> {
  const trail = await readTrail(context.repo, context.objects, context.trailName);
  const held = await holdLocks(context, trail, turn, staged => wantedLocks(context, trail, staged));
  try {
    return await tryOnce(context, request, turn, held);
  } finally {
    await letGo(context, held);
  }
}

/** Plans and publishes; `null` when somebody moved the trail or a file in between. */
async function tryOnce(
  context: Context,
  request: NamedRequest,
  turn: Turn,
  held: HeldLocks | null,
): Promise<Done | null> {
  return publishOnce(context, request, turn, held, await prepare(context, request));
}

async function publishOnce(
  context: Context,
  request: NamedRequest,
  turn: Turn,
  held: HeldLocks | null,
  { drafted, snapshot, objects }: Prepared,
): Promise<Done | null> {
  const { trail } = snapshot;
  // Another branch was checked out before the locks were taken.
  if (held !== null && held.ref !== trail.ref) return null;
  const transaction = {
    trail,
    commit: drafted.commit,
    objects,
    changes: drafted.changes.filter(change => !change.inPlace),
    paths: drafted.changes.map(({ path, recorded: { after } }) => ({
      path: toTrail(context, path),
      after: after && { mode: after.mode, oid: after.version },
    })),
    exact: await exactContents(context, drafted.changes),
    index: drafted.index,
    committer: formatIdentity(committer(context)),
    summary: `vedit: ${drafted.subject}`,
  };
  // Before the edit is made: after it nothing may go wrong that would make a failure of it.
  const done = answerDone(drafted, {});
  await checkName(context, trail);
  await checkPlaces(context, trail);
  await request.onDrafted?.(drafted.commit, trail.ref);
  request.cancel.begin();
  const outcome = await publish(context, transaction, turn, held ?? undefined);
  if (outcome.done) {
    context.rejections.moved(trail.tip, drafted.commit);
    await placeSubmodules(context, drafted.changes);
    return withWarnings(done, outcome.warnings);
  }
  request.cancel.resume();
  return null;
}

/** The bytes of files of which git records others: no object has them, and recovery needs them. */
async function exactContents(context: Context, changes: readonly DraftedChange[]): Promise<EncodedObject[]> {
  const found: EncodedObject[] = [];
  for (const { after, recorded, inPlace } of changes)
    if (after && !inPlace && after.version !== recorded.after?.version)
      found.push(await context.codec.encode('blob', after.bytes));
  return found;
}

interface Prepared {
  drafted: Draft;
  snapshot: Snapshot;
  objects: EncodedObject[];
}

/** Steps 1 to 3 of the write protocol: nothing is written. */
async function prepare(context: Context, request: NamedRequest): Promise<Prepared> {
  request.cancel.check();
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

/** The trail as it is before it is brought up to HEAD. */
async function unsynced(context: Context, trail: TrailHead, from: string | null): Promise<TrailHead> {
  if (trail.checkedOut || trail.tip !== null || from === null) return { ...trail, head: trail.seen };
  const { tree } = parseCommit((await context.objects.read(from)).content);
  return { ...trail, parent: from, tree, head: from, seen: from };
}

async function prepareOn(context: Context, request: NamedRequest, found: TrailHead): Promise<Prepared> {
  assertOwnTrail(found);
  if (found.checkedOut && context.repo.bare) await assertCheckedOutNowhere(context.repo, found.ref);
  if (found.checkedOut) await checkIdle(context);
  const { beforeSync } = request;
  const { trail, commit } = beforeSync
    ? { trail: await unsynced(context, found, beforeSync.head), commit: null }
    : await syncTrail(context, found);
  if (commit) request.onSynced?.();
  const asides = await context.asides.of(context, found.ref);
  const snapshot = new Snapshot(context, trail, { shown: found, named: request.named, asides });
  const base = request.base && (await snapshot.commit(request.base));
  const planned = request.plan(snapshot).then(plan => draft(snapshot, plan, { ...request, base }));
  const drafted = await planned.catch(error => Promise.reject(snapshot.explained(error)));
  return { drafted, snapshot, objects: [...(commit?.objects ?? []), ...drafted.objects] };
}
