/** The calls of a workspace that speak to a git server, and that take what came from there. */

import type { EditError } from '../../errors.ts';
import type { Answer, DoneData } from '../answer.ts';
import type { CallOptions, Cancellation } from '../calls/cancel.ts';
import type { Calls } from '../calls/turns.ts';
import type { AfterEdit, Context } from '../context.ts';
import type { FetchData, FetchOptions } from './fetch/fetch.ts';
import type { SyncData } from './hosts/data.ts';
import { SyncLoop, type SyncOutcome, syncOptions } from './hosts/loop.ts';
import type { SyncOptions, WorkspaceSync } from './hosts/options.ts';
import { syncStart } from './hosts/start.ts';
import type { MergeOptions } from './merge/merge.ts';
import type { PeersData, PrunePeersData, PrunePeersOptions } from './peers.ts';
import type { PushData, PushOptions } from './push/options.ts';
import type { VerifyRemoteData, VerifyRemoteOptions } from './verify-remote.ts';

/** Runs a call of the workspace: it is counted, can be cancelled, and fails with one kind of error. */
export type Ask = <Options extends object, T>(
  name: string,
  options: Options & CallOptions,
  work: (method: string, own: Options, cancel: Cancellation) => Promise<T>,
) => Promise<T>;

export class Sharing {
  readonly #context: Context;
  readonly #calls: Calls;
  readonly #ask: Ask;

  constructor(context: Context, calls: Calls, ask: Ask) {
    this.#context = context;
    this.#calls = calls;
    this.#ask = ask;
  }

  /**
   * Publishes the trails of this clone on the remote, under its own name. Only what was asked for: where people's unsaved
   * text or commits of HEAD would be seen too, INVALID_INPUT says which; see PushOptions.
   */
  push(options: PushOptions & CallOptions = {}): Promise<Answer<PushData>> {
    return this.#ask('push', options, async (method, own, cancel) => {
      const { checkPush } = await import('./push/options.ts');
      return (await import('./push/push.ts')).push(this.#context, checkPush(method, own), cancel);
    });
  }

  /** Brings the trails of other clones: their mirrors can be read then, and merged; see FetchOptions. No file changes. */
  fetch(options: FetchOptions & CallOptions = {}): Promise<Answer<FetchData>> {
    return this.#ask('fetch', options, async (method, own, cancel) => {
      const { checkFetch, fetch } = await import('./fetch/fetch.ts');
      return fetch(this.#context, checkFetch(method, own), cancel);
    });
  }

  /** Compares the trails on the remote with what was fetched of them, or pushed; see VerifyRemoteData. Changes nothing. */
  verifyRemote(options: VerifyRemoteOptions & CallOptions = {}): Promise<Answer<VerifyRemoteData>> {
    return this.#ask('verifyRemote', options, async (method, own, cancel) => {
      const { checkVerifyRemote, verifyRemote } = await import('./verify-remote.ts');
      return verifyRemote(this.#context, checkVerifyRemote(method, own), cancel);
    });
  }

  /** The trails of other clones that are here. */
  peers(options: CallOptions = {}): Promise<Answer<PeersData>> {
    return this.#ask('peers', options, async () => (await import('./peers.ts')).peers(this.#context));
  }

  /** Deletes the trails of abandoned clones, on the remote and here; see PrunePeersOptions. */
  prunePeers(options: PrunePeersOptions & CallOptions): Promise<Answer<PrunePeersData>> {
    return this.#ask('prunePeers', options, async (method, own, cancel) => {
      const { checkPrunePeers, prunePeers } = await import('./peers.ts');
      return prunePeers(this.#context, checkPrunePeers(method, own), cancel);
    });
  }

  /**
   * Takes the edits of another clone's trail that was fetched into the own trail and into the files, or some of them: one
   * change, with both histories behind it; see MergeOptions.
   */
  merge(options: MergeOptions & CallOptions): Promise<Answer<DoneData>> {
    return this.#ask('merge', options, async (method, own, cancel) => {
      const { checkMerge, merge } = await import('./merge/merge.ts');
      return merge(this.#context, this.#calls, checkMerge(method, own), cancel);
    });
  }

  /**
   * Brings the own trail and the one on the server that several hosts share to the same commit: fetches, merges what is
   * new, pushes, and again where another host came first. Edits go on meanwhile; see SyncOptions.
   */
  sync(options: SyncOptions & CallOptions = {}): Promise<Answer<SyncData>> {
    return this.#ask('sync', options, async (method, own, cancel) => {
      const { checkSync } = await import('./hosts/options.ts');
      return (await import('./hosts/sync.ts')).sync(
        this.#context,
        this.#calls,
        checkSync(method, own),
        cancel,
      );
    });
  }

  /** The syncs that the workspace makes by itself, told as events. */
  protected loopOf(options: WorkspaceSync): SyncLoop {
    const context = this.#context;
    const run = async (signal: AbortSignal): Promise<SyncData> =>
      (await this.sync({ ...syncOptions(options), signal })).data;
    const told = ({ data, error }: SyncOutcome): void => {
      if (data && data.pulled + data.pushed + data.merges.length === 0) return;
      context.listener.emit(() => ({ kind: 'sync', data, error, ...syncStart(context) }));
    };
    const loop = new SyncLoop({ options, run, told });
    if (loop.waits) context.afterEdit = async () => afterEdit((await loop.next()).error);
    return loop;
  }
}

function afterEdit(error: EditError | null): AfterEdit {
  if (error === null) return { sync: 'done' };
  const { code, message, retryable } = error;
  return { sync: 'pending', sync_error: { code, message, retryable } };
}
