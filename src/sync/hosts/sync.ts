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
import { EditError } from '../../errors.ts';
import { sleep } from '../../fs/sleep.ts';
import { readHead, readRef } from '../../git/refs/refs.ts';
import { isAncestor, revList } from '../../git/rev-list.ts';
import { OUTRUN, pauseAfter, STILL_NEW } from '../../remote/backoff.ts';
import { remoteFailed, remoteRefused } from '../../remote/failures.ts';
import { type PushOutcome, pushRefs } from '../../remote/push-refs.ts';
import { counted, listedSome } from '../../text/words.ts';
import { shortId } from '../../wording.ts';
import { bringIn } from '../fetch/bring.ts';
import { moveMirrors } from '../fetch/mirrors.ts';
import { unpublished } from '../push/unpublished.ts';
import { needsConsent } from '../push/words.ts';
import { type OpenRemote, openRemote } from '../remote.ts';
import type { SyncOptions } from './options.ts';
import { ownTip, type SharedTrail, sharedName, sharedTrail } from './shared-trail.ts';
import { syncStart } from './start.ts';
import { takeIn } from './take-in.ts';

const MAX_BYTES = 1024 ** 3;

/**
 * Throws CONFLICT, STALE, INVALID_INPUT where consent or a remote is missing, CORRUPT for a history that was rewritten,
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
  const host = new Host(context, calls, remote, shared, options, cancel, data);
  for (let now: Seen = 'unknown'; ; ) {
    cancel.check();
    const moved = await host.round(now);
    if (moved === null) return { message: syncWords(data), data };
    data.outrun++;
    const pause = pauseAfter(data.outrun, Math.random(), OUTRUN);
    if (pause === null) throw outrunEachTime(remote.name, shared.ref);
    now = pause <= STILL_NEW ? moved : 'unknown';
    await cancel.race(sleep(pause));
  }
}

/** Where the ref was seen to be on the server; `null`: it is not there. */
type Seen = { there: string | null } | 'unknown';

class Host {
  readonly #context: Context;
  readonly #calls: Calls;
  readonly #remote: OpenRemote;
  readonly #shared: SharedTrail;
  readonly #options: SyncOptions;
  readonly #cancel: Cancellation;
  readonly #data: SyncData;

  constructor(
    context: Context,
    calls: Calls,
    remote: OpenRemote,
    shared: SharedTrail,
    options: SyncOptions,
    cancel: Cancellation,
    data: SyncData,
  ) {
    this.#context = context;
    this.#calls = calls;
    this.#remote = remote;
    this.#shared = shared;
    this.#options = options;
    this.#cancel = cancel;
    this.#data = data;
  }

  /** Fetches, merges and pushes once. Answers where the ref is now if another host came first, else `null`. */
  async round(now: Seen): Promise<Exclude<Seen, 'unknown'> | null> {
    const { transport } = this.#remote;
    const there = now === 'unknown' ? await this.#there() : now.there;
    const last = await readRef(this.#context.repo, this.#shared.mirror);
    const isPurged = there !== null && this.#today(there) !== there;
    if (there !== null && there !== last && !isPurged) await this.#fetch(there, last);
    // A ref that was deleted on the server comes back with the next push, and all that it had.
    const theirs = isPurged ? null : (there ?? last);
    if (theirs !== null) await this.#takeIn(theirs);
    const tip = await ownTip(this.#context, this.#shared);
    this.#data.head = tip;
    if (tip === there || tip === null) return null;
    await this.#checkPush(tip, there);
    const [outcome] = await pushRefs(transport, [{ ref: this.#shared.ref, old: there, oid: tip }]);
    return this.#pushed(outcome!, tip, there);
  }

  /** The id that a commit of the server has here since a purge; that it has no other text is what the tombstone says. */
  #today(oid: string): string {
    return this.#context.objects.presentIds?.get(oid) ?? oid;
  }

  async #there(): Promise<string | null> {
    const { ref } = this.#shared;
    const refs = await this.#remote.transport.list([ref]);
    return refs.find(({ name }) => name === ref)?.oid ?? null;
  }

  /** Fetches what the server has; one's own push whose answer was lost is here already. */
  async #fetch(there: string, last: string | null): Promise<void> {
    const { ref, mirror } = this.#shared;
    const { objects } = this.#context;
    const wanted = { name: ref, ref: mirror, oid: there, mirror: last };
    const isHere = await this.#isOwn(there);
    if (isHere && last !== null && !(await isAncestor(objects, last, there))) throw this.#rewound(last);
    try {
      const failed = isHere
        ? await moveMirrors(this.#context, [wanted], 'fetch')
        : await bringIn(this.#context, this.#remote.transport, [wanted]);
      for (const why of failed.values()) throw new EditError('LOCKED', why);
    } catch (error) {
      if (!(error instanceof EditError) || error.code !== 'CORRUPT') throw error;
      throw last === null ? error : this.#rewound(last, error.message);
    }
  }

  async #isOwn(commit: string): Promise<boolean> {
    const tip = await ownTip(this.#context, this.#shared);
    const { objects } = this.#context;
    if (tip === null || (await objects.commitInfo(commit)) === null) return false;
    return isAncestor(objects, commit, tip);
  }

  async #takeIn(theirs: string): Promise<void> {
    const before = await ownTip(this.#context, this.#shared);
    const name = sharedName(this.#remote.name, this.#shared);
    const incoming = { shared: this.#shared, name, theirs };
    const taken = await takeIn(this.#context, this.#calls, incoming, this.#options, this.#cancel);
    if (taken === null) return;
    const { pulled, paths, aside, merges } = this.#data;
    this.#data.pulled = pulled + (await this.#newIn(theirs, before));
    this.#data.paths = [...new Set([...paths, ...taken.paths])].sort();
    aside.push(...taken.aside);
    if (taken.merge !== null) merges.push(taken.merge);
    if (taken.aside.length > 0) this.#tellAside(taken.merge!, taken.aside);
  }

  /**
   * Counts the commits of the trail that it has and the other one has not; those that a trail beside a branch began on
   * are none.
   */
  async #newIn(commit: string, other: string | null): Promise<number> {
    const { repo, objects } = this.#context;
    const head = this.#shared.isBranch ? null : (await readHead(repo)).oid;
    const known = [other, head].filter(one => one !== null);
    return (await revList(objects, commit, known)).size;
  }

  #tellAside(commit: string, edits: SyncData['aside']): void {
    const context = this.#context;
    context.listener.emit(() => ({ kind: 'aside', commit, edits, ...syncStart(context) }));
  }

  /** An expected old value switches off the server's own check that a ref only grows. */
  async #checkPush(tip: string, there: string | null): Promise<void> {
    const { objects } = this.#context;
    const base = there && this.#today(there);
    if (base !== null && !(await isAncestor(objects, base, tip)))
      throw new EditError('LOCKED', `${this.#shared.own} was moved back meanwhile. Sync again.`);
    const known = base === null ? [] : [base];
    const shown = await unpublished(this.#context, [tip], known);
    if (shown.counts.outside + shown.counts.unpushed_commits === 0) return;
    if (this.#options.withOutside && this.#options.withUnpushedCommits) return;
    const refs = await this.#remote.transport.list(['refs/heads/*', 'refs/tags/*']);
    const all = [...known, ...refs.map(({ oid }) => oid)];
    needsConsent(await unpublished(this.#context, [tip], all), this.#options, [tip]);
  }

  async #pushed(outcome: PushOutcome, tip: string, there: string | null): ReturnType<Host['round']> {
    if (outcome.result === 'moved') return { there: outcome.now };
    const { ref, mirror } = this.#shared;
    if (outcome.result === 'refused') throw remoteRefused(this.#remote.name, [ref], outcome.words);
    this.#data.pushed += await this.#newIn(tip, there && this.#today(there));
    await moveMirrors(this.#context, [{ ref: mirror, oid: tip }], 'push');
    return null;
  }

  #rewound(last: string, why?: string): EditError {
    const { ref, mirror } = this.#shared;
    const { name } = this.#remote;
    const what =
      why ?? `it was rewound or rewritten: ${shortId(last)}, which it had, is not in its history any more`;
    const message = `${ref} at ${name} cannot be taken: ${what}. Nothing was merged or pushed, and all that it had is still here, at ${mirror}. To put it back: git push --force-with-lease ${name} ${mirror}:${ref}. To go on from what it has now: git update-ref -d ${mirror}. vedit verify --remote says where they part.`;
    return new EditError('CORRUPT', message, { oid: last, what: ref });
  }
}

function outrunEachTime(remote: string, ref: string): EditError {
  const what = `Other hosts moved ${ref} ${OUTRUN.tries} times while this one merged; sync`;
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
