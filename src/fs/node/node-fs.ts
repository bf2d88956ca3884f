/**
 * The system calls over node's `fs`. A synchronous call takes microseconds where the same call through the thread
 * pool takes tens of them, so everything quick is synchronous inside an async method; only syncs and transfers of
 * over a mebibyte leave the main thread.
 */

import fs from 'node:fs';
import type { FileHandle, Fs, OpenHow, Stat } from '../fs.ts';
import { toStat } from '../stat.ts';
import { NodeHandle } from './node-handle.ts';
import { patiently } from './patience.ts';

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

class NodeFs implements Fs {
  readonly volatile = false;
  readonly descriptorPaths: boolean = process.platform === 'linux' && fs.existsSync('/proc/self/fd');

  async open(path: string, how: OpenHow, mode = 0o666): Promise<FileHandle> {
    return new NodeHandle(fs.openSync(path, FLAGS[how], mode), how === 'directory');
  }

  /** Opened without blocking and looked at first: a pipe in place of a file must not hang the process. */
  async readFile(path: string): Promise<Uint8Array> {
    const fd = fs.openSync(path, O_RDONLY | O_NONBLOCK);
    try {
      const stat = fs.fstatSync(fd);
      if (stat.isFile() && stat.size > 0) return await new NodeHandle(fd, false).read(0, stat.size);
      // Files of /proc have no size; reading a folder gives the right error.
      if (stat.isFile() || stat.isDirectory()) return view(fs.readFileSync(fd));
      throw Object.assign(new Error(`EINVAL: not a regular file, read '${path}'`), { code: 'EINVAL' });
    } finally {
      fs.closeSync(fd);
    }
  }

  async readdir(path: string): Promise<string[]> {
    return fs.readdirSync(path);
  }

  async lstat(path: string): Promise<Stat> {
    return toStat(fs.lstatSync(path, { bigint: true }));
  }

  async readlink(path: string): Promise<string> {
    return fs.readlinkSync(path);
  }

  async realpath(path: string): Promise<string> {
    const real = fs.realpathSync.native(path);
    return process.platform === 'win32' ? real.replaceAll('\\', '/') : real;
  }

  async rename(from: string, to: string): Promise<void> {
    if (process.platform === 'win32') await patiently(() => fs.renameSync(from, to));
    else fs.renameSync(from, to);
  }

  async link(from: string, to: string): Promise<void> {
    fs.linkSync(from, to);
  }

  async unlink(path: string): Promise<void> {
    fs.unlinkSync(path);
  }

  async mkdir(path: string): Promise<void> {
    fs.mkdirSync(path);
  }

  async rmdir(path: string): Promise<void> {
    fs.rmdirSync(path);
  }

  async checkWritable(folder: string): Promise<void> {
    fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK);
  }

  async touch(path: string): Promise<void> {
    const now = Date.now() / 1000;
    fs.utimesSync(path, now, now);
  }
}

/** A plain view: `Buffer.slice` shares memory where `Uint8Array.slice` copies, and callers expect the latter. */
function view(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}

/** One for the process: who shares it shares the one writer of a repository. */
const theDisk: Fs = new NodeFs();
