/**
 * The system calls over anything with node's `fs.promises` interface: memfs, or node's own fs. How durable and how
 * exclusive the calls are is up to that file system.
 */

import type { FileHandle, Fs, OpenHow, Stat } from './fs.ts';
import { type BigStat, orNull, toStat } from './fs.ts';

/** The part of node's `FileHandle` that is used. */
export interface PromisesHandle {
  fd: number;
  stat(options: { bigint: true }): Promise<BigStat>;
  read(into: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  write(bytes: Uint8Array, offset: number, length: number, position: null): Promise<{ bytesWritten: number }>;
  chmod(mode: number): Promise<void>;
  chown(uid: number, gid: number): Promise<void>;
  truncate(size: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The part of node's `fs.promises` that is used. */
export interface PromisesApi {
  open(path: string, flags: string | number, mode?: number): Promise<unknown>;
  readFile(path: string): Promise<unknown>;
  readdir(path: string): Promise<unknown>;
  lstat(path: string, options: { bigint: true }): Promise<unknown>;
  readlink(path: string): Promise<unknown>;
  realpath(path: string): Promise<unknown>;
  rename(from: string, to: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  symlink?(target: string, path: string): Promise<void>;
  unlink(path: string): Promise<void>;
  mkdir(path: string): Promise<unknown>;
  rmdir(path: string): Promise<void>;
  utimes(path: string, atime: number, mtime: number): Promise<void>;
  access?(path: string, mode: number): Promise<void>;
}

/** A file system module: its promises, and node's open flags where it knows them. */
export interface PromisesFsModule {
  promises: PromisesApi;
  constants?: object;
}

/** The mode of access(2) that asks for the right to write. */
const W_OK = 2;

/** `fs.promises` behind the contract; `durable` says that it is over a disk. Never uses `/proc`. Errors are those of the file system. */
export function promisesFs(fs: PromisesFsModule, kind: 'volatile' | 'durable' = 'volatile'): Fs {
  return new PromisesFs(fs, kind === 'volatile');
}

class PromisesFs implements Fs {
  readonly descriptorPaths = false;
  readonly volatile: boolean;
  readonly symlink?: NonNullable<Fs['symlink']>;
  readonly #promises: PromisesApi;
  readonly #flags: Record<OpenHow, string | number>;

  constructor(fs: PromisesFsModule, volatile: boolean) {
    this.volatile = volatile;
    this.#promises = fs.promises;
    if (fs.promises.symlink)
      this.symlink = async (target, path) => void (await fs.promises.symlink!(target, path));
    this.#flags = openFlags(fs.constants ?? {});
  }

  async open(path: string, how: OpenHow, mode = 0o666): Promise<FileHandle> {
    return new Handle((await this.#promises.open(path, this.#flags[how], mode)) as PromisesHandle);
  }

  async readFile(path: string): Promise<Uint8Array> {
    const bytes = (await this.#promises.readFile(path)) as Uint8Array;
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  async readdir(path: string): Promise<string[]> {
    return ((await this.#promises.readdir(path)) as unknown[]).map(String);
  }

  async lstat(path: string): Promise<Stat | null> {
    const stat = (await orNull(this.#promises.lstat(path, { bigint: true }))) as BigStat | null;
    return stat && toStat(stat);
  }

  async readlink(path: string): Promise<string> {
    return String(await this.#promises.readlink(path));
  }

  async realpath(path: string): Promise<string> {
    return String(await this.#promises.realpath(path));
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#promises.rename(from, to);
  }

  async link(from: string, to: string): Promise<void> {
    await this.#promises.link(from, to);
  }

  async unlink(path: string): Promise<void> {
    await this.#promises.unlink(path);
  }

  async mkdir(path: string): Promise<void> {
    await this.#promises.mkdir(path);
  }

  async rmdir(path: string): Promise<void> {
    await this.#promises.rmdir(path);
  }

  async checkWritable(folder: string): Promise<void> {
    await this.#promises.access?.(folder, W_OK);
  }

  async touch(path: string): Promise<void> {
    const now = Date.now() / 1000;
    await this.#promises.utimes(path, now, now);
  }
}

class Handle implements FileHandle {
  readonly fd: number;
  readonly #handle: PromisesHandle;

  constructor(handle: PromisesHandle) {
    this.#handle = handle;
    this.fd = handle.fd;
  }

  async stat(): Promise<Stat> {
    return toStat(await this.#handle.stat({ bigint: true }));
  }

  async read(position: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await this.#handle.read(bytes, done, length - done, position + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return done === length ? bytes : bytes.subarray(0, done);
  }

  async write(bytes: Uint8Array): Promise<void> {
    let done = 0;
    while (done < bytes.length) {
      done += (await this.#handle.write(bytes, done, bytes.length - done, null)).bytesWritten;
    }
  }

  async truncate(size: number): Promise<void> {
    await this.#handle.truncate(size);
  }

  async chmod(mode: number): Promise<void> {
    await this.#handle.chmod(mode);
  }

  async chown(uid: number, gid: number): Promise<void> {
    await this.#handle.chown(uid, gid);
  }

  async sync(): Promise<void> {
    await this.#handle.sync();
  }

  async syncData(): Promise<void> {
    await this.#handle.sync();
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/** Numbers where the module has them (they differ by system), else the words that every imitation knows. */
function openFlags(numbers: OpenNumbers): Record<OpenHow, string | number> {
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0 } = numbers;
  return {
    read: O_NOFOLLOW | O_NONBLOCK || 'r',
    directory: O_NOFOLLOW | O_DIRECTORY || 'r',
    create: 'wx',
    append: 'a',
    journal: 'a+',
  };
}

type OpenNumbers = Partial<Record<'O_NOFOLLOW' | 'O_NONBLOCK' | 'O_DIRECTORY', number>>;
