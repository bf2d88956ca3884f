/**
 * The system calls over node's `fs`. A synchronous call takes microseconds where the same call through the thread
 * pool takes tens of them, so everything quick is synchronous inside an async method; only syncs and transfers of
 * over a mebibyte leave the main thread.
 */

import fs from 'node:fs';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { nameBytes, nameOf } from '../../bytes.ts';
import { errno, type FileHandle, type Fs, type OpenHow, toStat } from '../fs.ts';

const { O_RDONLY, O_RDWR, O_WRONLY, O_CREAT, O_EXCL, O_APPEND } = fs.constants;
/** Missing on Windows, where a link is looked for with lstat before and after. */
const O_NOFOLLOW = fs.constants.O_NOFOLLOW ?? 0;
const O_NONBLOCK = fs.constants.O_NONBLOCK ?? 0;
const O_DIRECTORY = fs.constants.O_DIRECTORY ?? 0;

const FLAGS: Record<OpenHow, number> = {
  read: O_RDONLY | O_NOFOLLOW | O_NONBLOCK,
  directory: O_RDONLY | O_NOFOLLOW | O_DIRECTORY,
  create: O_WRONLY | O_CREAT | O_EXCL,
  append: O_WRONLY | O_CREAT | O_APPEND,
  journal: O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK,
};

/** The file system of this machine. Errors are node's own. */
export function nodeFs(): Fs {
  return theDisk;
}

/** A path of a name that is no UTF-8 goes to the system as its bytes. */
function named(path: string): string | Buffer {
  return path.isWellFormed() ? path : Buffer.from(nameBytes(path));
}

const EXACTLY = { bigint: true, throwIfNoEntry: false } as const;

/** The character that node puts in place of bytes that are no UTF-8. */
const REPLACED = '\ufffd';

const onWindows = process.platform === 'win32';

/** One for the process: who shares it shares the one writer of a repository. */
const theDisk: Fs = {
  volatile: false,
  descriptorPaths: process.platform === 'linux' && fs.existsSync('/proc/self/fd'),

  open: async (path, how, mode = 0o666) =>
    handleOf(fs.openSync(named(path), FLAGS[how], mode), path, how === 'directory'),

  /** Opened without blocking: a pipe in place of a file must not hang the process. */
  readFile: async path => {
    const fd = fs.openSync(named(path), O_RDONLY | O_NONBLOCK);
    try {
      return readSmall(fd) ?? (await readWhole(fd, path));
    } finally {
      fs.closeSync(fd);
    }
  },

  readdir: async path => {
    const names = fs.readdirSync(named(path));
    if (!names.some(name => name.includes(REPLACED))) return names;
    return fs.readdirSync(named(path), 'buffer').map(nameOf);
  },

  lstat: async path => {
    try {
      const stat = fs.lstatSync(named(path), EXACTLY);
      return stat ? toStat(stat) : null;
    } catch (error) {
      // Of a file in the place of a folder.
      if (errno(error) === 'ENOTDIR') return null;
      throw error;
    }
  },

  readlink: async path => {
    const target = fs.readlinkSync(named(path));
    return target.includes(REPLACED) ? nameOf(fs.readlinkSync(named(path), 'buffer')) : target;
  },

  realpath: async path => {
    const plain = fs.realpathSync.native(named(path));
    const real = plain.includes(REPLACED) ? nameOf(fs.realpathSync.native(named(path), 'buffer')) : plain;
    return onWindows ? real.replaceAll('\\', '/') : real;
  },

  rename: async (from, to) => {
    if (onWindows) await patiently(() => fs.renameSync(named(from), named(to)));
    else fs.renameSync(named(from), named(to));
  },

  link: async (from, to) => fs.linkSync(named(from), named(to)),
  unlink: async path => fs.unlinkSync(named(path)),
  mkdir: async path => void fs.mkdirSync(named(path)),
  rmdir: async path => fs.rmdirSync(named(path)),
  checkWritable: async folder => fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK),
  touch: async path => {
    const now = Date.now() / 1000;
    fs.utimesSync(path, now, now);
  },

  /** Keeps no process alive. What a watcher fails with later counts as a change: whoever looks finds out. */
  watch: (path, changed) => {
    const watcher = fs.watch(path, { persistent: false }, changed);
    watcher.on('error', changed);
    return () => watcher.close();
  },
};

/** Most files of a repository that are read whole (refs, HEAD) are shorter. */
const small = Buffer.alloc(4096);

/** A short regular file in one read; `null` for everything else. A pipe has no position to read from. */
function readSmall(fd: number): Uint8Array | null {
  try {
    const length = fs.readSync(fd, small, 0, small.length, 0);
    return length > 0 && length < small.length ? new Uint8Array(small.subarray(0, length)) : null;
  } catch {
    return null;
  }
}

async function readWhole(fd: number, path: string): Promise<Uint8Array> {
  const stat = fs.fstatSync(fd);
  if (stat.isFile() && stat.size > 0) return handleOf(fd, path, false).read(0, stat.size);
  // Files of /proc have no size; reading a folder gives the right error.
  if (stat.isFile() || stat.isDirectory()) return view(fs.readFileSync(fd));
  throw Object.assign(new Error(`EINVAL: not a regular file, read '${path}'`), { code: 'EINVAL' });
}

/** A plain view: `Buffer.slice` shares memory where `Uint8Array.slice` copies, and callers expect the latter. */
function view(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}

/** Up to this many bytes a synchronous read or write costs less than a trip to the thread pool. */
const SYNC_BYTES: number = 1024 * 1024;

const fsync = promisify(fs.fsync);
const fdatasync = promisify(fs.fdatasync);
const readAsync = promisify(fs.read);
const writeAsync = promisify(fs.write);

/** An open file or folder. `path` goes into errors: those of a call on a descriptor do not name the file. */
function handleOf(fd: number, path: string, isFolder: boolean): FileHandle {
  const fail = (error: unknown): never => {
    throw Object.assign(Object(error), { path });
  };
  /**
   * Off the main thread, so that several run at once, and only when everything is written that this turn of the event
   * loop writes: making a file waits for the sync of another one in its folder. Windows cannot sync a folder and says
   * EPERM.
   */
  const syncBy = async (sync: (fd: number) => Promise<void>): Promise<void> => {
    await nextTurn();
    await sync(handle.fd).catch(error => {
      if (!(isFolder && onWindows && errno(error) === 'EPERM')) fail(error);
    });
  };
  const handle: FileHandle = {
    fd,
    stat: async () => toStat(fs.fstatSync(handle.fd, EXACTLY)),
    read: async (position, length) => {
      const bytes = new Uint8Array(length);
      let done = 0;
      for (let got = -1; done < length && got !== 0; done += got) {
        const left = length - done;
        got =
          left <= SYNC_BYTES
            ? fs.readSync(handle.fd, bytes, done, left, position + done)
            : (await readAsync(handle.fd, bytes, done, left, position + done)).bytesRead;
      }
      return done === length ? bytes : bytes.subarray(0, done);
    },
    write: async bytes => {
      try {
        for (let done = 0; done < bytes.length; ) {
          const left = bytes.length - done;
          done +=
            left <= SYNC_BYTES
              ? fs.writeSync(handle.fd, bytes, done, left, null)
              : (await writeAsync(handle.fd, bytes, done, left, null)).bytesWritten;
        }
      } catch (error) {
        fail(error);
      }
    },
    truncate: async size => fs.ftruncateSync(handle.fd, size),
    chmod: async mode => fs.fchmodSync(handle.fd, mode),
    chown: async (uid, gid) => fs.fchownSync(handle.fd, uid, gid),
    sync: () => syncBy(fsync),
    syncData: () => syncBy(fdatasync),
    close: async () => {
      const open = handle.fd;
      // The number is soon another file's. After a close that failed, too: the system gives the descriptor back all the same.
      handle.fd = -1;
      if (open >= 0) fs.closeSync(open);
    },
  };
  return handle;
}

const BUSY: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** In milliseconds: together about 2 s. */
const PAUSES: readonly number[] = [2, 5, 10, 25, 50, 100, 200, 400, 600, 600];

/** Runs an action again while it fails with a code that other programs cause; its last error when they go on. */
export async function patiently(action: () => void, pauses: readonly number[] = PAUSES): Promise<void> {
  for (const pause of pauses) {
    try {
      return action();
    } catch (error) {
      if (!BUSY.has(errno(error) ?? '')) throw error;
      await sleep(pause);
    }
  }
  action();
}
