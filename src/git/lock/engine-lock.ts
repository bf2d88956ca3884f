/**
 * The lock of the engine: one writer at a time in a repository, in this process, in others, in other containers and on other
 * machines that share its folder. Files, all in the engine's folder:
 *
 *     lock                 the lock: a hard link of its owner's finished lock file
 *     live/<token>.lock    the finished lock file of a process
 *     live/<token>         the socket on which it can be asked
 *     live/<token>.guard   held by who takes over the lock of the dead owner <token>
 *
 * Taking a free lock is one link(2), which fails where there is a lock; giving it back one lstat and one unlink.
 */

import { OwnerWatch, PACE, type Pace, type Verdict } from './liveness.ts';
import type { LockFile, Seen } from './lock-file.ts';
import type { Processes } from './processes.ts';
import { lockedByEngine } from './refusal.ts';
import { Seat, type SeatOptions } from './seat.ts';
import { takeOver } from './take-over.ts';

export interface EngineLock {
  /** Names this process's files in tmp/. */
  readonly token: string;
  /** Tokens of owners whose lock was taken over: what they left is recovery's to finish. Empty as a rule. */
  readonly tookOver: readonly string[];
  /** True while another process waits for the lock. */
  readonly isWanted: boolean;
  /** False when another process took this lock over: nothing may be written any more. One lstat. */
  isMine(): Promise<boolean>;
  release(): Promise<void>;
}

export interface LockOptions extends SeatOptions {
  /** Milliseconds to wait for an owner that lives. */
  patience: number;
  /** The token of an owner that counts as dead whatever can be told of it. */
  force?: string;
  pace?: Pace;
}

/** The seats of a process, and the end of the line of its own calls, by folder. */
interface Place {
  seat: Seat | null;
  tail: Promise<void>;
  /** Monotonic time of the last release, and what tidies up after a while without one. */
  used: number;
  idle: ReturnType<typeof setTimeout> | null;
  /** Monotonic time at which the event loop was last seen to turn. */
  turned: number;
}

const places = new WeakMap<Processes, Map<string, Place>>();

function placeOf({ processes, folder }: LockOptions): Place {
  const all = places.get(processes) ?? new Map<string, Place>();
  places.set(processes, all);
  const place = all.get(folder) ?? { seat: null, tail: Promise.resolve(), used: 0, idle: null, turned: 0 };
  all.set(folder, place);
  return place;
}

/** Takes the lock of a folder that exists, waiting for a living owner. Throws LOCKED, with the holder, when the patience ends. */
export async function takeEngineLock(options: LockOptions): Promise<EngineLock> {
  const deadline = performance.now() + options.patience;
  const place = placeOf(options);
  const done = await turnInProcess(place, options, deadline);
  try {
    return await take(place, options, deadline, done);
  } catch (error) {
    done();
    throw error;
  }
}

/** One call of a process at a time. Answers what lets the next one go on. */
async function turnInProcess(place: Place, options: LockOptions, deadline: number): Promise<() => void> {
  let done!: () => void;
  const before = place.tail;
  const mine = new Promise<void>(resolve => {
    done = resolve;
  });
  place.tail = before.then(() => mine);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'late'>(resolve => {
    timer = setTimeout(resolve, Math.max(0, deadline - performance.now()), 'late');
  });
  const first = await Promise.race([before, late]);
  clearTimeout(timer);
  if (first !== 'late') return done;
  done();
  const { self } = options.processes;
  const file: LockFile | null = place.seat ? place.seat.content([]) : null;
  throw lockedByEngine(file, { kind: 'alive', how: 'it is this process' }, null, self);
}

async function take(
  place: Place,
  options: LockOptions,
  deadline: number,
  done: () => void,
): Promise<EngineLock> {
  const end = (): void => {
    done();
    leaveWhenIdle(place, options);
  };
  await turnOfTheLoop(place, options);
  for (;;) {
    const seat = await seatOf(place, options);
    const isPolite = seat.turns?.successor != null;
    if (!isPolite && (await seat.tryTake())) return lockOf(seat, [], end);
    if (!seat.usable) continue;
    const waiter = new Waiter(seat, options, deadline);
    const tookOver = await waiter.wait();
    if (tookOver) return lockOf(seat, tookOver, end);
  }
}

async function seatOf(place: Place, options: LockOptions): Promise<Seat> {
  if (place.seat?.usable) return place.seat;
  await place.seat?.close();
  place.seat = await Seat.open(options);
  return place.seat;
}

function lockOf(seat: Seat, tookOver: readonly string[], done: () => void): EngineLock {
  return {
    token: seat.token,
    tookOver,
    get isWanted() {
      return seat.turns?.isWanted ?? false;
    },
    isMine: () => seat.isMine(),
    async release() {
      try {
        await seat.release();
      } finally {
        done();
      }
    },
  };
}

/** Milliseconds for which edits that wait for nothing may follow each other before those who wait are listened to. */
const UNHEARD = 10;

/** A process that never lets its event loop turn would never hear that somebody waits. */
async function turnOfTheLoop(place: Place, { processes }: LockOptions): Promise<void> {
  if (processes.alone || performance.now() - place.turned < UNHEARD) return;
  await place.seat?.turns?.hear();
  place.turned = performance.now();
}

/** Milliseconds. A socket is in the way of who copies a folder, and making another one takes less than one. */
const IDLE = 10_000;

function leaveWhenIdle(place: Place, options: LockOptions): void {
  place.used = performance.now();
  if (place.idle || options.processes.alone) return;
  const check = (): void => {
    place.idle = null;
    if (performance.now() - place.used >= IDLE - 1) void leaveEngineLock(options).catch(() => {});
    else place.idle = unhurried(check);
  };
  place.idle = unhurried(check);
}

/** A timer that keeps no process alive. */
function unhurried(run: () => void): ReturnType<typeof setTimeout> {
  const timer = setTimeout(run, IDLE);
  (timer as { unref?: () => void }).unref?.();
  return timer;
}

/** Removes what this process has in the folder, unless it holds the lock or waits for it; it comes back when it is needed. */
export async function leaveEngineLock(options: Pick<LockOptions, 'processes' | 'folder'>): Promise<void> {
  const place = places.get(options.processes)?.get(options.folder);
  if (!place) return;
  const before = place.tail;
  const left = before.then(async () => {
    const { seat, idle } = place;
    if (idle) clearTimeout(idle);
    place.idle = null;
    place.seat = null;
    await seat?.close();
  });
  place.tail = left.catch(() => {});
  await left;
}

/** Milliseconds between two looks at a lock whose owner wakes nobody, and at one whose owner will. */
const SHORT_PAUSE = 1;
const LONG_PAUSE = 8;
const UNKNOWN_PAUSE = 250;
const CALLED_PAUSE = 100;

/** Milliseconds for who was woken to take the lock before somebody else does. */
const OTHERS_TURN = 10;

/** One wait for the lock, over however many owners. */
class Waiter {
  readonly #seat: Seat;
  readonly #options: LockOptions;
  readonly #deadline: number;
  #watch: OwnerWatch | null = null;
  readonly #guards = new Map<string, OwnerWatch>();
  #pause = SHORT_PAUSE;

  constructor(seat: Seat, options: LockOptions, deadline: number) {
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
    } else if (this.#isOverdue(verdict)) throw this.#refusal(seen, verdict);
    await this.#rest(seen, verdict);
    return null;
  }

  async #judge(seen: Seen): Promise<Verdict> {
    if (seen.token === this.#options.force) return { kind: 'dead', how: 'it was told so' };
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

  /** Who cannot be asked and gives no sign is waited for until the lease decides: else nobody in a hurry ever took over. */
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
