/**
 * A file system with faults: numbers every call, and crashes at one, fails one, delays one, runs code before one,
 * drops syncs, or records all for `replay` (fault-log.ts). Calls of file handles are numbered too.
 */

import type { FileHandle, Fs, OpenHow, Stat } from '../../src/fs/fs.ts';
import { FaultLog, type LoggedCall } from './fault-log.ts';

/** How far the call gets at which the process dies; a call that is no write is done by `half` and by `full`. */
export type Tear = 'before' | 'empty' | 'half' | 'full';

export const TEARS: readonly Tear[] = ['before', 'empty', 'half', 'full'];

/** One fault; `faultFs` takes several. Calls are numbered from 1 in the order in which they are made. */
export type Fault =
  | { kind: 'crash'; at: number; tear: Tear }
  | { kind: 'error'; at: number; code: string; times: 'once' | 'forever' }
  | { kind: 'delay'; at: number; ms: number }
  | { kind: 'hook'; at: number; run: () => Promise<void> | void }
  | { kind: 'dropSync'; of: 'all' | 'files' | 'folders' }
  | { kind: 'record'; root: string };

/** The process dies at call `at`; every later call throws `CrashError`. */
export const crashAt = (at: number, tear: Tear): Fault => ({ kind: 'crash', at, tear });
/** Call `at` fails with a system error; with `forever` each later call of the same method does too. */
export const errorAt = (at: number, code: string, times: 'once' | 'forever' = 'once'): Fault => ({
  kind: 'error',
  at,
  code,
  times,
});
/** Call `at` waits first. */
export const delayAt = (at: number, ms: number): Fault => ({ kind: 'delay', at, ms });
/** Runs code right before call `at`: a person who saves the file, another process. */
export const hookAt = (at: number, run: () => Promise<void> | void): Fault => ({ kind: 'hook', at, run });
/** Syncs do nothing and say that all is well. */
export const dropSync = (of: 'all' | 'files' | 'folders' = 'all'): Fault => ({ kind: 'dropSync', of });
/** Keeps what is below `root` now and every change made there through this file system, for `replay`. */
export const record = (root: string): Fault => ({ kind: 'record', root });

/** The process is dead: no code of it runs any more, so nothing may come of handling this. */
export class CrashError extends Error {
  override readonly name = 'CrashError';
}

export interface Call {
  /** From 1. */
  n: number;
  /** `rename`, ..., or of a handle: `handle.write`, ... */
  method: string;
  path: string;
}

export interface FaultFs extends Fs {
  /** Every call made so far. */
  readonly trace: readonly Call[];
  readonly crashed: boolean;
  /** Present with `record`. */
  readonly log: FaultLog | null;
}

/** Wraps `real`. Without faults it only counts. */
export function faultFs(real: Fs, ...faults: Fault[]): FaultFs {
  return new Faulty(real, faults);
}

type Method = Exclude<keyof Fs, 'descriptorPaths' | 'volatile'>;

class Faulty implements FaultFs {
  readonly descriptorPaths: boolean;
  readonly volatile: boolean;
  readonly trace: Call[] = [];
  readonly log: FaultLog | null;
  readonly faults: readonly Fault[];
  readonly #real: Fs;
  readonly #open = new Set<FileHandle>();
  crashed = false;
  handles = 0;

  constructor(real: Fs, faults: readonly Fault[]) {
    this.#real = real;
    this.faults = faults;
    this.descriptorPaths = real.descriptorPaths;
    this.volatile = real.volatile;
    const root = faults.find(fault => fault.kind === 'record')?.root;
    this.log = root === undefined ? null : new FaultLog(real, root);
  }

  async open(path: string, how: OpenHow, mode?: number): Promise<FileHandle> {
    const id = ++this.handles;
    const logged = { id, how, ...(mode === undefined ? {} : { mode }) };
    const handle = await this.call('open', path, () => this.#opened(path, how, mode), logged);
    this.log?.opened(id, handle.fd);
    if (this.log && how !== 'directory') await this.identify(id, handle);
    return new FaultyHandle(this, handle, path, id, how === 'directory', () => this.#open.delete(handle));
  }

  /** Notes with the last entry of the log how the file looks that it is about. */
  async identify(id: number, real: FileHandle): Promise<void> {
    const entry = this.log!.entries.findLast(one => one.id === id);
    const { ino, mtimeNs } = await real.stat();
    if (entry) entry.stat = { ino, mtimeNs };
  }

  async #opened(path: string, how: OpenHow, mode?: number): Promise<FileHandle> {
    const handle = await this.#real.open(path, how, mode);
    this.#open.add(handle);
    return handle;
  }

  readFile(path: string): Promise<Uint8Array> {
    return this.#pass('readFile', path, () => this.#real.readFile(path));
  }
  readdir(path: string): Promise<string[]> {
    return this.#pass('readdir', path, () => this.#real.readdir(path));
  }
  lstat(path: string): Promise<Stat | null> {
    return this.#pass('lstat', path, () => this.#real.lstat(path));
  }
  readlink(path: string): Promise<string> {
    return this.#pass('readlink', path, () => this.#real.readlink(path));
  }
  realpath(path: string): Promise<string> {
    return this.#pass('realpath', path, () => this.#real.realpath(path));
  }
  checkWritable(folder: string): Promise<void> {
    return this.#pass('checkWritable', folder, () => this.#real.checkWritable(folder));
  }
  touch(path: string): Promise<void> {
    return this.#pass('touch', path, () => this.#real.touch(path));
  }
  rename(from: string, to: string): Promise<void> {
    return this.call('rename', from, () => this.#real.rename(from, to), { to });
  }
  link(from: string, to: string): Promise<void> {
    return this.call('link', from, () => this.#real.link(from, to), { to });
  }
  unlink(path: string): Promise<void> {
    return this.call('unlink', path, () => this.#real.unlink(path), {});
  }
  mkdir(path: string): Promise<void> {
    return this.call('mkdir', path, () => this.#real.mkdir(path), {});
  }
  rmdir(path: string): Promise<void> {
    return this.call('rmdir', path, () => this.#real.rmdir(path), {});
  }

  #pass<T>(method: Method, path: string, act: () => Promise<T>): Promise<T> {
    return this.call(method, path, act);
  }

  /** Numbers a call, applies the faults planned for it, makes it, and logs it (`logged`) when it changes the disk. */
  async call<T>(
    method: string,
    path: string,
    act: () => Promise<T>,
    logged?: LoggedCall,
    half?: () => Promise<void>,
  ): Promise<T> {
    this.#assertAlive();
    const n = this.trace.push({ n: this.trace.length + 1, method, path });
    await this.log?.ready;
    await this.#waitAndHook(n);
    this.#assertAlive();
    await this.#crash(n, act, half);
    await this.#fail(n, method, half);
    const place = logged && this.log?.place(path, logged.to);
    const result = await act();
    if (place) this.log?.add(method, place, logged);
    return result;
  }

  #assertAlive(): void {
    if (this.crashed) throw new CrashError('a call after the crash');
  }

  async #waitAndHook(n: number): Promise<void> {
    for (const fault of this.faults) {
      if (fault.kind === 'delay' && fault.at === n) await new Promise(done => setTimeout(done, fault.ms));
      if (fault.kind === 'hook' && fault.at === n) await fault.run();
    }
  }

  async #crash(n: number, act: () => Promise<unknown>, half?: () => Promise<void>): Promise<void> {
    const crash = this.faults.find(fault => fault.kind === 'crash' && fault.at === n);
    if (crash?.kind !== 'crash') return;
    this.crashed = true;
    if (crash.tear === 'full' || (crash.tear === 'half' && !half)) await act().catch(() => {});
    else if (crash.tear === 'half') await half?.();
    for (const handle of this.#open) await handle.close().catch(() => {});
    throw new CrashError(`crash at call ${n}, ${crash.tear}`);
  }

  /** A disk that fills up takes the first part of a write; a handle that fails to close is closed all the same. */
  async #fail(n: number, method: string, half?: () => Promise<void>): Promise<void> {
    for (const fault of this.faults) {
      if (fault.kind !== 'error' || n < fault.at) continue;
      const same = fault.times === 'forever' && this.trace[fault.at - 1]?.method === method;
      if (n !== fault.at && !same) continue;
      await half?.();
      throw Object.assign(new Error(`${fault.code}: made up at call ${n}`), { code: fault.code });
    }
  }

  drops(folder: boolean): boolean {
    const kinds = ['all', folder ? 'folders' : 'files'];
    return this.faults.some(fault => fault.kind === 'dropSync' && kinds.includes(fault.of));
  }
}

class FaultyHandle implements FileHandle {
  readonly fd: number;
  readonly #fs: Faulty;
  readonly #real: FileHandle;
  readonly #path: string;
  readonly #id: number;
  readonly #folder: boolean;
  readonly #closed: () => void;

  constructor(fs: Faulty, real: FileHandle, path: string, id: number, folder: boolean, closed: () => void) {
    this.fd = real.fd;
    this.#fs = fs;
    this.#real = real;
    this.#path = path;
    this.#id = id;
    this.#folder = folder;
    this.#closed = closed;
  }

  stat(): Promise<Stat> {
    return this.#fs.call('handle.stat', this.#path, () => this.#real.stat());
  }
  read(position: number, length: number): Promise<Uint8Array> {
    return this.#fs.call('handle.read', this.#path, () => this.#real.read(position, length));
  }
  write(bytes: Uint8Array): Promise<void> {
    const part = bytes.subarray(0, bytes.length >> 1);
    const logged = { id: this.#id, bytes: bytes.slice() };
    const half = async (): Promise<void> => {
      await this.#real.write(part);
      this.#fs.log?.add('handle.write', null, { id: this.#id, bytes: part.slice() });
    };
    return this.#changed(
      this.#fs.call('handle.write', this.#path, () => this.#real.write(bytes), logged, half),
    );
  }
  async #changed(call: Promise<void>): Promise<void> {
    await call;
    if (this.#fs.log) await this.#fs.identify(this.#id, this.#real);
  }
  truncate(size: number): Promise<void> {
    const logged = { id: this.#id, size };
    return this.#changed(
      this.#fs.call('handle.truncate', this.#path, () => this.#real.truncate(size), logged),
    );
  }
  chmod(mode: number): Promise<void> {
    const logged = { id: this.#id, mode };
    return this.#fs.call('handle.chmod', this.#path, () => this.#real.chmod(mode), logged);
  }
  chown(uid: number, gid: number): Promise<void> {
    return this.#fs.call('handle.chown', this.#path, () => this.#real.chown(uid, gid));
  }
  sync(): Promise<void> {
    return this.#sync(() => this.#real.sync());
  }
  syncData(): Promise<void> {
    return this.#sync(() => this.#real.syncData());
  }
  #sync(sync: () => Promise<void>): Promise<void> {
    if (this.#fs.drops(this.#folder)) return this.#fs.call('handle.sync', this.#path, async () => {});
    const logged = { id: this.#id, upTo: this.#fs.log?.entries.length ?? 0 };
    return this.#fs.call('handle.sync', this.#path, sync, logged);
  }
  close(): Promise<void> {
    const close = async (): Promise<void> => {
      this.#closed();
      await this.#real.close();
    };
    return this.#fs.call('handle.close', this.#path, close, { id: this.#id }, close);
  }
}
