/**
 * The system calls over anything with node's `fs.promises` interface: memfs, or node's own fs. How durable and how
 * exclusive the calls are is up to that file system.
 */

import { type BigStat, type FileHandle, type Fs, type OpenHow, orNull, toStat } from './fs.ts';

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
export function promisesFs(module: PromisesFsModule, kind: 'volatile' | 'durable' = 'volatile'): Fs {
  const { promises: fs, constants = {} } = module;
  const flags = openFlags(constants);
  return {
    descriptorPaths: false,
    volatile: kind === 'volatile',
    open: async (path, how, mode = 0o666) =>
      handleOf((await fs.open(path, flags[how], mode)) as PromisesHandle),
    readFile: async path => {
      const { buffer, byteOffset, byteLength } = (await fs.readFile(path)) as Uint8Array;
      return new Uint8Array(buffer, byteOffset, byteLength);
    },
    readdir: async path => ((await fs.readdir(path)) as unknown[]).map(String),
    lstat: async path => {
      const stat = (await orNull(fs.lstat(path, { bigint: true }))) as BigStat | null;
      return stat && toStat(stat);
    },
    readlink: async path => String(await fs.readlink(path)),
    realpath: async path => String(await fs.realpath(path)),
    rename: async (from, to) => void (await fs.rename(from, to)),
    link: async (from, to) => void (await fs.link(from, to)),
    unlink: async path => void (await fs.unlink(path)),
    mkdir: async path => void (await fs.mkdir(path)),
    rmdir: async path => void (await fs.rmdir(path)),
    checkWritable: async folder => void (await fs.access?.(folder, W_OK)),
    touch: async path => {
      const now = Date.now() / 1000;
      await fs.utimes(path, now, now);
    },
  };
}

function handleOf(handle: PromisesHandle): FileHandle {
  const sync = async (): Promise<void> => void (await handle.sync());
  return {
    fd: handle.fd,
    stat: async () => toStat(await handle.stat({ bigint: true })),
    read: async (position, length) => {
      const bytes = new Uint8Array(length);
      let done = 0;
      while (done < length) {
        const { bytesRead } = await handle.read(bytes, done, length - done, position + done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
      return done === length ? bytes : bytes.subarray(0, done);
    },
    write: async bytes => {
      for (let done = 0; done < bytes.length; )
        done += (await handle.write(bytes, done, bytes.length - done, null)).bytesWritten;
    },
    truncate: async size => void (await handle.truncate(size)),
    chmod: async mode => void (await handle.chmod(mode)),
    chown: async (uid, gid) => void (await handle.chown(uid, gid)),
    sync,
    syncData: sync,
    close: async () => void (await handle.close()),
  };
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
