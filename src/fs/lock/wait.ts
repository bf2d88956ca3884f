/** Waiting for the lock: a look whether it is free again and again, with pauses that become shorter, and now and then one at its owner. */

import { sleep } from '../sleep.ts';
import { lockedByEngine } from './inspect.ts';
import { OwnerWatch, type Pace, type Verdict } from './liveness.ts';
import type { Seen } from './lock-file.ts';
import type { LockRegistration } from './registration.ts';
import { takeOver } from './take-over.ts';

export interface WaitOptions {
  /** The token of an owner that counts as dead whatever can be told of it. */
  force?: string | undefined;
  /** The token under which this process itself held the lock, and does not any more. */
  left: string;
  pace: Pace;
}

/**
 * Milliseconds. Who has waited for longer tries more often, so that the oldest is the next as a rule; with pauses that grow, the
 * longest wait of eight processes is four times as long.
 */
const PAUSES: ReadonlyArray<{ before: number; least: number; most: number }> = [
  { before: 20, least: 1, most: 6 },
  { before: 60, least: 1, most: 2.5 },
  { before: 500, least: 1, most: 1 },
  // It is not the turns of others that last so long.
  { before: Number.POSITIVE_INFINITY, least: 5, most: 10 },
];

/** Milliseconds between two tries while nobody can tell whether the owner lives, and between two looks at it. */
const UNKNOWN_PAUSE = 25;
const LOOK = 50;

const BEING_TAKEN: Verdict = {
  kind: 'alive',
  how: 'it is dead, and another process is taking its lock over',
};

export class Wait {
  readonly #registration: LockRegistration;
  readonly #options: WaitOptions;
  readonly #deadline: number;
  #watch: OwnerWatch | null = null;
  readonly #guards = new Map<string, OwnerWatch>();
  #looked = Number.NEGATIVE_INFINITY;
  #isUnknown = false;

  constructor(registration: LockRegistration, options: WaitOptions, deadline: number) {
    this.#registration = registration;
    this.#options = options;
    this.#deadline = deadline;
  }

  /**
   * Waits for the lock, which was not free a moment ago. Answers whom it was taken over from, or `null` when the registration is of no
   * use any more.
   */
  async take(): Promise<readonly string[] | null> {
    const registration = this.#registration;
    const begun = performance.now();
    while (registration.usable) {
      const taken = await this.#whileHeld();
      if (taken) return taken;
      await sleep(this.#isUnknown ? UNKNOWN_PAUSE : pauseAfter(performance.now() - begun));
      if (!(await registration.isHeld()) && (await registration.tryTake())) return [];
    }
    return null;
  }

  async #whileHeld(): Promise<readonly string[] | null> {
    await this.#registration.noteWanted();
    const now = performance.now();
    if (now - this.#looked < LOOK && now <= this.#deadline) return null;
    this.#looked = now;
    const seen = await this.#registration.read();
    return seen && this.#dealWith(seen);
  }

  /** Takes over from a dead owner. Throws LOCKED when another one was waited for long enough. */
  async #dealWith(seen: Seen): Promise<readonly string[] | null> {
    const verdict = await this.#judge(seen);
    this.#isUnknown = verdict.kind === 'unknown';
    if (verdict.kind === 'dead') {
      const taken = await takeOver(this.#registration, seen, guard => this.#isDeadGuard(guard));
      if (taken) return taken;
      if (performance.now() > this.#deadline) throw this.#refusal(seen, BEING_TAKEN);
    } else if (this.#isOverdue(verdict)) throw this.#refusal(seen, verdict);
    return null;
  }

  async #judge(seen: Seen): Promise<Verdict> {
    if (seen.token === this.#options.force) return { kind: 'dead', how: 'it was told so' };
    if (seen.token === this.#options.left) return { kind: 'dead', how: 'this process lost it' };
    if (this.#watch?.token !== seen.token) this.#watch = this.#newWatch(seen.token);
    return this.#watch.judge(seen);
  }

  #newWatch(token: string): OwnerWatch {
    const { processes } = this.#registration.options;
    const { disk, live } = this.#registration;
    return new OwnerWatch(token, { processes, disk, live, pace: this.#options.pace });
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
    const linkedLate = seen.ctimeMs - seen.mtimeMs > 1_000 ? seen.ctimeMs : null;
    const since = this.#watch?.heldSince ?? linkedLate;
    return lockedByEngine(seen.file, verdict, since, this.#registration.options.processes.self);
  }
}

function pauseAfter(waited: number): number {
  const { least, most } = PAUSES.find(({ before }) => waited < before)!;
  return least + Math.random() * (most - least);
}
