/**
 * Purges a text from the histories: the one exception to the promise that no commit is ever removed. The trails are rewritten,
 * each with a commit that says so; a file here says which ids became which. What is not the engine's is named and never touched.
 */

import { deniedBy } from '../engine/admission/policy/denied.ts';
import { aboutPath } from '../engine/admission/policy/rules.ts';
import type { Answer } from '../engine/answer.ts';
import type { Cancellation } from '../engine/calls/cancel.ts';
import { type Context, packStoreOf, toTrail } from '../engine/context.ts';
import { Snapshot } from '../engine/files/snapshot.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import { asWriter, type LockLease } from '../engine/transaction/writer.ts';
import { EditError } from '../errors.ts';
import { randomToken } from '../fs/lock/processes.ts';
import { buildPack } from '../git/packs/build-pack.ts';
import { storePack } from '../git/packs/store-pack.ts';
import { preflight } from '../git/repository/preflight.ts';
import { treeOf } from '../history/walk.ts';
import { makeStatement } from '../signing/sign.ts';
import { countCommits, signedRef } from '../signing/statement.ts';
import { type Applied, applyPurge } from './apply.ts';
import { heldNow } from './held.ts';
import { checkPurge, type PurgeData, type PurgeOptions, purgeWords } from './options.ts';
import { type Plan, planPurge } from './plan.ts';
import type { What } from './rewrite.ts';
import { WantedText } from './wanted.ts';

/** Attempts of a purge. All but the last are planned without the lock, while others edit on. */
const TRIES = 3;

/**
 * Purges a path or a text. Throws INVALID_INPUT, DENIED where a policy says no, GIT_REFUSED where the history is signed and git does not sign,
 * LOCKED, STORE_FAILED. What was begun and not ended, the same call ends.
 */
export async function purge(
  context: Context,
  method: string,
  given: PurgeOptions,
  cancel: Cancellation,
): Promise<Answer<PurgeData>> {
  const options = checkPurge(method, given);
  cancel.begin();
  await preflight(context.repo);
  const reason = options.reason.trim();
  const what = await whatOf(context, options);
  if (reason === '')
    throw invalid('reason', 'Say why: give a reason, which the history keeps. Nothing was changed.');
  if (what.text?.isIn(new TextEncoder().encode(reason)))
    throw invalid(
      'reason',
      'The reason holds the text that is to go. Nothing was changed. Give one without it.',
    );
  await checkPolicies(context, what.path === null ? [] : [what.path]);
  if (options.dryRun) return dryRun(context, what, reason);
  for (let tries = 1; ; tries++) {
    const done = await attempt(context, what, reason, tries === TRIES);
    if (done) return answer(context, what, reason, done.plan, done.applied);
    if (tries === TRIES)
      throw new EditError(
        'LOCKED',
        'Git moved the refs each time while this was being written. Try again when it is idle.',
      );
  }
}

interface Done {
  plan: Plan;
  applied: Applied;
}

/** Plans and applies once; `null` where somebody edited meanwhile. */
async function attempt(context: Context, what: What, reason: string, isLast: boolean): Promise<Done | null> {
  const prepare = async (): Promise<Plan> => {
    const plan = await planPurge(context, what, reason);
    await checkPolicies(context, plan.rewritten.paths);
    await store(context, plan);
    await signMoves(context, plan);
    return plan;
  };
  const apply = async (plan: Plan, turn: LockLease): Promise<Done | null> => {
    const applied = await applyPurge(context, what, plan, turn);
    return applied && { plan, applied };
  };
  if (isLast) return asWriter(context, async turn => apply(await prepare(), turn));
  // What waits in the journal is no object yet.
  await asWriter(context, turn => turn.writer.checkpoints.flushAll(context));
  const plan = await prepare();
  return asWriter(context, turn => apply(plan, turn));
}

async function store(context: Context, { objects }: Plan): Promise<void> {
  if (objects.length === 0) return;
  const place = packStoreOf(context, randomToken());
  await storePack(place, await buildPack(context.codec, objects));
}

/**
 * Signs trails that were signed, with the objects of the plan stored: the old statements are of commits that go,
 * so one of the new head begins anew. A statement whose trail does not move, or is gone, goes with what it signs. Throws
 * GIT_REFUSED.
 */
async function signMoves(context: Context, { moves, statements }: Plan): Promise<void> {
  for (const move of moves) {
    if (move.ref.kind !== 'signed') continue;
    const trail = moves.find(({ ref }) => ref.kind === 'trail' && signedRef(ref.name) === move.ref.name);
    if (!trail?.now) continue;
    const count = await countCommits(context.objects, trail.now, !trail.ref.checkedOut);
    const about = { trail: trail.ref.name, signs: trail.now, count, previous: null };
    move.now = await makeStatement(context, { ...about, tree: await treeOf(context.objects, trail.now) });
    statements.set(trail.ref.name, move.now);
  }
}

async function whatOf(context: Context, { path, text }: PurgeOptions): Promise<What> {
  if (path !== undefined && text !== undefined)
    throw invalid('text', 'Give a path or a text, not both. Nothing was changed.');
  if (text !== undefined) return { text: new WantedText(text), path: null };
  if (path !== undefined) {
    const snapshot = new Snapshot(context, await openTrail(context));
    return { text: null, path: toTrail(context, await snapshot.named(path)) };
  }
  throw invalid('path', 'Name the file whose text is to go, or give the text. Nothing was changed.');
}

function invalid(field: string, message: string): EditError {
  return new EditError('INVALID_INPUT', message, { field, fields: [field] });
}

/** Throws DENIED where a policy forbids a purge. That a file is not to be read stands against nothing here: a purge shows none. */
async function checkPolicies(context: Context, paths: Iterable<string>): Promise<void> {
  const layers = await context.policies.layers(await openTrail(context));
  for (const { name, fault, policy } of layers) {
    const says = (rule: string, words: string): EditError => deniedBy({ rule, policy: name, words }, null);
    if (fault !== null)
      throw says('valid', `the policy ${name} cannot be read (${fault}), so nothing may change`);
    if (policy.agents && !context.user) throw says('agents', 'only people that git knows by name may purge');
  }
  for (const path of paths) {
    const verdict = aboutPath(layers, path, { person: context.user });
    if (verdict && verdict.rule !== 'unreadable') throw deniedBy(verdict, path);
  }
}

async function dryRun(context: Context, what: What, reason: string): Promise<Answer<PurgeData>> {
  const plan = await planPurge(context, what, reason);
  const found = await answer(context, what, reason, plan, { removed: 0, packs: 0, cleaned: [] });
  const own = new Set(plan.own.map(({ name }) => name));
  const held = found.data.held.filter(({ kind, name }) => !(kind === 'ref' && own.has(name)));
  return purgeWords({ ...found.data, held, dry_run: true });
}

async function answer(
  context: Context,
  what: What,
  reason: string,
  { rewritten, moves, tracer, statements }: Plan,
  applied: Applied,
): Promise<Answer<PurgeData>> {
  const files = [...(what.path === null ? rewritten.paths : [what.path])].sort();
  const trails = moves.flatMap(({ ref: { name, kind, oid }, now }) =>
    now === null || kind !== 'trail'
      ? []
      : [{ ref: name, from: oid, to: now, statement: statements.get(name) ?? null }],
  );
  return purgeWords({
    path: what.path,
    reason,
    commits: rewritten.commits.size,
    versions: rewritten.blobs.size,
    files,
    trails,
    deleted_refs: moves.flatMap(({ ref, now }) => (now === null ? [ref.name] : [])),
    ...applied,
    ...(await heldNow(context, what, tracer, files)),
  });
}
