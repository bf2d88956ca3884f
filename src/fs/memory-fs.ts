/**
 * A file system in memory with the calls of node's `fs.promises` that the engine and isomorphic-git make. It needs nothing
 * of Node, so a repository can live in a browser's page.
 */

import { chmod, MemoryHandle, MemoryStats } from './memory-handle.ts';
import { failure, type MemoryNode, MemoryTree } from './memory-tree.ts';

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
  async open(path: string, flags: string | number, mode = 0o666): Promise<MemoryHandle> {
    const bits = typeof flags === 'number' ? flags : 0;
    const word = typeof flags === 'number' ? 'r' : flags;
    const found = this.#tree.find(
      path,
      bits & CONSTANTS.O_NOFOLLOW || word === 'wx' ? 'keep' : 'follow',
      'open',
    );
    const { node } = found;
    if (node && word.includes('x')) throw failure('EEXIST', 'open', path);
    if (bits & CONSTANTS.O_DIRECTORY && node && node.kind !== 'directory')
      throw failure('ENOTDIR', 'open', path);
    if (node?.kind === 'symlink') throw failure('ELOOP', 'open', path);
    if (node?.kind === 'directory' && !word.startsWith('r')) throw failure('EISDIR', 'open', path);
    if (!node && word.startsWith('r')) throw failure('ENOENT', 'open', path);
    const opened = node ?? this.#tree.newFile(new Uint8Array(), mode & 0o755);
    if (!node) this.#tree.put(found, opened);
    const handle = new MemoryHandle(this.#tree, opened, path);
    if (word.startsWith('w') && opened.kind === 'file') await handle.truncate();
    if (word.startsWith('a') && opened.kind === 'file') handle.skip(opened.bytes.length);
    return handle;
  }

  async readFile(path: string, options?: Encoding): Promise<Uint8Array | string> {
    const bytes = this.#tree.fileAt(path, 'read').bytes.slice();
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
    await handle.write(bytes, 0, bytes.length);
  }

  async readdir(path: string): Promise<string[]> {
    return [...this.#tree.folderAt(path, 'scandir').entries.keys()];
  }

  async mkdir(path: string, options?: { recursive?: boolean; mode?: number } | number): Promise<void> {
    const { recursive = false, mode = 0o777 } = typeof options === 'object' ? options : {};
    const parts = path.split('/').filter(part => part !== '');
    for (let depth = recursive ? 1 : parts.length; depth <= parts.length; depth++) {
      const found = this.#tree.find(`/${parts.slice(0, depth).join('/')}`, 'follow', 'mkdir');
      if (!found.node) this.#tree.put(found, this.#tree.newFolder(mode & 0o755));
      else if (!recursive || found.node.kind !== 'directory') throw failure('EEXIST', 'mkdir', path);
    }
  }

  async rmdir(path: string): Promise<void> {
    const found = this.#tree.find(path, 'keep', 'rmdir');
    if (!found.node) throw failure('ENOENT', 'rmdir', path);
    if (found.node.kind !== 'directory') throw failure('ENOTDIR', 'rmdir', path);
    if (found.node.entries.size > 0) throw failure('ENOTEMPTY', 'rmdir', path);
    this.#tree.remove(found);
  }

  async unlink(path: string): Promise<void> {
    const found = this.#tree.find(path, 'keep', 'unlink');
    if (!found.node) throw failure('ENOENT', 'unlink', path);
    if (found.node.kind === 'directory') throw failure('EISDIR', 'unlink', path);
    this.#tree.remove(found);
  }

  /** Replaces a file that is there, and an empty folder by a folder. */
  async rename(from: string, to: string): Promise<void> {
    const old = this.#tree.find(from, 'keep', 'rename');
    const place = this.#tree.find(to, 'keep', 'rename');
    if (!old.node) throw failure('ENOENT', 'rename', from);
    if (old.node === place.node) return;
    if (`${place.path}/`.startsWith(`${old.path}/`)) throw failure('EINVAL', 'rename', from);
    const isFolder = old.node.kind === 'directory';
    if (place.node?.kind === 'directory') {
      if (!isFolder) throw failure('EISDIR', 'rename', to);
      if (place.node.entries.size > 0) throw failure('ENOTEMPTY', 'rename', to);
    } else if (place.node && isFolder) throw failure('ENOTDIR', 'rename', to);
    this.#tree.remove(old);
    this.#tree.put(place, old.node);
  }

  async link(from: string, to: string): Promise<void> {
    const node = this.#tree.at(from, 'keep', 'link');
    if (node.kind === 'directory') throw failure('EPERM', 'link', from);
    this.#putNew(to, node, 'link');
  }

  async symlink(target: string, path: string): Promise<void> {
    this.#putNew(path, this.#tree.newLink(target), 'symlink');
  }

  #putNew(path: string, node: MemoryNode, call: string): void {
    const place = this.#tree.find(path, 'keep', call);
    if (place.node) throw failure('EEXIST', call, path);
    this.#tree.put(place, node);
  }

  async readlink(path: string): Promise<string> {
    const node = this.#tree.at(path, 'keep', 'readlink');
    if (node.kind !== 'symlink') throw failure('EINVAL', 'readlink', path);
    return node.target;
  }

  async realpath(path: string): Promise<string> {
    const found = this.#tree.find(path, 'follow', 'realpath');
    if (!found.node) throw failure('ENOENT', 'realpath', path);
    return found.path;
  }

  async stat(path: string, _options?: object): Promise<MemoryStats> {
    return new MemoryStats(this.#tree.at(path, 'follow', 'stat'));
  }

  async lstat(path: string, _options?: object): Promise<MemoryStats> {
    return new MemoryStats(this.#tree.at(path, 'keep', 'lstat'));
  }

  async chmod(path: string, mode: number): Promise<void> {
    chmod(this.#tree, this.#tree.at(path, 'follow', 'chmod'), mode);
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
