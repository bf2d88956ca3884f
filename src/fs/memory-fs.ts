/**
 * A file system in memory with the calls of node's `fs.promises` that the engine and isomorphic-git make. It needs nothing
 * of Node, so a repository can live in a browser's page.
 */

import { systemError } from './fs.ts';
import { type Found, type MemoryFile, type MemoryNode, MemoryTree } from './memory-tree.ts';
import type { PromisesHandle } from './promises-fs.ts';

/** Node's open flags as they are on Linux. */
const CONSTANTS = { O_DIRECTORY: 0o200000, O_NOFOLLOW: 0o400000, O_NONBLOCK: 0o4000 } as const;

type Encoding = string | { encoding?: string | null | undefined } | null | undefined;

/** Paths are absolute. Errors carry a `code` as node's do. */
export class MemoryFs {
  readonly constants: typeof CONSTANTS = CONSTANTS;
  readonly promises: MemoryPromises = new MemoryPromises();
}

/** A new, empty file system. */
export function memoryFs(): MemoryFs {
  return new MemoryFs();
}

class MemoryPromises {
  readonly #tree = new MemoryTree();

  /** Flags are `r`, `r+`, `w`, `wx`, `a`, `a+`, or for reading numbers of `constants`. */
  async open(path: string, flags: string | number, mode = 0o666): Promise<PromisesHandle> {
    const [bits, word] = typeof flags === 'number' ? [flags, 'r'] : [0, flags];
    const isKept = (bits & CONSTANTS.O_NOFOLLOW) !== 0 || word === 'wx';
    const found = this.#tree.find(path, isKept ? 'keep' : 'follow', 'open');
    const { node } = found;
    const fail = (code: string): Error => systemError(code, 'open', path);
    if (node && word.includes('x')) throw fail('EEXIST');
    if (bits & CONSTANTS.O_DIRECTORY && node && node.kind !== 'directory') throw fail('ENOTDIR');
    if (node?.kind === 'symlink') throw fail('ELOOP');
    if (node?.kind === 'directory' && !word.startsWith('r')) throw fail('EISDIR');
    if (!node && word.startsWith('r')) throw fail('ENOENT');
    const opened = node ?? this.#tree.newFile(new Uint8Array(), mode & 0o755);
    if (!node) this.#tree.put(found, opened);
    const handle = handleOf(this.#tree, opened, path, word.startsWith('a'));
    if (word.startsWith('w')) await handle.truncate(0);
    return handle;
  }

  async readFile(path: string, options?: Encoding): Promise<Uint8Array | string> {
    const bytes = fileOf(this.#tree.at(path, 'follow', 'read'), 'read', path).bytes.slice();
    const encoding = typeof options === 'string' ? options : options?.encoding;
    return encoding ? new TextDecoder(encoding).decode(bytes) : bytes;
  }

  async writeFile(
    path: string,
    data: Uint8Array | string,
    options?: { mode?: number } | string,
  ): Promise<void> {
    const mode = (typeof options === 'object' ? options?.mode : undefined) ?? 0o666;
    const handle = await this.open(path, 'w', mode);
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
    await handle.write(bytes, 0, bytes.length, null);
  }

  async readdir(path: string): Promise<string[]> {
    const node = this.#tree.at(path, 'follow', 'scandir');
    if (node.kind !== 'directory') throw systemError('ENOTDIR', 'scandir', path);
    return [...node.entries.keys()];
  }

  async mkdir(path: string, options?: { recursive?: boolean; mode?: number } | number): Promise<void> {
    const { recursive = false, mode = 0o777 } = typeof options === 'object' ? options : {};
    const parts = path.split('/').filter(part => part !== '');
    for (let depth = recursive ? 1 : parts.length; depth <= parts.length; depth++) {
      const found = this.#tree.find(`/${parts.slice(0, depth).join('/')}`, 'follow', 'mkdir');
      if (!found.node) this.#tree.put(found, this.#tree.newFolder(mode & 0o755));
      else if (!recursive || found.node.kind !== 'directory') throw systemError('EEXIST', 'mkdir', path);
    }
  }

  async rmdir(path: string): Promise<void> {
    const found = this.#there(path, 'rmdir');
    if (found.node.kind !== 'directory') throw systemError('ENOTDIR', 'rmdir', path);
    if (found.node.entries.size > 0) throw systemError('ENOTEMPTY', 'rmdir', path);
    this.#tree.remove(found);
  }

  async unlink(path: string): Promise<void> {
    const found = this.#there(path, 'unlink');
    if (found.node.kind === 'directory') throw systemError('EISDIR', 'unlink', path);
    this.#tree.remove(found);
  }

  /** Replaces a file that is there, and an empty folder by a folder. */
  async rename(from: string, to: string): Promise<void> {
    const place = this.#tree.find(to, 'keep', 'rename');
    const old = this.#there(from, 'rename');
    if (old.node === place.node) return;
    if (`${place.path}/`.startsWith(`${old.path}/`)) throw systemError('EINVAL', 'rename', from);
    const isFolder = old.node.kind === 'directory';
    if (place.node?.kind === 'directory') {
      if (!isFolder) throw systemError('EISDIR', 'rename', to);
      if (place.node.entries.size > 0) throw systemError('ENOTEMPTY', 'rename', to);
    } else if (place.node && isFolder) throw systemError('ENOTDIR', 'rename', to);
    this.#tree.remove(old);
    this.#tree.put(place, old.node);
  }

  async link(from: string, to: string): Promise<void> {
    const node = this.#tree.at(from, 'keep', 'link');
    if (node.kind === 'directory') throw systemError('EPERM', 'link', from);
    this.#putNew(to, node, 'link');
  }

  async symlink(target: string, path: string): Promise<void> {
    this.#putNew(path, this.#tree.newLink(target), 'symlink');
  }

  #putNew(path: string, node: MemoryNode, call: string): void {
    const place = this.#tree.find(path, 'keep', call);
    if (place.node) throw systemError('EEXIST', call, path);
    this.#tree.put(place, node);
  }

  #there(path: string, call: string): Found & { node: MemoryNode } {
    const found = this.#tree.find(path, 'keep', call);
    if (!found.node) throw systemError('ENOENT', call, path);
    return found as Found & { node: MemoryNode };
  }

  async readlink(path: string): Promise<string> {
    const node = this.#tree.at(path, 'keep', 'readlink');
    if (node.kind !== 'symlink') throw systemError('EINVAL', 'readlink', path);
    return node.target;
  }

  async realpath(path: string): Promise<string> {
    const found = this.#tree.find(path, 'follow', 'realpath');
    if (!found.node) throw systemError('ENOENT', 'realpath', path);
    return found.path;
  }

  async stat(path: string, _options?: object): Promise<MemoryStats> {
    return statsOf(this.#tree.at(path, 'follow', 'stat'));
  }

  async lstat(path: string, _options?: object): Promise<MemoryStats> {
    return statsOf(this.#tree.at(path, 'keep', 'lstat'));
  }

  async chmod(path: string, mode: number): Promise<void> {
    this.#tree.chmod(this.#tree.at(path, 'follow', 'chmod'), mode);
  }

  /** Times are in seconds since 1970. */
  async utimes(path: string, _atime: number, mtime: number): Promise<void> {
    const node = this.#tree.at(path, 'follow', 'utimes');
    node.mtimeNs = BigInt(Math.round(mtime * 1e6)) * 1000n;
    node.ctimeNs = this.#tree.now();
  }

  /** Everybody may everything. */
  async access(path: string, _mode?: number): Promise<void> {
    this.#tree.at(path, 'follow', 'access');
  }
}

function fileOf(node: MemoryNode, call: string, path: string): MemoryFile {
  if (node.kind !== 'file') throw systemError('EISDIR', call, path);
  return node;
}

/** An open file or folder, which stays readable when its name goes. */
function handleOf(tree: MemoryTree, node: MemoryNode, path: string, atEnd: boolean): PromisesHandle {
  let at = atEnd && node.kind === 'file' ? node.bytes.length : 0;
  return {
    fd: -1,
    stat: async () => statsOf(node),
    read: async (into, offset, length, position) => {
      const part = fileOf(node, 'read', path).bytes.subarray(position, position + length);
      into.set(part, offset);
      return { bytesRead: part.length };
    },
    write: async (bytes, offset, length) => {
      const file = fileOf(node, 'write', path);
      const content = new Uint8Array(Math.max(at + length, file.bytes.length));
      content.set(file.bytes);
      content.set(bytes.subarray(offset, offset + length), at);
      file.bytes = content;
      at += length;
      tree.changed(file);
      return { bytesWritten: length };
    },
    truncate: async size => {
      const file = fileOf(node, 'ftruncate', path);
      file.bytes = file.bytes.slice(0, size);
      at = Math.min(at, file.bytes.length);
      tree.changed(file);
    },
    chmod: async mode => tree.chmod(node, mode),
    chown: async (uid, gid) => void Object.assign(node, { uid, gid, ctimeNs: tree.now() }),
    sync: async () => {},
    close: async () => {},
  };
}

/** Node's `Stats`, with nanoseconds as its `BigIntStats` have them. */
interface MemoryStats
  extends Record<'dev' | 'ino' | 'mode' | 'uid' | 'gid' | 'size' | 'mtimeMs' | 'ctimeMs', number>,
    Record<'mtimeNs' | 'ctimeNs', bigint>,
    Record<'isFile' | 'isDirectory' | 'isSymbolicLink', () => boolean> {}

function statsOf(node: MemoryNode): MemoryStats {
  const { ino, mode, uid, gid, mtimeNs, ctimeNs, kind } = node;
  return {
    ...{ dev: 1, ino, mode, uid, gid, mtimeNs, ctimeNs },
    size: kind === 'file' ? node.bytes.length : kind === 'symlink' ? node.target.length : 0,
    mtimeMs: Number(mtimeNs / 1_000_000n),
    ctimeMs: Number(ctimeNs / 1_000_000n),
    isFile: () => kind === 'file',
    isDirectory: () => kind === 'directory',
    isSymbolicLink: () => kind === 'symlink',
  };
}
