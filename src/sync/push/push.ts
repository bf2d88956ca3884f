/** Publishing the trails of this clone: only when asked, only its own refs, and only after saying what will be seen. */

import type { Answer } from '../../engine/answer.ts';
import type { Cancellation } from '../../engine/calls/cancel.ts';
import type { Context } from '../../engine/context.ts';
import { oldTrails } from '../../engine/trails/old-trails.ts';
import { placeOf } from '../../engine/use-git.ts';
import { EditError } from '../../errors.ts';
import { sleep } from '../../fs/all-done.ts';
import { quietGit } from '../../git/run-git.ts';
import { isTrail, mirrorRef, newCloneName, parsePublished, serverRef } from '../../history/peer-names.ts';
import { remoteFailed, remoteRefused } from '../../remote/failures.ts';
import type { PushReport, RefUpdate, Transport } from '../../remote/transport.ts';
import { signAt, withNote } from '../../signing/sign.ts';
import { moveMirrors } from '../fetch/mirrors.ts';
import { type OpenRemote, openRemote } from '../remote.ts';
import { checkConsent, type PushData, type PushedTrail, type PushOptions, pushWords } from './options.ts';
import { type PlannedRef, type PushPlan, planPush } from './plan.ts';
import { findUnpublished, type Unpublished } from './unpublished.ts';

/** The most times that a push is planned, when an own ref of the remote moves meanwhile. */
const LOOKS = 3;

/** Pushes the own trails. Throws INVALID_INPUT where consent is missing, STALE, REMOTE_FAILED, REMOTE_REFUSED, LOCKED. */
export async function push(
  context: Context,
  options: PushOptions,
  cancel: Cancellation,
): Promise<Answer<PushData>> {
  const { dryRun, expect, withReviews = false } = options;
  const remote = await openRemote(context, { ...options, signal: cancel.signal });
  // First, so that the statement goes up with what it is about.
  const note = await signAt(context, 'push', dryRun);
  for (let look = 1; look <= LOOKS; look++) {
    const plan = await planPush(context, remote.transport, withReviews);
    const trails = plan.refs.filter(({ signed }) => !signed);
    const tips = trails.map(({ tip }) => tip);
    checkExpected(trails, expect);
    const open = trails.filter(({ there, tip }) => there !== tip).map(({ tip }) => tip);
    const known = plan.there.map(({ oid }) => oid);
    const shown = await findUnpublished(context, open, known);
    if (!dryRun) checkConsent(shown, options, tips);
    cancel.check();
    const done = await (dryRun ? foretell : pushPlanned)(context, remote, plan, options);
    if (done === null) continue;
    const renamed = plan.copyOf === null ? {} : { renamed_from: plan.copyOf };
    return withNote(pushWords({ ...done, ...renamed, ...shown, remote: remote.name }), note);
  }
  throw movedEachTime(remote.name);
}

type Done = Omit<PushData, keyof Unpublished | 'remote' | 'renamed_from'>;

/** Pushes; `null` where an own ref moved meanwhile, which the next look tells the meaning of. */
async function pushPlanned(
  context: Context,
  remote: OpenRemote,
  plan: PushPlan,
  options: PushOptions,
): Promise<Done | null> {
  const { refs, heads } = plan;
  const clone = plan.clone ?? (await nameClone(context, remote));
  const nameOf = (one: PlannedRef): string => serverRef({ clone, ...one }, heads);
  const updates = refs
    .filter(({ there, tip }) => there !== tip)
    .map(one => ({ ref: nameOf(one), old: one.there, oid: one.tip }));
  const outcomes = await pushRefs(remote.transport, updates);
  if (outcomes.some(({ result }) => result === 'moved')) return null;
  const refused = outcomes.filter(one => one.result === 'refused');
  const names = refused.map(({ ref }) => ref);
  const there = refs.filter(one => !names.includes(nameOf(one)));
  const mirrors = there.map(one => ({ ref: mirrorRef({ clone, ...one }), oid: one.tip }));
  await moveMirrors(context, mirrors, 'push');
  const pruned = options.prune ? await prune(context, remote, { ...plan, clone }) : [];
  if (refused.length > 0) throw remoteRefused(remote.name, names, refused[0]!.words);
  const notes = plan.isFirst && updates.length > 0 ? [FIRST] : [];
  return { clone, trails: trailsOf(plan, clone, 'pushed'), pruned, notes };
}

const FIRST =
  'A git push --mirror of somebody deletes such refs on the server; the next vedit push of their clone restores them.';

/** Says what a push would do. */
async function foretell(
  context: Context,
  _: OpenRemote,
  plan: PushPlan,
  options: PushOptions,
): Promise<Done> {
  const { clone } = plan;
  const landed = options.prune && clone !== null ? await listPrunable(context, { ...plan, clone }) : [];
  const pruned = landed.map(({ ref }) => ref);
  return { clone, trails: trailsOf(plan, clone, 'would be pushed'), pruned, notes: [], dry_run: true };
}

function trailsOf(
  { refs, heads }: PushPlan,
  clone: string | null,
  moved: 'pushed' | 'would be pushed',
): PushedTrail[] {
  return refs
    .filter(({ signed }) => !signed)
    .map(one => {
      const { ref: trail, there: from, tip: to } = one;
      const ref = clone === null ? null : serverRef({ clone, ...one }, heads);
      return { trail, ref, from, to, result: from === to ? 'up to date' : moved };
    });
}

/** Gives this clone a name, in git's config, by git itself. */
async function nameClone(context: Context, { git, name }: OpenRemote): Promise<string> {
  const clone = newCloneName(context.user?.name ?? '');
  const args = ['config', '--local', 'vedit.clone', clone];
  const result = await quietGit(git)({ args, cwd: placeOf(context) });
  if (result?.code === 0) return clone;
  const message = `Git could not write the name of this clone into its config (git config vedit.clone ${clone}), so nothing was pushed to ${name}.`;
  throw new EditError('STORE_FAILED', message, { cause: result?.stderr.trim() ?? null });
}

function checkExpected(refs: readonly PlannedRef[], expect: readonly string[] | undefined): void {
  if (expect === undefined || refs.every(({ tip }) => expect.includes(tip))) return;
  const message =
    'The histories grew since they were listed, so nothing was pushed. List again what a push would show (dryRun).';
  const [commit] = refs.filter(({ tip }) => !expect.includes(tip)).map(({ tip }) => tip);
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

/** Lists the refs on the remote of trails that are over, and of what was said of them. */
async function listPrunable(
  context: Context,
  { clone, refs, there }: NamedPlan,
): Promise<Array<{ ref: string; oid: string }>> {
  const old = await oldTrails(context, new Date(context.now().getTime() - KEEPS));
  const over = old.filter(({ left }) => left === 0);
  const branches = refs.filter(one => isTrail({ clone, ...one }) && over.some(({ ref }) => ref === one.ref));
  return there.flatMap(({ name: ref, oid }) => {
    const found = parsePublished(ref);
    const isOver = found?.clone === clone && branches.some(({ branch }) => branch === found.branch);
    return isOver ? [{ ref, oid }] : [];
  });
}

async function prune(context: Context, { transport }: OpenRemote, plan: NamedPlan): Promise<string[]> {
  const gone = await listPrunable(context, plan);
  if (gone.length === 0) return [];
  const deletions = gone.map(({ ref, oid }) => ({ ref, old: oid, oid: null }));
  const outcomes = await pushRefs(transport, deletions);
  return outcomes.filter(({ result }) => result === 'done').map(({ ref }) => ref);
}

/** The most times that the server is asked, the first one included. */
const TRIES = 3;
/** Milliseconds before the second try, on average; the third waits twice as long. */
const PAUSE = 300;

/** The outcome of one ref. */
type PushOutcome =
  | { ref: string; result: 'done' }
  /** Somebody else moved the ref; `now` is where it is. */
  | { ref: string; result: 'moved'; now: string | null }
  /** It stays where it is, and the server said no each time. */
  | { ref: string; result: 'refused'; words: string };

/**
 * Moves refs of a server, by its answers to one question: where is the ref now? Servers word a lost race in many ways, and an
 * answer may be lost though the ref moved, so the words are never read: the ref is. Asks until each ref has moved, was moved by somebody else, or was refused as often. Throws REMOTE_FAILED.
 */
export async function pushRefs(
  transport: Transport,
  updates: readonly RefUpdate[],
  pause: number = PAUSE,
): Promise<PushOutcome[]> {
  const outcomes = new Map<string, PushOutcome>();
  let open = [...updates];
  let last: PushReport = { done: true, rejected: new Set(), words: '' };
  for (let failed = 0; open.length > 0 && failed < TRIES; failed++) {
    // A server that said no, or whose answer was lost, may be locked for a moment. Many who were turned away at once do not come back at once.
    if (failed > 0) await sleep(pause * failed * (0.5 + Math.random()));
    last = await transport.push(open);
    const now = last.done ? null : await valuesOf(transport, open);
    for (const update of open) {
      const outcome = outcomeOf(update, now);
      if (outcome) outcomes.set(update.ref, outcome);
    }
    open = open.filter(({ ref }) => !outcomes.has(ref));
  }
  for (const { ref } of open) {
    if (!last.rejected.has(ref)) throw remoteFailed(transport.remote, 'Pushing', last.words);
    outcomes.set(ref, { ref, result: 'refused', words: last.words });
  }
  return updates.map(({ ref }) => outcomes.get(ref)!);
}

/** Tells what became of a ref; `null`: it is where it was. `now`: what the server has; `null`: all of them moved. */
function outcomeOf(
  { ref, old, oid }: RefUpdate,
  now: ReadonlyMap<string, string> | null,
): PushOutcome | null {
  const value = now === null ? oid : (now.get(ref) ?? null);
  if (value === oid) return { ref, result: 'done' };
  return value === old ? null : { ref, result: 'moved', now: value };
}

async function valuesOf(
  transport: Transport,
  updates: readonly RefUpdate[],
): Promise<ReadonlyMap<string, string>> {
  const refs = await transport.list(updates.map(({ ref }) => ref));
  return new Map(refs.map(({ name, oid }) => [name, oid]));
}
