/**
 * The syncs that a workspace makes by itself: one at a time, however many edits wait for the next one, so that all of them
 * go up in one push.
 */

import { asEditError } from '../../engine/calls/failure.ts';
import type { SyncData } from '../../engine/calls/sync-data.ts';
import { EditError } from '../../errors.ts';
import { sleep } from '../../fs/sleep.ts';
import type { WorkspaceSync } from './options.ts';

/** The outcome of one sync. It never throws: what was edited is done. */
export type SyncOutcome = { data: SyncData; error: null } | { data: null; error: EditError };

export interface SyncLoopOptions {
  options: WorkspaceSync;
  run(signal: AbortSignal): Promise<SyncData>;
  /** Told of each sync. */
  told(outcome: SyncOutcome): void;
}

const INTERVAL = 10_000;
/** The most milliseconds that one question to the server keeps whoever waits for an answer. */
const TIMEOUT = 30_000;

/** Returns the options that a sync itself is given. */
export function syncOptions({
  when,
  interval: _,
  ...options
}: WorkspaceSync): Omit<WorkspaceSync, 'when' | 'interval'> {
  return when === 'before-answer' ? { timeout: TIMEOUT, ...options } : options;
}

export class SyncLoop {
  readonly waits: boolean;
  readonly #own: SyncLoopOptions;
  readonly #interval: number;
  readonly #ending = new AbortController();
  #running: Promise<SyncOutcome> | null = null;
  /** The sync that waits and has not begun. */
  #next: Promise<SyncOutcome> | null = null;
  /** Monotonic time. */
  #last = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #turns = new RoundBudget();

  constructor(own: SyncLoopOptions) {
    const { when, interval } = own.options;
    this.#own = own;
    this.waits = when === 'before-answer';
    this.#interval = interval ?? (this.waits ? 0 : INTERVAL);
    if (!this.waits) this.#schedule();
  }

  /** Returns the outcome of a sync that has not begun yet, so that it takes all that was edited until now. */
  next(): Promise<SyncOutcome> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  /** Ends the sync that runs, and begins no other. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#ending.abort(closed());
    await Promise.all([this.#running, this.#next]);
  }

  async #begin(): Promise<SyncOutcome> {
    await this.#running;
    const turn = this.waits ? this.#turns.pause(Math.random()) : 0;
    const left = Math.max(this.#last + this.#interval - performance.now(), turn);
    if (left > 0) await sleep(left, this.#ending.signal);
    this.#next = null;
    this.#last = performance.now();
    this.#running = this.#sync();
    return this.#running;
  }

  async #sync(): Promise<SyncOutcome> {
    const { signal } = this.#ending;
    clearTimeout(this.#timer);
    const begun = performance.now();
    const outcome = await (signal.aborted ? Promise.reject(closed()) : this.#own.run(signal)).then(
      (data): SyncOutcome => ({ data, error: null }),
      (error: unknown): SyncOutcome => ({ data: null, error: asEditError(error) }),
    );
    if (signal.aborted) return outcome;
    if (outcome.data) this.#noteRound(outcome.data, begun);
    // Nobody may edit again, and who waited was told that it comes.
    else if (this.waits && outcome.error.retryable) this.#schedule();
    this.#own.told(outcome);
    return outcome;
  }

  #noteRound({ pulled, outrun }: SyncData, begun: number): void {
    this.#turns.note({ hasPulled: pulled > 0, rounds: outrun + 1, took: performance.now() - begun });
  }

  #schedule(): void {
    const tick = (): void =>
      void this.next().then(() => !this.waits && !this.#ending.signal.aborted && this.#schedule());
    this.#timer = setTimeout(tick, this.#interval || INTERVAL);
    (this.#timer as { unref?: () => void }).unref?.();
  }
}

function closed(): EditError {
  return new EditError(
    'REMOTE_FAILED',
    'The workspace was closed before the server had it; the next sync brings it.',
    { remote: '', words: '' },
  );
}

/** The result of a sync. */
interface SyncRound {
  /** True when commits of others came in. */
  hasPulled: boolean;
  /** The number of rounds in which it fetched, merged and pushed. */
  rounds: number;
  /** Milliseconds. */
  took: number;
}

/** Pushes in a row, at first and at most, and how many rounds are left to others then. */
const FIRST = 4;
const LAST = 64;
const ROUNDS = 3;
/** Milliseconds: one sync that a bad network kept long must not keep every later one. */
const LONGEST = 10_000;

export class RoundBudget {
  /** Pushes until a turn is left, and how many it began with. */
  #left = FIRST;
  #run = FIRST;
  /** Milliseconds of a round in which something is merged. */
  #round = 0;

  note({ hasPulled, rounds, took }: SyncRound): void {
    // To merge what others did takes about as long again as to push.
    this.#round = hasPulled ? took / rounds : Math.max(this.#round, 2 * took);
    if (hasPulled) this.#left = this.#run = FIRST;
    else this.#left--;
  }

  /** Milliseconds to wait before the next sync. `random` is from 0 to 1. */
  pause(random: number): number {
    if (this.#left > 0) return 0;
    this.#left = this.#run = Math.min(2 * this.#run, LAST);
    return Math.min(this.#round * ROUNDS * (0.5 + random), LONGEST);
  }
}
