/**
 * Whether the owner of a lock still lives, as one waiter finds it out. Dead is only what the kernel vouches for: a process
 * that is gone from the namespace in which it is numbered as this one is, a socket on which nobody listens any more, a
 * machine that was started anew. Everything else is unknown, and then the lease decides: an owner renews its lock every
 * second, and one that was seen not to do so for long enough has lost it.
 */

import type { LockFile, Seen } from './lock-file.ts';
import type { Disk, Processes, Reached } from './processes.ts';

export type Verdict =
  | { kind: 'alive' | 'dead'; how: string }
  /** `lastsFor`: milliseconds until the lease runs out if no sign of life is seen. */
  | { kind: 'unknown'; how: string; lastsFor: number };

/** Times for judging an owner, in milliseconds. Tests use shorter ones. */
export interface Pace {
  /** Between two looks at a lease, and how far apart they may at most be. */
  look: number;
  longestGap: number;
  /** The number of looks in a row that must show no renewal. */
  looks: number;
  /** A refused connection counts only after no renewal for so long. */
  refused: number;
  /** An owner whose process runs is asked by its socket when it was watched for so long, and another one at once. */
  asked: number;
}

export const PACE: Pace = { look: 2_000, longestGap: 5_000, looks: 15, refused: 3_000, asked: 100 };

export interface WatchOptions {
  processes: Processes;
  /** The kind of disk that the folder is on, as this process sees it. */
  disk: Disk;
  /** The folder of the sockets. */
  live: string;
  pace: Pace;
}

/** The answer of a socket, and whether it is the socket that the lock names. */
type Answer = Reached & { isSame: boolean };

/** One waiter's observation of one lock; whoever takes the lock next is observed anew. */
export class OwnerWatch {
  readonly token: string;
  /** Since when the owner holds the lock, as it said itself: milliseconds since 1970. */
  heldSince: number | null = null;
  readonly #options: WatchOptions;
  readonly #begun: number = performance.now();
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
  #answer: { at: number; told: Answer } | null = null;

  constructor(token: string, options: WatchOptions) {
    this.token = token;
    this.#options = options;
  }

  /** True while no sign of life is seen: none at all, or none for longer than an owner that lives takes. */
  isQuiet(): boolean {
    return performance.now() - this.#renewed > QUIET;
  }

  /** Judges the owner, by a fresh look each time. */
  async judge(seen: Seen): Promise<Verdict> {
    this.#note(seen);
    const { file } = seen;
    const runs = file && this.#isRunning(file);
    const sure = this.#bySystem(seen, runs);
    if (sure) return sure;
    if (!file) return this.#byLease('it cannot be read');
    const running: Verdict | null =
      runs === null ? null : { kind: 'alive', how: `process ${file.pid} is running` };
    if (running && performance.now() - this.#begun < this.#options.pace.asked) return running;
    const answer = file.socket && (await this.#ask(file.socket));
    if (answer?.said.includes(' stuck '))
      return { kind: 'dead', how: 'it let go of the lock and could not remove it' };
    if (answer?.contact === 'open') return { kind: 'alive', how: 'it accepts connections on its socket' };
    if (running) return running;
    if (answer?.contact === 'refused') return this.#byRefusal(file, answer.isSame);
    return this.#byLease(answer ? 'its socket cannot be reached from here' : 'it has no socket to ask');
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

  #bySystem(seen: Seen, runs: boolean | null): Verdict | null {
    const { processes, disk } = this.#options;
    const { file } = seen;
    if (!seen.regular) return { kind: 'dead', how: 'what lies in its place is no lock of the engine' };
    if (seen.torn && disk === 'local') return { kind: 'dead', how: 'it was cut off by a power cut' };
    if (runs === false) return { kind: 'dead', how: `process ${file!.pid} has ended` };
    const { boot, host } = processes.self;
    const isOtherBoot = (one: string | null): boolean => one !== null && one !== boot;
    const mayBeOlder =
      !file || (boot !== null && isOtherBoot(file.boot) && file.host === host && file.disk === disk);
    return mayBeOlder && isOlderThanBoot(seen, processes, disk) ? RESTARTED : null;
  }

  /** Tells whether the owner runs; `null` where nobody can tell: a pid of another machine, or of another start, is no evidence. */
  #isRunning(file: LockFile): boolean | null {
    const { processes, disk } = this.#options;
    return processes.isAlive(file, file.disk === disk ? disk : 'other');
  }

  /** Asks the owner by its socket; not again within half a second. */
  async #ask(socket: NonNullable<LockFile['socket']>): Promise<Answer | null> {
    const now = performance.now();
    if (this.#answer && now - this.#answer.at < RETRY) return this.#answer.told;
    const sockets = await this.#options.processes.openSockets(this.#options.live);
    if (!sockets) return null;
    try {
      const [reached, id] = [await sockets.ask(this.token), sockets.idOf(this.token)];
      const told = { ...reached, isSame: id?.dev === socket.dev && id.ino === socket.ino };
      if (told.contact === 'refused') this.#refusals++;
      this.heldSince = Number(told.said.split(' ')[3]) || null;
      this.#answer = { at: now, told };
      return told;
    } finally {
      sockets.close();
    }
  }

  /** Judges by a refused connection. In an overlay, or from another machine, it is refused though the owner lives. */
  #byRefusal({ boot, disk }: LockFile, isSame: boolean): Verdict {
    const { processes, disk: here, pace } = this.#options;
    const isHere = boot !== null && boot === processes.self.boot && disk === 'local' && here === 'local';
    if (!isSame || !isHere)
      return this.#byLease('nobody answers on its socket, which may be out of reach from here');
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

/** Milliseconds within which a socket is not asked again. */
const RETRY = 500;

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
