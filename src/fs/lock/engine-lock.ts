/**
 * The lock of the engine: one writer at a time in a repository, in this process, in others, in other containers and on other
 * machines that share its folder. Files, all in the engine's folder:
 *
 *     lock                 the lock: a hard link of its owner's finished lock file
 *     wanted               a byte is written to it by each who finds the lock held
 *     live/<token>.lock    the finished lock file of a process
 *     live/<token>         the socket on which it can be asked
 *     live/<token>.guard   held by who takes over the lock of the dead owner <token>
 *
 * Taking a free lock is one link(2), which fails where there is a lock; giving it back a look at it, an unlink, and a look at
 * `wanted`. A file system that this process alone can reach needs none of it.
 */

import { lockedByEngine } from './inspect.ts';
import { PACE } from './liveness.ts';
import type { Processes } from './processes.ts';
import { LockRegistration, type LockRegistrationOptions } from './registration.ts';
import { Wait, type WaitOptions } from './wait.ts';

/** Another process took the lock over: the change is planned again when it is ours again. */
export class LockLost extends Error {}

/** The token of an owner of the lock that counts as dead whatever can be told of it. */
export interface Force {
  force?: string;
}

export interface EngineLock {
  /** Names this process's files in tmp/. */
  readonly token: string;
  /** The token of the owner whose lock was taken over: what it left is recovery's to finish. Empty as a rule. */
  readonly tookOver: readonly string[];
  /** False when another process took this lock over: nothing may be written any more. One lstat. */
  isMine(): Promise<boolean>;
  release(): Promise<void>;
}

export interface LockOptions
  extends LockRegistrationOptions,
    Pick<WaitOptions, 'force'>,
    Partial<WaitOptions> {
  /** Milliseconds to wait for an owner that lives. */
  patience: number;
}

/** The state of a process at the lock of one folder. */
interface FolderLock {
  line: LineInProcess;
  registration: LockRegistration | null;
  /** The token of the last registration: a lock that still names it was lost amid a change, and belongs to nobody. */
  token: string;
}

const folderLocks = new WeakMap<Processes, Map<string, FolderLock>>();

function folderLockOf({ processes, folder }: Pick<LockOptions, 'processes' | 'folder'>): FolderLock {
  const all = folderLocks.get(processes) ?? new Map<string, FolderLock>();
  folderLocks.set(processes, all);
  const place = all.get(folder) ?? {
    line: new LineInProcess(),
    registration: null,
    token: processes.newToken(),
  };
  all.set(folder, place);
  return place;
}

/** Takes the lock of a folder that exists, waiting for a living owner. Throws LOCKED, with the holder, when the patience ends. */
export async function takeEngineLock(options: LockOptions): Promise<EngineLock> {
  const { force, pace = PACE, patience, processes } = options;
  const deadline = performance.now() + patience;
  const place = folderLockOf(options);
  if (!place.line.tryEnter() && !(await place.line.wait(deadline))) throw lockedHere(options);
  try {
    if (processes.alone) return lockInProcess(place);
    for (;;) {
      const registration = place.registration?.usable ? place.registration : await register(place, options);
      const tookOver = (await registration.tryTake())
        ? []
        : await new Wait(registration, { force, pace, left: place.token }, deadline).take();
      if (!tookOver) continue;
      registration.tookOver = tookOver;
      return registration;
    }
  } catch (error) {
    place.line.leave();
    throw error;
  }
}

function lockedHere({ processes: { self } }: LockOptions): Error {
  return lockedByEngine(self, { kind: 'alive', how: 'it is this process' }, null, self);
}

function lockInProcess({ token, line }: FolderLock): EngineLock {
  return { token, tookOver: [], isMine: async () => true, release: async () => line.leave() };
}

async function register(place: FolderLock, options: LockOptions): Promise<LockRegistration> {
  await unregister(place);
  place.registration = await LockRegistration.open(
    options,
    () => void leaveEngineLock(options).catch(() => {}),
    () => place.line.leave(),
  );
  return place.registration;
}

async function unregister(place: FolderLock): Promise<void> {
  const { registration } = place;
  place.registration = null;
  place.token = registration?.token ?? place.token;
  await registration?.close();
}

/** Removes what this process has in the folder, when it neither holds the lock nor waits for it; it comes back when it is needed. */
export async function leaveEngineLock(options: Pick<LockOptions, 'processes' | 'folder'>): Promise<void> {
  const place = folderLocks.get(options.processes)?.get(options.folder);
  if (!place) return;
  if (!place.line.tryEnter()) await place.line.wait();
  await unregister(place).finally(() => place.line.leave());
}

/** The calls of one process that want the same thing, one after the other. */
class LineInProcess {
  #isBusy = false;
  readonly #waiting: Array<() => void> = [];

  /** False where another call is in: then it is to be waited for. */
  tryEnter(): boolean {
    const isFree = !this.#isBusy;
    this.#isBusy = true;
    return isFree;
  }

  /** Waits for the calls before this one. False when the deadline, a monotonic time, came first: then there is nothing to leave. */
  wait(deadline: number = Number.POSITIVE_INFINITY): Promise<boolean> {
    return new Promise(resolve => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const go = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        resolve(false);
      };
      this.#waiting.push(go);
      if (Number.isFinite(deadline)) timer = setTimeout(giveUp, Math.max(0, deadline - performance.now()));
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#isBusy = false;
  }
}
