/** Waiting for the lock: a look whether it is free again and again, with pauses that become shorter, and now and then one at its owner, from whom it is taken over where that one is dead. */

import { sleep } from '../all-done.ts';
import { removeIfThere } from '../durable.ts';
import { errno, isMissing } from '../fs.ts';
import { lockedByEngine } from './inspect.ts';
import { OwnerWatch, type Pace, type Verdict } from './liveness.ts';
import { readLockFile, type Seen } from './lock-file.ts';
import type { LockRegistration } from './registration.ts';

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

/** Asked of the owner of a guard that is in the way. */
type IsDead = (guard: Seen) => Promise<boolean>;

/**
 * Replaces the lock that was `seen` by one of this process. Answers the token of the one whose work is to be repaired, or `null`
 * when somebody was faster, or the owner gave a sign of life. There is no moment at which the lock is free while what the dead
 * owner left is not repaired: whoever dies after this and before the repair leaves a lock of a dead owner again.
 *
 * A guard, named after the dead owner, makes sure that only one waiter is between the second look and the replacement:
 * without it two of them would each replace a lock, the second one a living owner's. The guard is the new lock itself under
 * another name, and renaming it is what takes over. So a waiter that was taken for dead there and goes on finds its guard
 * gone, or renames that of its successor to where that one wants it.
 */
async function takeOver(
  registration: LockRegistration,
  seen: Seen,
  isDead: IsDead,
): Promise<string[] | null> {
  const { fs } = registration.options;
  try {
    if (!(await seize(registration, registration.path, seen, isDead))) return null;
  } catch (error) {
    if (!isMissing(error)) throw error;
    // Swept away by who took this process for dead: it takes another one.
    registration.usable = false;
    return null;
  }
  await registration.took();
  const names = ['', '.lock', '.draft'].map(ending => seen.token + ending);
  for (const name of seen.file ? names : [])
    await removeIfThere(fs, `${registration.live}/${name}`).catch(() => false);
  return [seen.token];
}

/** Replaces the file at `path`, a lock or a guard, if it still is what was seen. True when it is this process's then. */
async function seize(
  registration: LockRegistration,
  path: string,
  seen: Seen,
  isDead: IsDead,
): Promise<boolean> {
  const { fs } = registration.options;
  const guard = `${registration.live}/${seen.token}.guard`;
  if (!(await takeGuard(registration, guard, isDead))) return false;
  try {
    const now = await readLockFile(fs, path);
    if (now?.state !== seen.state) {
      await dropGuard(registration, guard);
      return now?.token === registration.token;
    }
    await fs.rename(guard, path);
  } catch (error) {
    if (!isMissing(error)) {
      // The guard of a process that lives would be in everybody's way.
      await dropGuard(registration, guard).catch(() => {});
      throw error;
    }
  }
  // What cannot be looked at is ours as a rule, and would be held by nobody; before a change is made it is looked at again.
  return readLockFile(fs, path).then(
    after => after?.token === registration.token,
    () => true,
  );
}

async function takeGuard(registration: LockRegistration, guard: string, isDead: IsDead): Promise<boolean> {
  const { fs } = registration.options;
  try {
    await fs.link(registration.file, guard);
    return true;
  } catch (error) {
    if (errno(error) !== 'EEXIST') throw error;
  }
  const holder = await readLockFile(fs, guard);
  if (!holder || !(await isDead(holder))) return false;
  return seize(registration, guard, holder, isDead);
}

/** Removes the guard where it is this process's own: somebody may have taken it over. */
async function dropGuard(registration: LockRegistration, guard: string): Promise<void> {
  const { fs } = registration.options;
  if ((await readLockFile(fs, guard))?.token === registration.token) await removeIfThere(fs, guard);
}
