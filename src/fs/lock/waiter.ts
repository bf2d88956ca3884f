/** Waiting for a lock that somebody holds: in line where its owner can be asked, by looking again where it cannot. */

import { OwnerWatch, PACE, type Pace, type Verdict } from './liveness.ts';
import type { Seen } from './lock-file.ts';
import { lockedByEngine } from './refusal.ts';
import type { Seat } from './seat.ts';
import { takeOver } from './take-over.ts';

export interface WaitOptions {
  /** The token of an owner that counts as dead whatever can be told of it. */
  force?: string;
  /** The token under which this process itself held the lock, and does not any more. */
  left?: string | null;
  pace?: Pace;
}

/** Milliseconds between two looks at a lock whose owner wakes nobody, and at one whose owner will. */
const SHORT_PAUSE = 1;
const LONG_PAUSE = 8;
const UNKNOWN_PAUSE = 250;
const CALLED_PAUSE = 100;

/** Milliseconds for who was woken to take the lock before somebody else does. */
const OTHERS_TURN = 10;

const BEING_TAKEN: Verdict = {
  kind: 'alive',
  how: 'it is dead, and another process is taking its lock over',
};

/** One wait for the lock, over however many owners. */
export class Waiter {
  readonly #seat: Seat;
  readonly #options: WaitOptions;
  readonly #deadline: number;
  #watch: OwnerWatch | null = null;
  readonly #guards = new Map<string, OwnerWatch>();
  #pause = SHORT_PAUSE;

  constructor(seat: Seat, options: WaitOptions, deadline: number) {
    this.#seat = seat;
    this.#options = options;
    this.#deadline = deadline;
  }

  /** Answers whom the lock was taken over from, or `null` when the seat is of no use any more. */
  async wait(): Promise<readonly string[] | null> {
    const { turns } = this.#seat;
    await this.#seat.becomeReachable();
    turns?.startWaiting();
    let taken: readonly string[] | null = null;
    try {
      const { successor = null } = turns ?? {};
      if (successor && (await turns!.lineUp(successor))) this.#isCalled = await turns!.pause(POLITE_PAUSE);
      while (this.#seat.usable && !taken) taken = await this.#tryOnce();
      return taken;
    } finally {
      turns?.stopWaiting(taken !== null);
    }
  }

  /** True when it is this process's turn: then the lock is free as a rule. */
  #isCalled = false;
  /** True when the last owner that was seen will wake somebody, in time this process. */
  #isInLine = false;

  async #tryOnce(): Promise<readonly string[] | null> {
    const seat = this.#seat;
    if (this.#isCalled && (await seat.tryTake())) return [];
    this.#isCalled = false;
    const seen = await seat.look();
    if (seen) return this.#dealWith(seen);
    // Free, and another one's turn, who may be about to take it.
    if (this.#isInLine) {
      this.#isInLine = false;
      this.#isCalled = await seat.turns!.pause(OTHERS_TURN);
      return null;
    }
    return (await seat.tryTake()) ? [] : null;
  }

  /** Takes over from a dead owner; of another one waits for a moment. */
  async #dealWith(seen: Seen): Promise<readonly string[] | null> {
    const verdict = await this.#judge(seen);
    if (verdict.kind === 'dead') {
      const taken = await takeOver(this.#seat, seen, guard => this.#isDeadGuard(guard));
      if (taken) return taken;
      if (performance.now() > this.#deadline) throw this.#refusal(seen, BEING_TAKEN);
    } else if (this.#isOverdue(verdict)) throw this.#refusal(seen, verdict);
    await this.#rest(seen, verdict);
    return null;
  }

  async #judge(seen: Seen): Promise<Verdict> {
    if (seen.token === this.#options.force) return { kind: 'dead', how: 'it was told so' };
    if (seen.token === this.#options.left) return { kind: 'dead', how: 'this process lost it' };
    if (this.#watch?.token !== seen.token) {
      this.#watch = this.#newWatch(seen.token);
      this.#pause = SHORT_PAUSE;
    }
    return this.#watch.judge(seen);
  }

  #newWatch(token: string): OwnerWatch {
    const { options, disk, turns } = this.#seat;
    return new OwnerWatch(token, {
      processes: options.processes,
      disk,
      turns,
      pace: this.#options.pace ?? PACE,
    });
  }

  async #isDeadGuard(guard: Seen): Promise<boolean> {
    const watch = this.#guards.get(guard.token) ?? this.#newWatch(guard.token);
    this.#guards.set(guard.token, watch);
    return (await watch.judge(guard)).kind === 'dead';
  }

  /**
   * True when the wait is over. An owner that cannot be asked and gives no sign is waited for until its lease decides:
   * otherwise a caller with little patience would never take over.
   */
  #isOverdue(verdict: Verdict): boolean {
    const isLate = performance.now() > this.#deadline;
    return isLate && !(verdict.kind === 'unknown' && this.#watch!.isQuiet());
  }

  #refusal(seen: Seen, verdict: Verdict): Error {
    const { options, turns } = this.#seat;
    const linkedLate = seen.ctimeMs - seen.mtimeMs > 1_000 ? seen.ctimeMs : null;
    const since = turns?.sinceOf(seen.token) ?? linkedLate;
    return lockedByEngine(seen.file, verdict, since, options.processes.self);
  }

  async #rest(seen: Seen, verdict: Verdict): Promise<void> {
    const { turns } = this.#seat;
    const isAsked = verdict.kind === 'alive' && seen.file?.socket != null;
    this.#isInLine = isAsked && ((await turns?.lineUp(seen.token)) ?? false);
    const longest = verdict.kind === 'unknown' ? UNKNOWN_PAUSE : LONG_PAUSE;
    this.#pause = Math.min(this.#pause * 2, longest);
    const pause = this.#isInLine ? CALLED_PAUSE : this.#pause * (0.5 + Math.random() / 2);
    const left = Math.max(1, this.#deadline - performance.now() + 1);
    const most = verdict.kind === 'unknown' ? pause : Math.min(pause, left);
    if (turns) this.#isCalled = await turns.pause(most);
    else await new Promise(resolve => setTimeout(resolve, most));
  }
}

/** Milliseconds for who was woken to take the lock, and for its turn to end. */
const POLITE_PAUSE = 50;
