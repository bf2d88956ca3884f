/**
 * One change from request to answer: read, check the base, plan, draft the commits, publish, report. Everything that
 * changes a workspace (an edit, several, an undo, a rollback) is this one function with another plan.
 */

import { utf8 } from '../../bytes.ts';
import { isEditError } from '../../errors.ts';
import { ensureFolder, parentOf, replaceFile, syncFolder } from '../../fs/durable.ts';
import type { Force } from '../../fs/lock/engine-lock.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import { readRef } from '../../git/refs/refs.ts';
import { preflight } from '../../git/repository/preflight.ts';
import { beganAfter, isInStep, type TrailHead } from '../../history/head.ts';
import { treeOf } from '../../history/walk.ts';
import { late } from '../../lazy.ts';
import { isOutside } from '../../operations.ts';
import { newBytes } from '../admission/admit.ts';
import { answerDone, type Done, withWarnings } from '../answer.ts';
import { type Context, toTrail } from '../context.ts';
import { Snapshot } from '../files/snapshot.ts';
import { NamedCommits } from '../revision.ts';
import { openTrail } from '../trails/open-trail.ts';
import { assertCheckedOutNowhere, assertOwnTrail } from '../trails/own-trail.ts';
import { checkIdle } from '../transaction/in-progress.ts';
import type { RecordedPath } from '../transaction/journal/record.ts';
import { checkName } from '../transaction/locks.ts';
import { publish } from '../transaction/publication.ts';
import {
  lostTheRace,
  movingRef,
  publishWithRetry,
  TRIES,
  type Transaction,
} from '../transaction/transaction.ts';
import { asWriter, type LockLease } from '../transaction/writer.ts';
import { type Draft, draft } from './draft.ts';
import { entryOf } from './drafted-change.ts';
import { approvedOther, type Gate, gateOf, passGate, planKey } from './gate.ts';
import type { DraftedChange } from './planned.ts';
import type { ChangeRequest } from './request.ts';
import { syncTrail } from './sync.ts';

const findRepeated = late(() => import('./repeated.ts'), 'findRepeated');

/** A request with the commits that it names, which mean what they meant when it was made. */
interface NamedRequest extends ChangeRequest {
  named: NamedCommits | null;
  /** The key of the plan that was asked about. */
  planned?: string;
}

/** Makes the change, or throws and leaves everything as it was. */
export async function makeChange(context: Context, asked: ChangeRequest): Promise<Done> {
  await preflight(context.repo);
  const { base, names, dryRun } = asked;
  const given = [base, ...(names ?? [])].filter(name => name !== undefined);
  // As log shows them.
  const named = given.length === 0 ? null : await NamedCommits.of(context, await openTrail(context), given);
  const request = { ...asked, named };
  const isAsked = context.approve !== undefined || context.policies.files.length > 0;
  const gate = isAsked ? await gateOf(context, dryRun) : null;
  if (gate || dryRun) return planFirst(context, request, gate);
  return asWriter(context, turn => publishChange(context, request, turn));
}

/** Finishes or takes back what a dead process left, as every change does before it begins. */
export function repairNow(context: Context, force: Force = {}): Promise<void> {
  return asWriter(context, async () => {}, force);
}

/** Returns the answer of the same request that was made before; `null` of one that has no id. */
function repeatedAnswer(
  context: Context,
  { editor, editId, call, editHash }: ChangeRequest,
  trail: TrailHead,
): Promise<Done | null> | null {
  if ((editId ?? call) === undefined || !editHash) return null;
  return findRepeated(context, trail, { editId, call, editor, editHash });
}

/**
 * Plans without the lock. A dry run is answered by that; else those at the gate are asked, and the change is made where it
 * is still what they were asked about. Throws STALE.
 */
async function planFirst(context: Context, request: NamedRequest, gate: Gate | null): Promise<Done> {
  const trail = await openTrail(context);
  const repeated = await repeatedAnswer(context, request, trail);
  if (repeated) return repeated;
  for (let tries = 1; tries <= TRIES; tries++) {
    const drafted = await prepare(context, request, tries === 1 ? trail : undefined);
    const reason = gate ? await passGate(gate, drafted, request) : request.reason;
    // The commits below it that a dry run leaves unwritten have no names, so its parent is the newest that there is.
    if (request.dryRun)
      return answerDone({ ...drafted, parent: drafted.snapshot.shown.parent }, { dryRun: true });
    const approved = { ...request, reason, planned: planKey(drafted) };
    const done = await asWriter(context, turn => publishChange(context, approved, turn)).catch(error => {
      if (gate?.approve || !isEditError(error, 'STALE') || error.data.planned !== true) throw error;
      return null;
    });
    if (done) return done;
  }
  throw lostTheRace('the same files');
}

async function publishChange(context: Context, request: NamedRequest, turn: LockLease): Promise<Done> {
  let trail: TrailHead | undefined = await openTrail(context);
  // Looked for after the repair: the files may not have held yet what the trail does.
  const repeated = await repeatedAnswer(context, request, trail);
  if (repeated) return repeated;
  return publishWithRetry('the same files', async () => {
    const drafted = await prepare(context, request, trail, turn.hasAsides);
    if (request.planned !== undefined && planKey(drafted) !== request.planned) throw approvedOther(drafted);
    trail = undefined;
    return publishOnce(context, drafted, turn, request);
  });
}

/** Returns `null` when somebody moved the trail or a file since it was planned. */
async function publishOnce(
  context: Context,
  drafted: Draft,
  turn: LockLease,
  { onDrafted, cancel }: ChangeRequest,
): Promise<Done | null> {
  const { trail } = drafted.snapshot;
  const transaction = await transactionOf(context, drafted);
  if (trail.tip === null) await beginTrail(context, trail, turn);
  await onDrafted?.(drafted.commit, trail.ref);
  cancel.begin();
  let done: Done | undefined;
  const outcome = await publish(context, transaction, turn, () => {
    // Before the edit is made: after it nothing may go wrong that would make a failure of it.
    done = answerDone(drafted, {});
  });
  if (!outcome.done) {
    cancel.resume();
    return null;
  }
  context.signing?.made();
  if (!isOutside(drafted.op)) context.limits?.count(newBytes(drafted.changes));
  return outcome.warnings.length > 0 ? withWarnings(done!, outcome.warnings) : done!;
}

/**
 * Before the first commit of a trail: a ref that a work tree of the same name left is kept as `<ref>.<n>`, and a linked work tree
 * notes where its own began. Throws as checkName, and as publish.
 */
async function beginTrail(context: Context, trail: TrailHead, turn: LockLease): Promise<void> {
  const { fs, repo, folder } = context;
  const { ref, oid } = trail;
  await checkName(context, trail);
  if (trail.checkedOut || repo.worktree === null) return;
  if (oid !== null) {
    let n = 1;
    while ((await readRef(repo, `${ref}.${n}`)) !== null) n++;
    const kept = { ref: `${ref}.${n}`, checkedOut: false, oid: null, head: null, commit: oid };
    await publish(
      context,
      movingRef(context, { ...kept, summary: 'kept of a work tree that is gone' }),
      turn,
    );
  }
  const mark = beganAfter(repo);
  const made = await ensureFolder(fs, parentOf(mark));
  await replaceFile(fs, mark, utf8(oid ?? ''), `${folder}/tmp/${turn.name()}-began`);
  // A ref that outlives it would count as that of another work tree.
  for (const path of [parentOf(mark), ...made.map(parentOf)]) await syncFolder(fs, path);
}

async function transactionOf(context: Context, drafted: Draft): Promise<Transaction> {
  const { snapshot, commit, subject: summary, objects, index } = drafted;
  const moving = movingRef(context, { ...snapshot.trail, commit, summary });
  const [changes, paths, exact]: [DraftedChange[], RecordedPath[], EncodedObject[]] = [[], [], []];
  for (const change of drafted.changes) {
    const { after, recorded } = change;
    paths.push({ path: toTrail(context, change.path), after: entryOf(recorded.after) });
    if (change.inPlace) continue;
    changes.push(change);
    // No object has the bytes of a file of which git records others, and recovery needs them.
    if (after && after.version !== recorded.after?.version)
      exact.push(await context.codec.encode('blob', after.bytes));
  }
  return { ...moving, objects, changes, paths, exact, index };
}

/**
 * Plans and drafts; nothing is written. `opened`: the trail, where it was read a moment ago. `hasAsides`: false where it is
 * known that nothing is set aside.
 */
async function prepare(
  context: Context,
  request: NamedRequest,
  opened?: TrailHead,
  hasAsides = true,
): Promise<Draft> {
  request.cancel.check();
  const found = opened ?? (await openTrail(context));
  const { snapshot, synced } = await begin(context, request, found, hasAsides);
  if (synced) request.onSynced?.();
  const base = request.base && (await snapshot.commit(request.base));
  try {
    const drafted = await draft(snapshot, await request.plan(snapshot), { ...request, base });
    return synced ? { ...drafted, objects: [...synced.objects, ...drafted.objects] } : drafted;
  } catch (error) {
    throw snapshot.explained(error);
  }
}

/** Returns the snapshot that a plan is made on, and the commit that brings the trail up to HEAD, where one is needed. */
async function begin(
  context: Context,
  { upTo, named }: NamedRequest,
  shown: TrailHead,
  hasAsides: boolean,
): Promise<{ snapshot: Snapshot; synced: Awaited<ReturnType<typeof syncTrail>>['commit'] }> {
  await assertOwnTrail(context.repo, shown);
  if (shown.checkedOut && context.repo.bare) await assertCheckedOutNowhere(context.repo, shown.ref);
  if (shown.checkedOut) await checkIdle(context);
  const known = upTo == null ? shown : { ...shown, head: upTo };
  const isSynced = upTo === null || isInStep(known);
  const { trail, commit } = isSynced ? { trail: shown, commit: null } : await syncTrail(context, known);
  const asides = hasAsides ? await context.asides.of(context, shown.ref) : undefined;
  let at = trail;
  // As it is before it is brought up to HEAD.
  if (upTo !== undefined) at = { ...trail, head: trail.seen };
  if (upTo != null && !trail.checkedOut && trail.tip === null)
    at = { ...trail, parent: upTo, tree: await treeOf(context.objects, upTo), head: upTo, seen: upTo };
  return { snapshot: new Snapshot(context, at, { shown, named, asides }), synced: commit };
}
