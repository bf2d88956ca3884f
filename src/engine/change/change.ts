/**
 * One change from request to answer: read, check the base, plan, draft the commits, publish, report. Everything that
 * changes a workspace (an edit, several, an undo, a rollback) is this one function with another plan.
 */

import { EditError, isEditError } from '../../errors.ts';
import type { Force } from '../../fs/lock/engine-lock.ts';
import { parseCommit } from '../../git/objects/commit.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import { preflight } from '../../git/repository/preflight.ts';
import { isOutside } from '../../operations.ts';
import type { Appended } from '../../trail/append.ts';
import { isInStep, type TrailHead } from '../../trail/head.ts';
import { newBytes } from '../admission/admit.ts';
import { answerDone, type Done, withWarnings } from '../answer.ts';
import type { Cancellation } from '../calls/cancel.ts';
import { type Context, toTrail } from '../context.ts';
import { Snapshot } from '../files/snapshot.ts';
import { NamedCommits } from '../revision.ts';
import { continuation, openTrail } from '../trails/open-trail.ts';
import { assertCheckedOutNowhere, assertOwnTrail } from '../trails/own-trail.ts';
import { checkIdle } from '../transaction/in-progress.ts';
import { checkName } from '../transaction/locks.ts';
import { publish } from '../transaction/publication.ts';
import {
  lostTheRace,
  movingRef,
  publishWithRetry,
  TRIES,
  type Transaction,
} from '../transaction/transaction.ts';
import { asWriter, type Turn } from '../transaction/writer.ts';
import { type Draft, type DraftRequest, draft, type Planned } from './draft.ts';
import type { DraftedChange } from './drafted-change.ts';
import { orNone, placeSubmodules } from './folders.ts';
import { approvedOther, type Gate, gateOf, passGate, planKey } from './gate.ts';
import { syncTrail } from './sync.ts';

const findRepeated: typeof import('./repeated.ts').findRepeated = async (...args) =>
  (await import('./repeated.ts')).findRepeated(...args);

export interface ChangeRequest extends DraftRequest {
  dryRun: boolean;
  cancel: Cancellation;
  /** The id of the call was never used before: nobody need look for it. */
  isFirst?: boolean;
  /** Commits that the plan asks the snapshot for, as the caller named them; `base` is one of them anyway. */
  names?: ReadonlyArray<string | undefined>;
  /** The files that an edit is about. Without them the plan is about edits that were made before, and must know of all. */
  files?: readonly NamedFile[];
  /**
   * True where others made what is planned: it is planned before the lock is taken, so that nobody waits for it,
   * however much it is.
   */
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

/** A file that an edit is about, as it was asked for. */
export interface NamedFile {
  path: string;
  /** The version that it was decided on. */
  version?: string | undefined;
}

/** A request with the commits that it names, which mean what they meant when it was made. */
interface NamedRequest extends ChangeRequest {
  named: NamedCommits | null;
  /** The key of the plan that was asked about. */
  planned?: string;
}

/** Makes the change, or throws and leaves everything as it was. */
export async function makeChange(context: Context, asked: ChangeRequest): Promise<Done> {
  await preflight(context.repo);
  const named = asked.base === undefined && !asked.names ? null : await namedCommits(context, asked);
  const request = { ...asked, named };
  const isAsked = context.approve !== undefined || context.policies.files.length > 0;
  const gate = isAsked ? await gateOf(context, request.dryRun) : null;
  if (gate) return askFirst(context, request, gate);
  if (request.dryRun) return dryRun(context, request);
  if (request.ofOthers) return publishPlanned(context, request);
  return asWriter(context, turn => publishChange(context, request, turn));
}

/** Plans without the lock, asks, and makes the change where it is still what was asked about. Throws STALE. */
async function askFirst(context: Context, request: NamedRequest, gate: Gate): Promise<Done> {
  const trail = await openTrail(context, 'begun');
  const repeated = await repeatedAnswer(context, request, trail);
  if (repeated) return repeated;
  for (let tries = 1; tries <= TRIES; tries++) {
    const prepared = await prepare(context, request);
    const reason = await passGate(gate, prepared, request);
    const approved = { ...request, reason, planned: planKey(prepared.drafted) };
    if (request.dryRun) return dryRun(context, approved);
    const done = await asWriter(context, turn => publishChange(context, approved, turn)).catch(error => {
      if (gate.approve || !isEditError(error, 'STALE') || error.data.planned !== true) throw error;
      return null;
    });
    if (done) return done;
  }
  throw lostTheRace('the same files');
}

/** A plan that takes no more milliseconds may be made again under the lock, where nothing moves any more. */
const SHORT = 2_000;

/** Plans without the lock; what was planned quickly, and was overtaken or refused, is planned once more with it. */
async function publishPlanned(context: Context, request: NamedRequest): Promise<Done> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const begun = performance.now();
    const isShort = (): boolean => performance.now() - begun < SHORT;
    const planned = await prepare(context, request).catch(error => {
      // What another process has not finished yet looks like a change that nobody recorded.
      if (isShort() && error instanceof EditError) return null;
      throw error;
    });
    const isQuick = isShort();
    const done = await asWriter(context, async turn => {
      const isCurrent = planned !== null && (await areInPlace(planned));
      const first = isCurrent ? await publishOnce(context, planned, turn, request) : null;
      return first ?? (isQuick ? publishChange(context, request, turn) : null);
    });
    if (done) return done;
  }
  throw lostTheRace('the same files');
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

/** Found against the trail as log shows it; `null` where none is named. */
async function namedCommits(
  context: Context,
  { base, names = [] }: Pick<ChangeRequest, 'base' | 'names'>,
): Promise<NamedCommits | null> {
  const named = [base, ...names].filter(name => name !== undefined);
  return named.length === 0 ? null : NamedCommits.of(context, await openTrail(context), named);
}

/** Finishes or takes back what a dead process left, as every change does before it begins. */
export function repairNow(context: Context, force: Force = {}): Promise<void> {
  return asWriter(context, async () => {}, force);
}

/** The answer of the same request that was made before. */
function repeatedAnswer(
  context: Context,
  request: ChangeRequest,
  trail: TrailHead,
): Promise<Done | null> | null {
  const { editor, editId, call, editHash, isFirst } = request;
  const id = editId !== undefined ? { editId } : call !== undefined ? { call } : null;
  if (!id || !editHash || isFirst) return null;
  return findRepeated(context, trail, { ...id, editor, editHash });
}

/** The commits below it that a dry run leaves unwritten have no names, so its parent is the newest that there is. */
async function dryRun(context: Context, request: NamedRequest): Promise<Done> {
  const trail = await openTrail(context, 'begun');
  const repeated = await repeatedAnswer(context, request, trail);
  if (repeated) return repeated;
  const { drafted, snapshot } = await prepare(context, request, trail);
  return answerDone({ ...drafted, parent: snapshot.shown.parent }, { dryRun: true });
}

async function publishChange(context: Context, request: NamedRequest, turn: Turn): Promise<Done> {
  let trail: TrailHead | undefined = await openTrail(context, 'begun');
  // Looked for after the repair: the files may not have held yet what the trail does.
  const repeated = await repeatedAnswer(context, request, trail);
  if (repeated) return repeated;
  return publishWithRetry('the same files', async () => {
    const prepared = await prepare(context, request, trail, turn.hasAsides);
    const { drafted, snapshot } = prepared;
    if (request.planned !== undefined && planKey(drafted) !== request.planned)
      throw approvedOther(snapshot, drafted);
    trail = undefined;
    return publishOnce(context, prepared, turn, request);
  });
}

/** `null` when somebody moved the trail or a file since it was planned. */
async function publishOnce(
  context: Context,
  { drafted, snapshot, objects }: Prepared,
  turn: Turn,
  { onDrafted, cancel }: Pick<ChangeRequest, 'onDrafted' | 'cancel'>,
): Promise<Done | null> {
  const { trail } = snapshot;
  const transaction: Transaction = {
    ...movingRef(context, { ...trail, commit: drafted.commit, summary: drafted.subject }),
    objects,
    ...(await contentsOf(context, drafted.changes)),
    index: drafted.index,
  };
  // Before the edit is made: after it nothing may go wrong that would make a failure of it.
  const done = answerDone(drafted, {});
  if (trail.oid === null) await checkName(context, trail);
  await onDrafted?.(drafted.commit, trail.ref);
  cancel.begin();
  const outcome = await publish(context, transaction, turn);
  if (!outcome.done) {
    cancel.resume();
    return null;
  }
  context.rejections.moved(trail.tip, drafted.commit);
  context.signing?.made();
  if (!isOutside(drafted.op)) context.limits?.count(newBytes(drafted.changes));
  await placeSubmodules(context, drafted.changes);
  return outcome.warnings.length > 0 ? withWarnings(done, outcome.warnings) : done;
}

async function contentsOf(
  context: Context,
  drafted: readonly DraftedChange[],
): Promise<Pick<Transaction, 'changes' | 'paths' | 'exact'>> {
  const [changes, exact]: [DraftedChange[], EncodedObject[]] = [[], []];
  const paths: Array<Transaction['paths'][number]> = [];
  for (const change of drafted) {
    const { after } = change.recorded;
    paths.push({
      path: toTrail(context, change.path),
      after: after && { mode: after.mode, oid: after.version },
    });
    if (change.inPlace) continue;
    changes.push(change);
    // No object has the bytes of a file of which git records others, and recovery needs them.
    if (change.after && change.after.version !== after?.version)
      exact.push(await context.codec.encode('blob', change.after.bytes));
  }
  return { changes, paths, exact };
}

interface Prepared {
  drafted: Draft;
  snapshot: Snapshot;
  objects: EncodedObject[];
}

/**
 * Steps 1 to 3 of the write protocol: nothing is written. `opened`: the trail, where it was read a moment ago. `hasAsides`: false
 * where it is known that nothing is set aside.
 */
async function prepare(
  context: Context,
  request: NamedRequest,
  opened?: TrailHead,
  hasAsides = true,
): Promise<Prepared> {
  request.cancel.check();
  const found = opened ?? (await openTrail(context, 'begun'));
  const begun = await begin(context, request, found, hasAsides);
  const other = (await isForeign(begun.snapshot, request)) ? await continuation(context, found) : found;
  const { snapshot, synced } = other === found ? begun : await begin(context, request, other, hasAsides);
  if (synced) request.onSynced?.();
  const base = request.base && (await snapshot.commit(request.base));
  try {
    const drafted = await draft(snapshot, await request.plan(snapshot), { ...request, base });
    return { drafted, snapshot, objects: [...(synced?.objects ?? []), ...drafted.objects] };
  } catch (error) {
    throw snapshot.explained(error);
  }
}

/**
 * True where the files are not as the trail, or the request, has them: what looks like a change from outside may be work that
 * another trail knows, and that this one can go on from.
 */
async function isForeign(snapshot: Snapshot, { files, named }: NamedRequest): Promise<boolean> {
  if (!files || named) return true;
  for (const { path: given, version } of files) {
    try {
      const path = await snapshot.resolve(given);
      const file = await snapshot.file(path);
      if (!(await snapshot.conversion.isRecorded(path, file, await snapshot.recorded(path)))) return true;
      if (version !== undefined && !file?.version.startsWith(version)) return true;
    } catch (error) {
      // What else is wrong with a path is found when it is planned.
      if (isEditError(error, 'IS_DIRECTORY')) return true;
    }
  }
  return false;
}

/** The trail as it is before it is brought up to HEAD. */
async function unsynced(context: Context, trail: TrailHead, from: string | null): Promise<TrailHead> {
  if (trail.checkedOut || trail.tip !== null || from === null) return { ...trail, head: trail.seen };
  const { tree } = parseCommit((await context.objects.read(from)).content);
  return { ...trail, parent: from, tree, head: from, seen: from };
}

/**
 * Returns the snapshot that a plan is made on, and the commit that brings the trail up to HEAD, where one is needed.
 */
async function begin(
  context: Context,
  { beforeSync, named }: NamedRequest,
  found: TrailHead,
  hasAsides: boolean,
): Promise<{ snapshot: Snapshot; synced: Appended | null }> {
  if (found.mirror || found.elsewhere !== undefined) assertOwnTrail(found);
  if (found.checkedOut && context.repo.bare) await assertCheckedOutNowhere(context.repo, found.ref);
  if (found.checkedOut) await checkIdle(context);
  const { trail, commit } = beforeSync
    ? { trail: await unsynced(context, found, beforeSync.head), commit: null }
    : isInStep(found)
      ? { trail: found, commit: null }
      : await syncTrail(context, found);
  const asides = hasAsides ? await context.asides.of(context, found.ref) : undefined;
  return { snapshot: new Snapshot(context, trail, { shown: found, named, asides }), synced: commit };
}
