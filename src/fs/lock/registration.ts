/**
 * The registration of a process for the lock of one folder: a token, its finished lock file, and the socket on which it can be
 * asked. Made once, to take the lock again and again; made anew with another token when the process lost its lock or
 * its files.
 */

import { sleep } from '../all-done.ts';
import { ensureFolder, parentOf, removeIfThere, removeSurely, replaceFile } from '../durable.ts';
import { unsupported } from '../failures.ts';
import { errno, type FileHandle, type Fs, hasNoLinks, isMissing } from '../fs.ts';
import { assertNoSymlinks } from '../no-symlinks.ts';
import { encodeLock, readLockFile, type Seen } from './lock-file.ts';
import type { Disk, Processes, SocketFolder } from './processes.ts';
import { Wanted } from './wanted.ts';

export interface LockRegistrationOptions {
  fs: Fs;
  processes: Processes;
  /** The engine's folder, which exists. */
  folder: string;
}

/** Milliseconds: an owner renews its lock so often, and takes it for lost when it could not for so long. */
const RENEW = 1_000;
const LOST = 25_000;

/** Milliseconds. A socket is in the way of who copies a folder, and making another one takes less than one. */
const IDLE = 10_000;

/** Milliseconds for those who wait, before this process tries to have the lock again. */
const BACK_OFF = 3;

/** `stuck`: the lock could not be removed, and is held by nobody. */
type LockState = 'held' | 'free' | 'stuck';

export class LockRegistration {
  readonly options: LockRegistrationOptions;
  readonly token: string;
  readonly disk: Disk;
  /** The files of all processes. */
  readonly live: string;
  /** The lock itself, and the process's own file of which it is a link. */
  readonly path: string;
  readonly file: string;
  /** False when this registration can take no lock any more. */
  usable = true;
  /** See EngineLock. */
  tookOver: readonly string[] = [];
  readonly #isIdle: () => void;
  readonly #isReleased: () => void;
  #sockets: SocketFolder | null = null;
  #wanted: Wanted | null = null;
  /** The number of a file that is open is given to no other, even when all its names are gone. */
  #open: { handle: FileHandle; ino: bigint } | null = null;
  #state: LockState = 'free';
  #since = 0;
  /** Monotonic and wall-clock time of the last sign of life, or of the last lock that was given back. */
  #renewed = { at: performance.now(), wall: Date.now() };
  #politeUntil = 0;
  #hasLeft = false;
  #timer: ReturnType<typeof setInterval> | null = null;
  #keepAtExit: () => void = () => {};

  private constructor(options: LockRegistrationOptions, isIdle: () => void, isReleased: () => void) {
    this.options = options;
    this.#isIdle = isIdle;
    this.#isReleased = isReleased;
    this.token = options.processes.newToken();
    this.disk = options.processes.diskOf(options.folder);
    this.live = `${options.folder}/live`;
    this.path = `${options.folder}/lock`;
    this.file = `${this.live}/${this.token}.lock`;
  }

  /** `isIdle` is called when the lock was not taken for ten seconds, `isReleased` each time when it is given back. */
  static async open(
    options: LockRegistrationOptions,
    isIdle: () => void,
    isReleased: () => void,
  ): Promise<LockRegistration> {
    const registration = new LockRegistration(options, isIdle, isReleased);
    const { fs, folder } = options;
    await assertNoSymlinks(fs, parentOf(folder), registration.live);
    await ensureFolder(fs, registration.live);
    try {
      await registration.#appear();
    } catch (error) {
      await registration.close().catch(() => {});
      throw error;
    }
    // What cannot be swept away now can be later.
    await sweep(registration).catch(() => {});
    return registration;
  }

  async #appear(): Promise<void> {
    const { fs, folder, processes } = this.options;
    this.#keepAtExit = processes.removeAtExit([this.file, `${this.live}/${this.token}`]);
    if (!processes.brief) this.#sockets = await processes.openSockets(this.live);
    const greeting = (): string => `owner ${this.token} ${this.#state} ${this.#since}`;
    const socket = this.#sockets?.listen(this.token, greeting) ?? null;
    const { token, disk } = this;
    const content = encodeLock({ format: 2, token, ...processes.self, disk, socket });
    // In one step: of a file without content nobody could say whose it is.
    const draft = `${this.live}/${token}.draft`;
    await replaceFile(fs, this.file, content, draft, { sync: false }).catch(error => {
      if (!isMissing(error)) throw error;
      // Swept away by who took this process for dead: it takes another one.
      this.usable = false;
    });
    const handle = this.disk === 'local' ? await fs.open(this.file, 'read').catch(() => null) : null;
    this.#open = handle && { handle, ino: (await handle.stat()).ino };
    if (!processes.brief) this.#wanted = await Wanted.open(fs, `${folder}/wanted`);
    this.#timer = setInterval(() => void this.#tick().catch(() => {}), RENEW);
    // Only in Node does a timer keep anything alive.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  /** Takes the lock if it is free: one call. Waits for a moment first, where others waited while this process had it. */
  async tryTake(): Promise<boolean> {
    const left = this.#politeUntil - performance.now();
    if (left > 0) await sleep(left);
    try {
      await this.options.fs.link(this.file, this.path);
    } catch (error) {
      if (errno(error) === 'EEXIST') return false;
      if (hasNoLinks(error)) throw noLinks();
      if (!isMissing(error)) throw error;
      // Somebody swept this process's files away, or the whole folder.
      this.usable = false;
      return false;
    }
    await this.took();
    return true;
  }

  /** Notes that this process has the lock now; answers what is still to be waited for. */
  took(): Promise<unknown> | null {
    this.#state = 'held';
    this.#since = Date.now();
    this.#renewed = { at: performance.now(), wall: this.#since };
    // What this process itself wrote while it waited says nothing.
    return this.#wanted?.isOwn ? this.#wanted.isNoted() : null;
  }

  /**
   * True while there is a lock, whoever holds it. One lstat: a link that fails costs an exception. False where a network may answer
   * from what it remembers: there only a link tells.
   */
  async isHeld(): Promise<boolean> {
    return this.disk !== 'other' && (await this.options.fs.lstat(this.path)) !== null;
  }

  /** True while the lock is a name of the lock file: one lstat where that can tell. */
  async #isOwn(): Promise<boolean> {
    if (!this.#open) return (await this.read())?.token === this.token;
    return (await this.options.fs.lstat(this.path))?.ino === this.#open.ino;
  }

  /** Answers false when somebody took the lock over. It is then lost for good, and the next one is taken under another token. */
  async isMine(): Promise<boolean> {
    if (this.#state !== 'held' || !this.usable) return false;
    const age = this.#age();
    if (age > LOST || !(await this.#isOwn())) {
      this.usable = false;
      this.#state = 'free';
      return false;
    }
    if (age > RENEW) await this.#touch();
    return true;
  }

  /** Returns the milliseconds since the last sign of life, also where this machine slept meanwhile. */
  #age(): number {
    return Math.max(performance.now() - this.#renewed.at, Date.now() - this.#renewed.wall);
  }

  async #tick(): Promise<void> {
    if (this.#state === 'held' && this.#age() >= RENEW / 2) await this.isMine();
    if (this.#state !== 'free' || this.#age() < IDLE || this.#hasLeft) return;
    // Once: a later call would be about the registration after this one.
    this.#hasLeft = true;
    this.#isIdle();
  }

  async #touch(): Promise<void> {
    await this.options.fs.touch(this.path);
    this.#renewed = { at: performance.now(), wall: Date.now() };
  }

  async release(): Promise<void> {
    try {
      if (this.#state !== 'held') return;
      await this.#letGo();
      if (await this.#wanted?.isNoted()) this.#politeUntil = performance.now() + BACK_OFF;
    } finally {
      this.#isReleased();
    }
  }

  async #letGo(): Promise<void> {
    try {
      if (await this.#isOwn()) await removeSurely(this.options.fs, this.path);
      else this.usable = false;
      this.#state = 'free';
    } catch (error) {
      // Whoever asks is told so, and no lock is taken under this token again.
      this.#state = 'stuck';
      this.usable = false;
      throw error;
    }
  }

  async noteWanted(): Promise<void> {
    this.#wanted ??= await Wanted.open(this.options.fs, `${this.options.folder}/wanted`);
    await this.#wanted?.note();
  }

  read(): Promise<Seen | null> {
    return readLockFile(this.options.fs, this.path);
  }

  /** Removes the process's files; one whose lock still cannot be removed goes on answering. */
  async close(): Promise<void> {
    this.usable = false;
    if (this.#timer) clearInterval(this.#timer);
    if (this.#state === 'stuck') await this.#letGo().catch(() => {});
    if (this.#state === 'stuck') return;
    // Nothing is lost where a close fails, and the files must not stay for that.
    for (const one of [this.#open?.handle, this.#wanted]) await one?.close().catch(() => {});
    this.#sockets?.close();
    for (const path of [this.file, `${this.live}/${this.token}`])
      await removeSurely(this.options.fs, path).catch(() => {});
    this.#keepAtExit();
  }
}

function noLinks(): Error {
  return unsupported(
    'the file system of this repository makes no hard links, by which one writer at a time is told from the others',
    'reading works; to edit, move the repository to a disk that has them (ext4, APFS, NTFS and most others do)',
  );
}

interface SweepOptions {
  options: { fs: Fs; processes: Pick<Processes, 'isAlive'> };
  /** The folder of the processes' files, and the lock. */
  live: string;
  path: string;
  disk: Disk;
  /** The token of the process that sweeps: its files stay. */
  token: string;
}

/** Milliseconds without a sign of life after which a process's files are removed, where nobody can tell whether it lives. */
const LEFT = 10 * 60_000;

/**
 * Removes what processes left that ended without tidying up. A living one leaves its place after ten seconds without an edit, and
 * gives a sign each second while it has the lock; where its files were taken all the same, it finds that out and makes new ones.
 */
export async function sweep(registration: SweepOptions): Promise<void> {
  const { fs } = registration.options;
  const all = (await fs.readdir(registration.live)).filter(name => !name.startsWith(registration.token));
  for (const token of new Set(all.map(name => name.split('.')[0]!))) {
    const names = all.filter(name => name.startsWith(token));
    const isLeft = (await hasEnded(registration, token)) || (await areOld(registration, names));
    if (!isLeft || (await readLockFile(fs, registration.path))?.token === token) continue;
    for (const name of names) await removeIfThere(fs, `${registration.live}/${name}`);
  }
}

async function hasEnded({ options, live, disk }: SweepOptions, token: string): Promise<boolean> {
  const seen = await readLockFile(options.fs, `${live}/${token}.lock`);
  // It gets its name when it is whole, so that a power cut has been since.
  if (!seen?.file) return seen?.torn === true && disk === 'local';
  return options.processes.isAlive(seen.file, seen.file.disk === disk ? disk : 'other') === false;
}

async function areOld({ options, live }: SweepOptions, names: readonly string[]): Promise<boolean> {
  for (const name of names) {
    const stat = await options.fs.lstat(`${live}/${name}`);
    const signs = stat ? [stat.ctimeNs, stat.mtimeNs].map(sign => Number(sign / 1_000_000n)) : [Date.now()];
    if (Date.now() - Math.max(...signs) <= LEFT) return false;
  }
  return true;
}
