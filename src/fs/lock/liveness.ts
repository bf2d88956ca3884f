/**
 * Whether the owner of a lock still lives, as one waiter finds it out. Dead is only what the kernel vouches for: a process
 * that is gone from the namespace in which it is numbered as this one is, a socket on which nobody listens any more, a
 * machine that was started anew. Everything else is unknown, and then the lease decides: an owner renews its lock every
 * second, and one that was seen not to do so for long enough has lost it.
 */

import type { LockFile, Seen } from './lock-file.ts';
import type { LockQueue } from './lock-queue.ts';
import type { Disk, Processes } from './processes.ts';

export type Verdict =
  | { kind: 'alive' | 'dead'; how: string }
  /** `lastsFor`: milliseconds until the lease runs out if no sign of life is seen. */
  | { kind: 'unknown'; how: string; lastsFor: number };

/** Times for judging an owner, in milliseconds. Tests use shorter ones. */
export interface Pace {
  /** Between two looks at a lease, and how far apart they may at most be. */
  look: number;
  longestGap: number;
  /** So many looks in a row must show no renewal. */
  looks: number;
  /** A refused connection counts only after no renewal for so long. */
  refused: number;
}

export const PACE: Pace = { look: 2_000, longestGap: 5_000, looks: 15, refused: 3_000 };

export interface WatchOptions {
  processes: Processes;
  /** The kind of disk that the folder is on, as this process sees it. */
  disk: Disk;
  turns: LockQueue | null;
  pace: Pace;
}

/** One waiter's observation of one lock; whoever takes the lock next is observed anew. */
export class OwnerWatch {
  readonly token: string;
  readonly #options: WatchOptions;
  #state = '';
  /** Monotonic time of the first look that showed this state, and of the last counted and the last look at all. */
  #since = 0;
  #counted = 0;
  #last = 0;
  #lastWall = 0;
  #looks = 0;
  #refusals = 0;
  /** When the state was seen to change. */
  #renewed = Number.NEGATIVE_INFINITY;

  constructor(token: string, options: WatchOptions) {
    this.token = token;
    this.#options = options;
  }

  /** True while no sign of life is seen: none at all, or none for longer than an owner that lives takes. */
  isQuiet(): boolean {
    return performance.now() - this.#renewed > QUIET;
  }

  /** To be asked with a fresh look each time. */
  async judge(seen: Seen): Promise<Verdict> {
    this.#note(seen);
    const sure = this.#bySystem(seen);
    if (sure) return sure;
    if (!seen.file) return this.#byLease('it cannot be read');
    const running = this.#isRunning(seen.file) === true;
    const { socket } = seen.file;
    const found = socket && this.#options.turns ? await this.#options.turns.reach(seen.token) : 'none';
    if (found === 'alive') return { kind: 'alive', how: 'it accepts connections on its socket' };
    if (found === 'stuck') return { kind: 'dead', how: 'it let go of the lock and could not remove it' };
    if (found === 'refused') return this.#byRefusal(seen.file);
    if (running) return { kind: 'alive', how: `process ${seen.file.pid} is running` };
    return this.#byLease(
      found === 'none' ? 'it has no socket to ask' : 'its socket cannot be reached from here',
    );
  }

  #note({ state }: Seen): void {
    const { look, longestGap } = this.#options.pace;
    const [now, wall] = [performance.now(), Date.now()];
    const gap = Math.max(now - this.#last, wall - this.#lastWall);
    if (this.#state !== '' && state !== this.#state) this.#renewed = now;
    if (state !== this.#state || gap > longestGap) {
      [this.#state, this.#since, this.#counted, this.#looks, this.#refusals] = [state, now, now, 0, 0];
    } else if (now - this.#counted >= look) {
      this.#counted = now;
      this.#looks++;
    }
    [this.#last, this.#lastWall] = [now, wall];
  }

  #bySystem(seen: Seen): Verdict | null {
    const { processes, disk } = this.#options;
    const { file } = seen;
    if (!seen.regular) return { kind: 'dead', how: 'what lies in its place is no lock of the engine' };
    if (processes.alone && !file) return { kind: 'dead', how: 'it cannot be read, and nobody else is here' };
    if (!file) return isOlderThanBoot(seen, processes, disk) ? RESTARTED : null;
    if (this.#isRunning(file) === false) return { kind: 'dead', how: `process ${file.pid} has ended` };
    const { boot, host } = processes.self;
    const isRestarted = boot !== null && file.boot !== null && file.boot !== boot && file.host === host;
    return isRestarted && file.disk === disk && isOlderThanBoot(seen, processes, disk) ? RESTARTED : null;
  }

  #isRunning(file: LockFile): boolean | null {
    const { processes, disk } = this.#options;
    return processes.isAlive(file, file.disk === disk ? disk : 'other');
  }

  /** A socket in a layer of an overlay is refused though its owner lives; so is one of another machine. */
  #byRefusal({ token, boot, disk, socket }: LockFile): Verdict {
    const { processes, disk: here, turns, pace } = this.#options;
    const isSame = sameSocket(turns!.idOf(token), socket!);
    const isHere = boot !== null && boot === processes.self.boot && disk === 'local' && here === 'local';
    if (!isSame || !isHere)
      return this.#byLease('nobody answers on its socket, which may be out of reach from here');
    this.#refusals++;
    const quiet = performance.now() - this.#since;
    if (this.#refusals >= 2 && quiet >= pace.refused)
      return { kind: 'dead', how: 'nobody listens on its socket any more' };
    return {
      kind: 'unknown',
      how: 'nobody listens on its socket',
      lastsFor: Math.max(0, pace.refused - quiet),
    };
  }

  #byLease(how: string): Verdict {
    const { look, looks } = this.#options.pace;
    const left = looks - this.#looks;
    if (left <= 0) return { kind: 'dead', how: `${how}, and it gave no sign for ${(look * looks) / 1000} s` };
    return { kind: 'unknown', how, lastsFor: Math.max(0, left * look - (performance.now() - this.#counted)) };
  }
}

/** Milliseconds; an owner renews its lock every second. */
const QUIET = 2_500;

const RESTARTED: Verdict = { kind: 'dead', how: 'the machine was started anew since' };

/**
 * True when the last sign of life is from before this machine was started. An owner elsewhere would have given one since
 * then, or have lost the lock by its lease, if the machine has been up for that long.
 */
function isOlderThanBoot({ mtimeMs, ctimeMs }: Seen, processes: Processes, disk: Disk): boolean {
  const boot = processes.bootTime();
  if (boot === null || disk !== 'local') return false;
  return Math.max(mtimeMs, ctimeMs) < boot && Date.now() - boot > LONGER_THAN_A_LEASE;
}

/** Milliseconds. */
const LONGER_THAN_A_LEASE = 35_000;

function sameSocket(a: { dev: string; ino: string } | null, b: { dev: string; ino: string }): boolean {
  return a !== null && a.dev === b.dev && a.ino === b.ino;
}
