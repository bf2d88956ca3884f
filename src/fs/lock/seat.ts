/**
 * What a process needs to take the lock of one folder again and again: a token, its finished lock file, and the socket on
 * which it can be asked. Made once; made anew with another token when the process lost its lock or its files.
 */

import { createFile, ensureFolder, parentOf, removeSurely, replaceFile } from '../durable.ts';
import { errno, type FileHandle, type Fs, hasNoLinks, isMissing, orNull } from '../fs.ts';
import { assertNoSymlinks } from '../no-symlinks.ts';
import { encodeLock, type LockFile, look, type Seen } from './lock-file.ts';
import { type Holding, LockQueue } from './lock-queue.ts';
import type { Disk, Processes } from './processes.ts';
import { sweep } from './sweep.ts';

export interface SeatOptions {
  fs: Fs;
  processes: Processes;
  /** The engine's folder, which exists. */
  folder: string;
}

/** Milliseconds: an owner renews its lock so often, and takes it for lost when it could not for so long. */
const RENEW = 1_000;
const LOST = 25_000;

export class Seat {
  readonly options: SeatOptions;
  readonly token: string;
  readonly disk: Disk;
  /** The files of all processes. */
  readonly live: string;
  /** The lock itself. */
  readonly path: string;
  turns: LockQueue | null = null;
  #state: Holding = 'free';
  #since = 0;
  #ino = 0n;
  /** Monotonic and wall-clock time of the last sign of life. */
  #renewed = { at: 0, wall: 0 };
  #timer: ReturnType<typeof setTimeout> | null = null;
  #keepAtExit: () => void = () => {};
  /** False when this seat can take no lock any more. */
  usable = true;

  private constructor(options: SeatOptions) {
    this.options = options;
    this.token = options.processes.newToken();
    this.disk = options.processes.diskOf(options.folder);
    this.live = `${options.folder}/live`;
    this.path = `${options.folder}/lock`;
  }

  static async open(options: SeatOptions): Promise<Seat> {
    const seat = new Seat(options);
    const { fs, processes, folder } = options;
    await assertNoSymlinks(fs, parentOf(folder), seat.live);
    await ensureFolder(fs, seat.live);
    try {
      if (processes.brief) await seat.#writeLockFile(null);
      else await seat.becomeReachable();
    } catch (error) {
      await seat.close().catch(() => {});
      throw error;
    }
    const { live, path, token, disk } = seat;
    // What cannot be swept away now can be later.
    await sweep({ fs, processes, live, path, token, disk }).catch(() => {});
    return seat;
  }

  /** From now on others can ask this process, and wake it. To be called while it does not hold the lock. */
  async becomeReachable(): Promise<void> {
    if (this.turns) return;
    const sockets = await this.options.processes.openSockets(this.live);
    this.turns =
      sockets && new LockQueue(sockets, this.token, () => ({ state: this.#state, since: this.#since }));
    await this.#writeLockFile(this.turns?.listen() ?? null);
  }

  get #file(): string {
    return `${this.live}/${this.token}.lock`;
  }

  async #writeLockFile(socket: LockFile['socket']): Promise<void> {
    const { fs, processes } = this.options;
    this.#keepAtExit();
    this.#keepAtExit = processes.removeAtExit([this.#file, `${this.live}/${this.token}`]);
    this.#socket = socket;
    // In one step: of a file without content nobody could say whose it is.
    const draft = `${this.live}/${this.token}.draft`;
    await replaceFile(fs, this.#file, encodeLock(this.content([])), draft, { sync: false }).catch(error => {
      if (!isMissing(error)) throw error;
      // Swept away by who took this process for dead: it takes another seat.
      this.usable = false;
    });
    this.#ino = 0n;
    await this.#open?.close();
    this.#open = await this.keepOpen(this.#file);
  }

  #open: FileHandle | null = null;

  /** The number of a file that is open is given to no other, even when all its names are gone. */
  async keepOpen(path: string): Promise<FileHandle | null> {
    const { fs, processes } = this.options;
    if (this.disk !== 'local' || processes.alone) return null;
    return fs.open(path, 'read').catch(() => null);
  }

  #socket: LockFile['socket'] = null;

  /** Gives the content of this process's lock file. */
  content(tookOver: string[]): LockFile {
    const { self } = this.options.processes;
    return { format: 2, token: this.token, ...self, disk: this.disk, socket: this.#socket, tookOver };
  }

  /** Takes the lock if it is free. The fast path: one call. */
  async tryTake(): Promise<boolean> {
    this.#state = 'held';
    try {
      await linkOrCopy(this.options.fs, this.#file, this.path);
    } catch (error) {
      this.#state = 'free';
      if (errno(error) === 'EEXIST') return false;
      // Somebody swept this process's files away, or the whole folder.
      if (isMissing(error)) this.usable = false;
      else throw error;
      return false;
    }
    if (this.#ino === 0n)
      await this.#learn().catch(async error => {
        // It is ours, and nobody would ever give it back.
        await this.#letGo(async () => true);
        throw error;
      });
    this.#begin();
    return true;
  }

  #isCopied = false;

  /** The lock is a name of the lock file; where there are no hard links it is another file each time. */
  async #learn(): Promise<void> {
    const { fs } = this.options;
    const [own, lock] = [await fs.lstat(this.#file), await fs.lstat(this.path)];
    this.#isCopied = own.ino !== lock.ino;
    this.#ino = own.ino;
  }

  /** After a take-over: the lock is the file that was kept open. The next one is a name of the lock file again. */
  took(file: FileHandle | null, ino: bigint | null): void {
    this.#taken = file && ino !== null ? { file, ino } : null;
    this.#isTaken = true;
    this.#state = 'held';
    this.#begin();
  }

  #taken: { file: FileHandle; ino: bigint } | null = null;
  #isTaken = false;

  /** One lstat where that can tell: its number is kept, and the lock is a name of it. */
  async #isOwn(): Promise<boolean> {
    const isKnown = this.#isTaken
      ? this.#taken !== null
      : this.#open !== null || this.options.processes.alone;
    if (!isKnown || this.#isCopied) return (await this.look())?.token === this.token;
    return (await orNull(this.options.fs.lstat(this.path)))?.ino === (this.#taken?.ino ?? this.#ino);
  }

  #begin(): void {
    this.#since = Date.now();
    this.#renewed = { at: performance.now(), wall: this.#since };
    if (this.options.processes.alone) return;
    this.#timer = setInterval(() => void this.#renew().catch(() => {}), RENEW);
    // Only in Node does a timer keep anything alive.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  /** False when somebody took the lock over. It is then lost for good, and the next one is taken under another token. */
  async isMine(): Promise<boolean> {
    if (this.#state !== 'held' || !this.usable) return false;
    const age = this.#age();
    if (age > LOST || !(await this.#isOwn())) {
      this.#lose();
      return false;
    }
    if (age > RENEW) await this.#touch();
    return true;
  }

  /** Milliseconds since the last sign of life, also where this machine slept meanwhile. */
  #age(): number {
    return Math.max(performance.now() - this.#renewed.at, Date.now() - this.#renewed.wall);
  }

  async #renew(): Promise<void> {
    if (this.#state !== 'held' || this.#age() < RENEW / 2) return;
    await this.isMine();
  }

  async #touch(): Promise<void> {
    if (this.options.processes.alone) return;
    await this.options.fs.touch(this.path);
    this.#renewed = { at: performance.now(), wall: Date.now() };
  }

  #lose(): void {
    this.usable = false;
    this.#state = 'free';
    this.#end();
  }

  #end(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Gives the lock back, if it still is this process's, and wakes the next. */
  async release(): Promise<void> {
    if (this.#state !== 'held') return;
    this.#end();
    await this.#letGo(() => this.#isOwn());
  }

  async #letGo(isOwn: () => Promise<boolean>): Promise<void> {
    try {
      if (await isOwn()) await removeSurely(this.options.fs, this.path);
      else this.usable = false;
      this.#state = 'free';
      await this.#taken?.file.close();
      this.#taken = null;
      this.#isTaken = false;
    } catch (error) {
      // It cannot be removed and is held by nobody: whoever asks is told so, and no lock is taken under this token again.
      this.#state = 'stuck';
      this.usable = false;
      this.turns?.tellStuck();
      throw error;
    } finally {
      if (this.#state !== 'stuck') this.turns?.pass();
    }
  }

  get isStuck(): boolean {
    return this.#state === 'stuck';
  }

  /** Removes the process's files; one whose lock still cannot be removed goes on answering. */
  async close(): Promise<void> {
    this.usable = false;
    if (this.isStuck) await this.#letGo(() => this.#isOwn()).catch(() => {});
    if (this.isStuck) return;
    // Read only: a close that fails loses nothing, and must not keep the files where they are.
    for (const file of [this.#open, this.#taken?.file]) await file?.close().catch(() => {});
    this.#open = this.#taken = null;
    await this.turns?.close();
    const { fs } = this.options;
    for (const path of [this.#file, `${this.live}/${this.token}`])
      await removeSurely(fs, path).catch(() => {});
    this.#keepAtExit();
  }

  look(): Promise<Seen | null> {
    return look(this.options.fs, this.path);
  }
}

/** Where the file system has no hard links, an exclusive copy must do. */
export async function linkOrCopy(fs: Fs, from: string, to: string): Promise<void> {
  try {
    await fs.link(from, to);
  } catch (error) {
    if (!hasNoLinks(error)) throw error;
    await createFile(fs, to, await fs.readFile(from), { sync: false });
  }
}
