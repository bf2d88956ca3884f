/** Publishing the trails of this clone: only when asked, only its own refs, and only after saying what will be seen. */

import type { Answer } from '../../engine/answer.ts';
import type { Cancellation } from '../../engine/calls/cancel.ts';
import type { Context } from '../../engine/context.ts';
import { placeOf } from '../../engine/use-git.ts';
import { EditError } from '../../errors.ts';
import { setConfigValue } from '../../git/repository/write-config.ts';
import { quietGit } from '../../git/run-git.ts';
import { listTrails } from '../../queries/trails.ts';
import { remoteRefused } from '../../remote/failures.ts';
import { type PushOutcome, pushRefs } from '../../remote/push-refs.ts';
import type { RemoteRef } from '../../remote/transport.ts';
import { signAt, withNote } from '../../signing/sign-after.ts';
import {
  isTrail,
  mirrorRef,
  newCloneName,
  type PeerTrail,
  parsePublished,
  serverRef,
} from '../../trail/peer-names.ts';
import { moveMirrors } from '../fetch/mirrors.ts';
import { checkOwnPurged } from '../purged.ts';
import { type OpenRemote, openRemote } from '../remote.ts';
import type { PushData, PushedTrail, PushOptions } from './options.ts';
import { type PlannedTrail, type PushPlan, planPush, publishedRef, pushesHeads, updatesOf } from './plan.ts';
import { type Unpublished, unpublished } from './unpublished.ts';
import { needsConsent, pushWords } from './words.ts';

/** So often the remote is looked at anew when an own ref moved meanwhile. */
const LOOKS = 3;

/** Throws INVALID_INPUT where consent is missing, STALE, REMOTE_FAILED, REMOTE_REFUSED, LOCKED. */
export async function push(
  context: Context,
  options: PushOptions,
  cancel: Cancellation,
): Promise<Answer<PushData>> {
  const remote = await openRemote(context, { ...options, signal: cancel.signal });
  // First, so that the statement goes up with what it is about.
  const note = await signAt(context, 'push', options.dryRun);
  for (let look = 1; ; look++) {
    const plan = asNamed(await planPush(context, remote.transport, options.withReviews ?? false));
    checkExpected(plan.trails, options.expect);
    await checkOwnPurged(
      context,
      plan.trails.map(({ tip }) => tip),
    );
    const open = plan.trails.filter(({ there, tip }) => there !== tip);
    const shown = await unpublished(
      context,
      open.map(({ tip }) => tip),
      plan.refs.map(({ oid }) => oid),
    );
    if (options.dryRun) return dryRun(context, remote, plan, shown, options);
    needsConsent(
      shown,
      options,
      plan.trails.map(({ tip }) => tip),
    );
    cancel.check();
    const done = await pushPlanned(context, remote, plan, options);
    if (done === null && look < LOOKS) continue;
    if (done === null) throw movedEachTime(remote.name);
    return withNote(pushWords({ ...done, ...shown, remote: remote.name }), note);
  }
}

/** Under a new name there is nothing on the remote yet. */
function asNamed(plan: PushPlan): PushPlan {
  if (!plan.isCopy) return plan;
  const anew = (all: readonly PlannedTrail[]): PlannedTrail[] => all.map(one => ({ ...one, there: null }));
  return { ...plan, own: new Map(), trails: anew(plan.trails), signed: anew(plan.signed) };
}

/** Pushes; `null` where an own ref moved meanwhile, which the next look tells the meaning of. */
async function pushPlanned(
  context: Context,
  remote: OpenRemote,
  plan: PushPlan,
  options: PushOptions,
): Promise<Omit<PushData, keyof Unpublished | 'remote'> | null> {
  const heads = pushesHeads(context);
  const renames = plan.clone === null || plan.isCopy;
  const clone = renames ? await nameClone(context, remote) : plan.clone!;
  const updates = updatesOf([...plan.trails, ...plan.signed], clone, heads);
  const outcomes = await pushRefs(remote.transport, updates);
  if (outcomes.some(({ result }) => result === 'moved')) return null;
  const results = new Map(outcomes.map(one => [one.ref, one]));
  const trails = plan.trails.map(one => pushedTrail(one, publishedRef(one, clone, heads), results));
  const isThere = (one: PlannedTrail): boolean =>
    results.get(publishedRef(one, clone, heads))?.result !== 'refused';
  const there = [...plan.trails, ...plan.signed].filter(isThere);
  const mirrors = there.map(one => ({ ref: mirrorRef({ clone, ...one }), oid: one.tip }));
  await moveMirrors(context, mirrors, 'push');
  const pruned = options.prune ? await prune(context, remote, { ...plan, clone }) : [];
  const refused = outcomes.filter(one => one.result === 'refused');
  if (refused.length > 0) {
    const names = refused.map(({ ref }) => ref);
    throw remoteRefused(remote.name, names, refused[0]!.words);
  }
  const notes = plan.own.size === 0 && updates.length > 0 ? [FIRST] : [];
  const renamed = plan.isCopy ? { renamed_from: plan.clone! } : {};
  return { clone, trails, pruned, notes, ...renamed };
}

const FIRST =
  'A git push --mirror of somebody deletes such refs on the server; the next vedit push of their clone restores them. The pre-receive hook that vedit hook server prints forbids it, and keeps each clone to its own refs.';

function pushedTrail(
  { ref: trail, there: from, tip: to }: PlannedTrail,
  ref: string,
  outcomes: ReadonlyMap<string, PushOutcome>,
): PushedTrail {
  const outcome = outcomes.get(ref);
  const result = outcome === undefined ? 'up to date' : outcome.result === 'done' ? 'pushed' : 'refused';
  return { trail, ref, from, to, result };
}

async function dryRun(
  context: Context,
  remote: OpenRemote,
  plan: PushPlan,
  shown: Unpublished,
  options: PushOptions,
): Promise<Answer<PushData>> {
  const clone = plan.isCopy ? null : plan.clone;
  const heads = pushesHeads(context);
  const trails = plan.trails.map((one): PushedTrail => {
    const { ref: trail, there: from, tip: to } = one;
    const ref = clone === null ? null : publishedRef(one, clone, heads);
    return { trail, ref, from, to, result: from === to ? 'up to date' : 'would be pushed' };
  });
  const landed = options.prune && clone !== null ? await prunable(context, { ...plan, clone }) : [];
  const pruned = landed.map(({ ref }) => ref);
  const renamed = plan.isCopy ? { renamed_from: plan.clone! } : {};
  const data = { clone, trails, pruned, notes: [], dry_run: true as const, ...renamed };
  return pushWords({ ...data, ...shown, remote: remote.name });
}

/** Gives this clone a name, in git's config, by git itself where there is one. */
async function nameClone(context: Context, { git, name }: OpenRemote): Promise<string> {
  const clone = newCloneName(context.user?.name ?? '');
  if (git === null) {
    await setConfigValue(context.repo, 'vedit', 'clone', clone);
    return clone;
  }
  const args = ['config', '--local', 'vedit.clone', clone];
  const result = await quietGit(git)({ args, cwd: placeOf(context) });
  if (result?.code === 0) return clone;
  const message = `Git could not write the name of this clone into its config (git config vedit.clone ${clone}), so nothing was pushed to ${name}.`;
  throw new EditError('STORE_FAILED', message, { cause: result?.stderr.trim() ?? null });
}

function checkExpected(trails: readonly PlannedTrail[], expect: readonly string[] | undefined): void {
  if (expect === undefined || trails.every(({ tip }) => expect.includes(tip))) return;
  const message =
    'The histories grew since they were listed, so nothing was pushed. List again what a push would show (dryRun).';
  const [commit] = trails.filter(({ tip }) => !expect.includes(tip)).map(({ tip }) => tip);
  const nothing = { path: null, version: null, base: null, base_version: null, diff: null, changed_by: [] };
  throw new EditError('STALE', message, { ...nothing, commit: commit! });
}

function movedEachTime(remote: string): EditError {
  const message = `Somebody else moved the refs of this clone at ${remote} each time. Try again when they are idle.`;
  return new EditError('LOCKED', message);
}

/** Milliseconds that a trail stays on the remote after its last edit, though all of it has landed. */
const KEEPS = 30 * 24 * 3_600_000;

type NamedPlan = PushPlan & { clone: string };

async function prunable(
  context: Context,
  { trails, own, clone, refs }: NamedPlan,
): Promise<Array<{ ref: string; oid: string }>> {
  const heads = pushesHeads(context);
  const old = context.now().getTime() - KEEPS;
  const infos = await listTrails(context);
  return trails.flatMap(({ ref, branch }) => {
    const info = infos.find(one => one.ref === ref);
    const oid = own.get(branch);
    const isOver = info?.left === 0 && !info.checked_out && Date.parse(info.last) < old;
    if (!isOver || oid === undefined) return [];
    return [{ ref: serverRef({ clone, branch }, heads), oid }, ...sidesOf(refs, { clone, branch })];
  });
}

/** Returns what the remote has of the reviews and the signed statements of a trail. */
function sidesOf(
  refs: readonly RemoteRef[],
  { clone, branch }: PeerTrail,
): Array<{ ref: string; oid: string }> {
  return refs.flatMap(({ name: ref, oid }) => {
    const found = parsePublished(ref);
    const isOfIt = found?.clone === clone && found.branch === branch && !isTrail(found);
    return isOfIt ? [{ ref, oid }] : [];
  });
}

async function prune(context: Context, { transport }: OpenRemote, plan: NamedPlan): Promise<string[]> {
  const gone = await prunable(context, plan);
  if (gone.length === 0) return [];
  const outcomes = await pushRefs(
    transport,
    gone.map(({ ref, oid }) => ({ ref, old: oid, oid: null })),
  );
  return outcomes.filter(({ result }) => result === 'done').map(({ ref }) => ref);
}
