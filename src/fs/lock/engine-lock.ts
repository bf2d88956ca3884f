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

import type { LockFile } from './lock-file.ts';
import type { Processes } from './processes.ts';
import { lockedByEngine } from './refusal.ts';
import { Seat, type SeatOptions } from './seat.ts';
import { Waiter, type WaitOptions } from './waiter.ts';

/** Another process took the lock over: the change is planned again when it is ours again. */
export class LockLost extends Error {}

/** The token of an owner of the lock that counts as dead whatever can be told of it. */
export interface Force {
  force?: string;
}

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

export interface LockOptions extends SeatOptions, WaitOptions {
  /** Milliseconds to wait for an owner that lives. */
  patience: number;
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
  /** The token of the seat before: a lock that still says it was lost amid a change, and is of nobody. */
  left: string | null;
}

const places = new WeakMap<Processes, Map<string, Place>>();

function placeOf({ processes, folder }: LockOptions): Place {
  const all = places.get(processes) ?? new Map<string, Place>();
  places.set(processes, all);
  const none = { seat: null, tail: Promise.resolve(), used: 0, idle: null, turned: 0, left: null };
  const place = all.get(folder) ?? none;
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
    const waiter = new Waiter(seat, { ...options, left: place.left }, deadline);
    const tookOver = await waiter.wait();
    if (tookOver) return lockOf(seat, tookOver, end);
  }
}

async function seatOf(place: Place, options: LockOptions): Promise<Seat> {
  if (place.seat?.usable) return place.seat;
  await leaveSeat(place);
  place.seat = await Seat.open(options);
  return place.seat;
}

async function leaveSeat(place: Place): Promise<void> {
  const { seat } = place;
  place.seat = null;
  place.left = seat?.token ?? place.left;
  await seat?.close();
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
    if (place.idle) clearTimeout(place.idle);
    place.idle = null;
    await leaveSeat(place);
  });
  place.tail = left.catch(() => {});
  await left;
}
