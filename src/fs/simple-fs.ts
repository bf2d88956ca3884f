/**
 * The system calls over a file system that knows whole files only: the calls that isomorphic-git asks for, which LightningFS
 * has (files in IndexedDB, in a browser). It must be in the hands of one page or process alone: creating a file only where
 * there is none takes two calls here.
 */

import { concatBytes } from '../bytes.ts';
import {
  type FileHandle,
  type Fs,
  lstatOf,
  type OpenHow,
  orNull,
  type Stat,
  systemError,
  toStat,
} from './fs.ts';
import { MAX_LINKS, partsOf } from './memory-tree.ts';

/** The part of `fs.promises` that is used. Errors carry a `code` as node's do. */
export interface SimplePromises {
  readFile(path: string): Promise<unknown>;
  writeFile(path: string, content: Uint8Array, options: { mode: number }): Promise<unknown>;
  unlink(path: string): Promise<unknown>;
  readdir(path: string): Promise<unknown>;
  mkdir(path: string): Promise<unknown>;
  rmdir(path: string): Promise<unknown>;
  rename(from: string, to: string): Promise<unknown>;
  lstat(path: string): Promise<unknown>;
  readlink(path: string): Promise<unknown>;
  chmod?(path: string, mode: number): Promise<unknown>;
  /** Makes durable what was written. */
  flush?(): Promise<unknown>;
}

export interface SimpleFsModule {
  promises: SimplePromises;
}

interface SimpleStat {
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  mode: number;
  size: number;
  mtimeMs: number;
  ctimeMs?: number;
  ino?: number;
}

export function simpleFs({ promises }: SimpleFsModule): Fs {
  return new SimpleFs(promises);
}

class SimpleFs implements Fs {
  readonly descriptorPaths = false;
  readonly volatile = true;
  readonly #fs: SimplePromises;
  /** Files that were made here and have the name that they were made with: nobody else knows of them. */
  readonly #drafts = new Set<string>();

  constructor(fs: SimplePromises) {
    this.#fs = fs;
  }

  async open(path: string, how: OpenHow, mode = 0o666): Promise<FileHandle> {
    const stat = await this.lstat(path);
    if (stat && how === 'create') throw systemError('EEXIST', 'open', path);
    if (!stat && how !== 'create' && how !== 'append') throw systemError('ENOENT', 'open', path);
    if (how === 'directory' && stat?.type !== 'directory') throw systemError('ENOTDIR', 'open', path);
    if (how === 'read' && stat?.type === 'symlink') throw systemError('ELOOP', 'open', path);
    const bytes =
      (how === 'append' || how === 'journal') && stat ? await this.readFile(path) : new Uint8Array();
    if (!stat) await this.#fs.writeFile(path, bytes, { mode: mode & 0o755 });
    if (how === 'create') this.#drafts.add(path);
    return handleOf(this, this.#fs, path, bytes, mode & 0o755);
  }

  async readFile(path: string): Promise<Uint8Array> {
    const { buffer, byteOffset, byteLength } = (await this.#fs.readFile(path)) as Uint8Array;
    return new Uint8Array(buffer, byteOffset, byteLength);
  }

  async readdir(path: string): Promise<string[]> {
    return ((await this.#fs.readdir(path)) as unknown[]).map(String);
  }

  async lstat(path: string): Promise<Stat | null> {
    const stat = (await orNull(this.#fs.lstat(path))) as SimpleStat | null;
    return stat && statOf(stat);
  }

  async readlink(path: string): Promise<string> {
    return String(await this.#fs.readlink(path));
  }

  async realpath(path: string): Promise<string> {
    let links = 0;
    let real: string[] = [];
    const rest = partsOf(path);
    for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
      if (part === '..') real.pop();
      if (part === '..') continue;
      const next = `/${[...real, part].join('/')}`;
      if ((await lstatOf(this, next)).type !== 'symlink') real.push(part);
      else {
        if (++links > MAX_LINKS) throw systemError('ELOOP', 'realpath', path);
        const target = await this.readlink(next);
        if (target.startsWith('/')) real = [];
        rest.unshift(...partsOf(target));
      }
    }
    return `/${real.join('/')}`;
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#fs.rename(from, to);
    this.#drafts.delete(from);
    this.#drafts.delete(to);
  }

  /** A copy does where nobody else can write to the file; otherwise there are no hard links here. */
  async link(from: string, to: string): Promise<void> {
    if (await this.lstat(to)) throw systemError('EEXIST', 'link', to);
    if (!this.#drafts.has(from)) throw systemError('ENOTSUP', 'link', from);
    const { mode } = await lstatOf(this, from);
    await this.#fs.writeFile(to, await this.readFile(from), { mode: mode & 0o777 });
  }

  async unlink(path: string): Promise<void> {
    await this.#fs.unlink(path);
    this.#drafts.delete(path);
  }

  async mkdir(path: string): Promise<void> {
    await this.#fs.mkdir(path);
  }

  async rmdir(path: string): Promise<void> {
    await this.#fs.rmdir(path);
  }

  async checkWritable(): Promise<void> {}

  async touch(path: string): Promise<void> {
    const { mode } = await lstatOf(this, path);
    await this.#fs.writeFile(path, await this.readFile(path), { mode: mode & 0o777 });
  }
}

/** A name, and what was written to it so far. All reads are of the file as it was at the first one. */
function handleOf(owner: Fs, fs: SimplePromises, path: string, start: Uint8Array, mode: number): FileHandle {
  let written = start;
  let content: Promise<Uint8Array> | null = null;
  const put = async (bytes: Uint8Array): Promise<void> => {
    written = bytes;
    content = null;
    await fs.writeFile(path, bytes, { mode });
  };
  const sync = async (): Promise<void> => void (await fs.flush?.());
  return {
    fd: -1,
    stat: () => lstatOf(owner, path),
    read: async (position, length) => {
      content ??= owner.readFile(path);
      return (await content).slice(position, position + length);
    },
    write: bytes => put(concatBytes([written, bytes])),
    truncate: size => put(written.slice(0, size)),
    chmod: async wanted => void (await fs.chmod?.(path, wanted)),
    chown: async () => {},
    sync,
    syncData: sync,
    close: async () => {},
  };
}

/** Modes may come without the bits that tell the kind. */
function statOf(stat: SimpleStat): Stat {
  const format = stat.isDirectory() ? 0o040000 : stat.isSymbolicLink() ? 0o120000 : 0o100000;
  const mode = format | (Number(stat.mode) & 0o7777);
  const { size, mtimeMs, ctimeMs = mtimeMs, ino = 0 } = stat;
  return toStat({ mode, size, mtimeMs, ctimeMs, dev: 0, ino, uid: 0, gid: 0 });
}
