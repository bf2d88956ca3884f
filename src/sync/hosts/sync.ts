/**
 * One trail of several hosts: what is new on the server is fetched and merged, and what is new here is pushed with the
 * expected old value. Who comes second merges again. No edit waits for it: the network is spoken to with no lock held.
 */

import { shownName } from '../../c-quote.ts';
import type { Answer } from '../../engine/answer.ts';
import type { Cancellation } from '../../engine/calls/cancel.ts';
import type { Calls } from '../../engine/calls/queue.ts';
import type { SyncData } from '../../engine/calls/sync-data.ts';
import type { Context } from '../../engine/context.ts';
import { EditError, isEditError } from '../../errors.ts';
import { sleep } from '../../fs/sleep.ts';
import { readHead, readRef } from '../../git/refs/refs.ts';
import { isAncestor, revList } from '../../git/rev-list.ts';
import { MOST_RACES, pauseAfter, STILL_NEW } from '../../remote/backoff.ts';
import { remoteFailed, remoteRefused } from '../../remote/failures.ts';
import { pushRefs } from '../../remote/push-refs.ts';
import { counted, listedSome } from '../../text/words.ts';
import { shortId } from '../../wording.ts';
import { bringIn } from '../fetch/bring.ts';
import { moveMirrors } from '../fetch/mirrors.ts';
import { findUnpublished } from '../push/unpublished.ts';
import { checkConsent } from '../push/words.ts';
import { type OpenRemote, openRemote } from '../remote.ts';
import type { SyncOptions } from './options.ts';
import { syncStart } from './own-sync.ts';
import { type SharedTrail, sharedName, sharedTrail } from './shared-trail.ts';
import { takeIn } from './take-in.ts';

const MAX_BYTES = 1024 ** 3;

/** One sync: where, what was asked, and what it has done so far. */
interface Host {
  context: Context;
  calls: Calls;
  remote: OpenRemote;
  shared: SharedTrail;
  options: SyncOptions;
  cancel: Cancellation;
  data: SyncData;
}

/**
 * Syncs once with the server. Throws CONFLICT, STALE, INVALID_INPUT where consent or a remote is missing, CORRUPT for a history that was rewritten,
 * REMOTE_FAILED, REMOTE_REFUSED, LOCKED. All that was edited here stays.
 */
export async function sync(
  context: Context,
  calls: Calls,
  options: SyncOptions,
  cancel: Cancellation,
): Promise<Answer<SyncData>> {
  const { maxBytes = MAX_BYTES } = options;
  const remote = await openRemote(context, { ...options, maxBytes, signal: cancel.signal });
  const shared = await sharedTrail(context);
  const data: SyncData = {
    remote: remote.name,
    trail: shared.own,
    ref: shared.ref,
    head: null,
    pulled: 0,
    pushed: 0,
    merges: [],
    aside: [],
    paths: [],
    outrun: 0,
  };
  const host: Host = { context, calls, remote, shared, options, cancel, data };
  for (let now: Seen = 'unknown'; ; ) {
    cancel.check();
    const moved = await syncOnce(host, now);
    if (moved === null) return { message: syncWords(data), data };
    data.outrun++;
    const pause = pauseAfter(data.outrun, Math.random(), MOST_RACES);
    if (pause === null) throw lostEveryRace(remote.name, shared.ref);
    now = pause <= STILL_NEW ? moved : 'unknown';
    await cancel.race(sleep(pause));
  }
}

/** Where the ref was seen to be on the server; `null`: it is not there. */
type Seen = { there: string | null } | 'unknown';

/** Fetches, merges and pushes once. Answers where the ref is now if another host came first, else `null`. */
async function syncOnce(host: Host, now: Seen): Promise<Exclude<Seen, 'unknown'> | null> {
  const { context, remote, shared, data } = host;
  const there = now === 'unknown' ? await onServer(host) : now.there;
  const last = await readRef(context.repo, shared.mirror);
  const isPurged = there !== null && present(host, there) !== there;
  if (there !== null && there !== last && !isPurged) await fetchShared(host, there, last);
  // A ref that was deleted on the server comes back with the next push, and all that it had.
  const theirs = isPurged ? null : (there ?? last);
  if (theirs !== null) await takeTheirs(host, theirs);
  const tip = await ownTip(host);
  data.head = tip;
  if (tip === there || tip === null) return null;
  const base = there && present(host, there);
  await checkPush(host, tip, base);
  const [outcome] = await pushRefs(remote.transport, [{ ref: shared.ref, old: there, oid: tip }]);
  if (outcome!.result === 'moved') return { there: outcome!.now };
  if (outcome!.result === 'refused') throw remoteRefused(remote.name, [shared.ref], outcome!.words);
  data.pushed += await countNew(host, tip, base);
  await moveMirrors(context, [{ ref: shared.mirror, oid: tip }], 'push');
  return null;
}

/** Returns the id that a commit of the server has here since a purge; that it has no other text is what the tombstone says. */
function present({ context }: Host, oid: string): string {
  return context.objects.presentIds?.get(oid) ?? oid;
}

/** Returns the newest commit of the own trail; `null` where nothing was edited yet. */
function ownTip({ context, shared }: Host): Promise<string | null> {
  return readRef(context.repo, shared.own);
}

async function onServer({ remote, shared: { ref } }: Host): Promise<string | null> {
  const refs = await remote.transport.list([ref]);
  return refs.find(({ name }) => name === ref)?.oid ?? null;
}

/** Fetches what the server has; one's own push whose answer was lost is here already. */
async function fetchShared(host: Host, there: string, last: string | null): Promise<void> {
  const { context, remote, shared } = host;
  const wanted = { name: shared.ref, ref: shared.mirror, oid: there, mirror: last };
  const isHere = await isOwn(host, there);
  if (isHere && last !== null && !(await isAncestor(context.objects, last, there)))
    throw rewound(host, last, isGone(last));
  try {
    const failed = isHere
      ? await moveMirrors(context, [wanted], 'fetch')
      : await bringIn(context, remote.transport, [wanted]);
    for (const why of failed.values()) throw new EditError('LOCKED', why);
  } catch (error) {
    if (last === null || !isEditError(error, 'CORRUPT')) throw error;
    throw rewound(host, last, error.message);
  }
}

async function isOwn(host: Host, commit: string): Promise<boolean> {
  const { objects } = host.context;
  const tip = await ownTip(host);
  if (tip === null || (await objects.commitInfo(commit)) === null) return false;
  return isAncestor(objects, commit, tip);
}

async function takeTheirs(host: Host, theirs: string): Promise<void> {
  const { context, calls, remote, shared, options, cancel, data } = host;
  const before = await ownTip(host);
  const incoming = { shared, name: sharedName(remote.name, shared), theirs };
  const taken = await takeIn(context, calls, incoming, options, cancel);
  if (taken === null) return;
  const { merge: commit, aside: edits } = taken;
  data.pulled += await countNew(host, theirs, before);
  data.paths = [...new Set([...data.paths, ...taken.paths])].sort();
  data.aside.push(...edits);
  if (commit !== null) data.merges.push(commit);
  if (commit !== null && edits.length > 0)
    context.listener.emit(() => ({ kind: 'aside', commit, edits, ...syncStart(context) }));
}

/**
 * Counts the commits of the trail that it has and the other one has not; those that a trail beside a branch began on
 * are none.
 */
async function countNew({ context, shared }: Host, commit: string, other: string | null): Promise<number> {
  const head = shared.isBranch ? null : (await readHead(context.repo)).oid;
  const known = [other, head].filter(one => one !== null);
  return (await revList(context.objects, commit, known)).size;
}

/** Throws where the push may not be: an expected old value switches off the server's own check that a ref only grows. */
async function checkPush(
  { context, remote, shared, options }: Host,
  tip: string,
  base: string | null,
): Promise<void> {
  if (base !== null && !(await isAncestor(context.objects, base, tip)))
    throw new EditError('LOCKED', `${shared.own} was moved back meanwhile. Sync again.`);
  const known = base === null ? [] : [base];
  const { counts } = await findUnpublished(context, [tip], known);
  if (counts.outside + counts.unpushed_commits === 0) return;
  if (options.withOutside && options.withUnpushedCommits) return;
  const refs = await remote.transport.list(['refs/heads/*', 'refs/tags/*']);
  const all = [...known, ...refs.map(({ oid }) => oid)];
  checkConsent(await findUnpublished(context, [tip], all), options, [tip]);
}

function rewound({ remote: { name }, shared: { ref, mirror } }: Host, last: string, what: string): EditError {
  const message = `${ref} at ${name} cannot be taken: ${what}. Nothing was merged or pushed, and all that it had is still here, at ${mirror}. To put it back: git push --force-with-lease ${name} ${mirror}:${ref}. To go on from what it has now: git update-ref -d ${mirror}. vedit verify --remote says where they part.`;
  return new EditError('CORRUPT', message, { oid: last, what: ref });
}

function isGone(commit: string): string {
  return `it was rewound or rewritten: ${shortId(commit)}, which it had, is not in its history any more`;
}

function lostEveryRace(remote: string, ref: string): EditError {
  const what = `Other hosts moved ${ref} ${MOST_RACES.tries} times while this one merged; sync`;
  return remoteFailed(remote, what, '');
}

function syncWords(data: SyncData): string {
  const { remote, ref, head, pulled, pushed, merges, aside, paths } = data;
  if (head === null) return `Nothing was edited yet, and ${remote} has no ${ref}.`;
  const came =
    pulled === 0
      ? []
      : [
          `${counted(pulled, 'commit')} came in${paths.length > 0 ? `: ${listedSome(paths.map(shownName))}` : ''}`,
        ];
  const went = pushed === 0 ? [] : [`${counted(pushed, 'commit')} went up`];
  const merged = merges.length === 0 ? [] : [`merged as ${merges.map(one => shortId(one)).join(', ')}`];
  const what = [...came, ...merged, ...went].join('; ') || 'nothing new';
  const lines = aside.map(
    one =>
      `put aside: ${shownName(one.path)}: ${shortId(one.commit)} ${one.subject}, which does not fit into the text of ${remote}. vedit show ${shortId(one.commit)} has it.`,
  );
  return [`${remote} ${ref} ${shortId(head)}: ${what}.`, ...lines].join('\n');
}
