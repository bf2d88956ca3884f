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

export function simpleFs({ promises: files }: SimpleFsModule): Fs {
  /** Files that were made here and have the name that they were made with: nobody else knows of them. */
  const drafts = new Set<string>();
  const put = async (path: string, bytes: Uint8Array, mode: number): Promise<void> =>
    void (await files.writeFile(path, bytes, { mode: mode & 0o777 }));
  const fs: Fs = {
    descriptorPaths: false,
    volatile: true,
    open: async (path, how, mode = 0o666) => {
      const stat = await fs.lstat(path);
      checkOpen(path, how, stat);
      const goesOn = (how === 'append' || how === 'journal') && stat;
      const bytes = goesOn ? await fs.readFile(path) : new Uint8Array();
      if (!stat) await put(path, bytes, mode & 0o755);
      if (how === 'create') drafts.add(path);
      return handleOf(fs, files, path, bytes, mode & 0o755);
    },
    readFile: async path => {
      const { buffer, byteOffset, byteLength } = (await files.readFile(path)) as Uint8Array;
      return new Uint8Array(buffer, byteOffset, byteLength);
    },
    readdir: async path => ((await files.readdir(path)) as unknown[]).map(String),
    lstat: async path => {
      const stat = (await orNull(files.lstat(path))) as SimpleStat | null;
      return stat && statOf(stat);
    },
    readlink: async path => String(await files.readlink(path)),
    realpath: path => realpath(fs, path),
    rename: async (from, to) => {
      await files.rename(from, to);
      for (const path of [from, to]) drafts.delete(path);
    },
    /** A copy does where nobody else can write to the file; otherwise there are no hard links here. */
    link: async (from, to) => {
      if (await fs.lstat(to)) throw systemError('EEXIST', 'link', to);
      if (!drafts.has(from)) throw systemError('ENOTSUP', 'link', from);
      await put(to, await fs.readFile(from), (await lstatOf(fs, from)).mode);
    },
    unlink: async path => {
      await files.unlink(path);
      drafts.delete(path);
    },
    mkdir: async path => void (await files.mkdir(path)),
    rmdir: async path => void (await files.rmdir(path)),
    checkWritable: async () => {},
    touch: async path => put(path, await fs.readFile(path), (await lstatOf(fs, path)).mode),
  };
  return fs;
}

function checkOpen(path: string, how: OpenHow, stat: Stat | null): void {
  const fail = (code: string): Error => systemError(code, 'open', path);
  if (stat && how === 'create') throw fail('EEXIST');
  if (!stat && how !== 'create' && how !== 'append') throw fail('ENOENT');
  if (how === 'directory' && stat?.type !== 'directory') throw fail('ENOTDIR');
  if (how === 'read' && stat?.type === 'symlink') throw fail('ELOOP');
}

async function realpath(fs: Fs, path: string): Promise<string> {
  let links = 0;
  let real: string[] = [];
  const rest = partsOf(path);
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    if (part === '..') real.pop();
    if (part === '..') continue;
    const next = `/${[...real, part].join('/')}`;
    if ((await lstatOf(fs, next)).type !== 'symlink') real.push(part);
    else {
      if (++links > MAX_LINKS) throw systemError('ELOOP', 'realpath', path);
      const target = await fs.readlink(next);
      if (target.startsWith('/')) real = [];
      rest.unshift(...partsOf(target));
    }
  }
  return `/${real.join('/')}`;
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
