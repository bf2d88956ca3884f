/** Publishing the trails of this clone: only when asked, only its own refs, and only after saying what will be seen. */

import type { Answer } from '../../engine/answer.ts';
import type { Cancellation } from '../../engine/calls/cancel.ts';
import type { Context } from '../../engine/context.ts';
import { placeOf } from '../../engine/use-git.ts';
import { EditError } from '../../errors.ts';
import { quietGit } from '../../git/run-git.ts';
import { listTrails } from '../../queries/trails.ts';
import { remoteRefused } from '../../remote/failures.ts';
import { pushRefs } from '../../remote/push-refs.ts';
import { signAt, withNote } from '../../signing/sign.ts';
import { isTrail, mirrorRef, newCloneName, parsePublished, serverRef } from '../../trail/peer-names.ts';
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
  const old = context.now().getTime() - KEEPS;
  const over = (await listTrails(context)).filter(
    ({ left, checked_out, last }) => left === 0 && !checked_out && Date.parse(last) < old,
  );
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
