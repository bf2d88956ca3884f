/**
 * The system calls over a file system that knows whole files only: the calls that isomorphic-git asks for, which LightningFS
 * has (files in IndexedDB, in a browser). It must be in the hands of one page or process alone: creating a file only where
 * there is none takes two calls here.
 */

import type { FileHandle, Fs, OpenHow, Stat } from './fs.ts';
import { lstatOf, orNull } from './fs.ts';

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

const MAX_LINKS = 40;

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
    if (stat && how === 'create') throw failure('EEXIST', path);
    if (!stat && how !== 'create' && how !== 'append') throw failure('ENOENT', path);
    if (how === 'directory' && stat?.type !== 'directory') throw failure('ENOTDIR', path);
    if (how === 'read' && stat?.type === 'symlink') throw failure('ELOOP', path);
    const bytes =
      (how === 'append' || how === 'journal') && stat ? await this.readFile(path) : new Uint8Array();
    if (!stat) await this.#fs.writeFile(path, bytes, { mode: mode & 0o755 });
    if (how === 'create') this.#drafts.add(path);
    return new Handle(this, this.#fs, path, bytes, mode & 0o755);
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
    return stat && toStat(stat);
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
        if (++links > MAX_LINKS) throw failure('ELOOP', path);
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
    if (await this.lstat(to)) throw failure('EEXIST', to);
    if (!this.#drafts.has(from)) throw failure('ENOTSUP', from);
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

/** A name, and what was written to it so far. */
class Handle implements FileHandle {
  readonly fd = -1;
  readonly #owner: SimpleFs;
  readonly #fs: SimplePromises;
  readonly #path: string;
  readonly #mode: number;
  #written: Uint8Array;
  #content: Promise<Uint8Array> | null = null;

  constructor(owner: SimpleFs, fs: SimplePromises, path: string, written: Uint8Array, mode: number) {
    this.#owner = owner;
    this.#fs = fs;
    this.#path = path;
    this.#written = written;
    this.#mode = mode;
  }

  stat(): Promise<Stat> {
    return lstatOf(this.#owner, this.#path);
  }

  /** All reads are of the file as it was at the first one. */
  async read(position: number, length: number): Promise<Uint8Array> {
    this.#content ??= this.#owner.readFile(this.#path);
    return (await this.#content).slice(position, position + length);
  }

  async write(bytes: Uint8Array): Promise<void> {
    const content = new Uint8Array(this.#written.length + bytes.length);
    content.set(this.#written);
    content.set(bytes, this.#written.length);
    this.#written = content;
    this.#content = null;
    await this.#fs.writeFile(this.#path, content, { mode: this.#mode });
  }

  async truncate(size: number): Promise<void> {
    this.#written = this.#written.slice(0, size);
    this.#content = null;
    await this.#fs.writeFile(this.#path, this.#written, { mode: this.#mode });
  }

  async chmod(mode: number): Promise<void> {
    await this.#fs.chmod?.(this.#path, mode);
  }

  async chown(): Promise<void> {}

  async sync(): Promise<void> {
    await this.#fs.flush?.();
  }

  async syncData(): Promise<void> {
    await this.sync();
  }

  async close(): Promise<void> {}
}

/** Modes may come without the bits that tell the kind. */
function toStat(stat: SimpleStat): Stat {
  const type = stat.isDirectory() ? 'directory' : stat.isSymbolicLink() ? 'symlink' : 'file';
  const mtimeNs = BigInt(Math.trunc(stat.mtimeMs)) * 1_000_000n;
  return {
    type,
    size: Number(stat.size),
    mode: FORMATS[type] | (Number(stat.mode) & 0o7777),
    mtimeNs,
    ctimeNs: stat.ctimeMs === undefined ? mtimeNs : BigInt(Math.trunc(stat.ctimeMs)) * 1_000_000n,
    dev: 0n,
    ino: BigInt(stat.ino ?? 0),
    uid: 0,
    gid: 0,
  };
}

const FORMATS = { file: 0o100000, directory: 0o040000, symlink: 0o120000 } as const;

function partsOf(path: string): string[] {
  return path.split('/').filter(part => part !== '' && part !== '.');
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: '${path}'`), { code });
}
