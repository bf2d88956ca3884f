/** Files, folders and links in memory, found by absolute paths; errors carry the codes of a system call (`ENOENT`, ...). */

import { systemError } from './fs.ts';

/** The file, folder or link that a name stands for. Times are in nanoseconds since 1970. */
export type MemoryNode = MemoryFile | MemoryFolder | MemoryLink;

interface Common {
  readonly ino: number;
  /** Type and permission bits as in `st_mode`. */
  mode: number;
  uid: number;
  gid: number;
  mtimeNs: bigint;
  ctimeNs: bigint;
}

export interface MemoryFile extends Common {
  readonly kind: 'file';
  bytes: Uint8Array;
}

export interface MemoryFolder extends Common {
  readonly kind: 'directory';
  readonly entries: Map<string, MemoryNode>;
}

export interface MemoryLink extends Common {
  readonly kind: 'symlink';
  readonly target: string;
}

/** Where a path leads: the folder that holds the name, the name, and what is there. */
export interface Found {
  folder: MemoryFolder;
  name: string;
  node: MemoryNode | undefined;
  /** Absolute, without links in the folders above. */
  path: string;
}

/** As on Linux: so many links are followed, then it is taken for a circle. */
export const MAX_LINKS = 40;

export class MemoryTree {
  #inodes = 0;
  #lastTime = 0n;
  readonly #root: MemoryFolder = this.newFolder(0o755);

  newFile(bytes: Uint8Array, mode: number): MemoryFile {
    return { kind: 'file', bytes, ...this.#common(0o100000 | mode) };
  }

  newFolder(mode: number): MemoryFolder {
    return { kind: 'directory', entries: new Map(), ...this.#common(0o040000 | mode) };
  }

  newLink(target: string): MemoryLink {
    return { kind: 'symlink', target, ...this.#common(0o120777) };
  }

  /** Follows links in the folders above, and at the end of the path too unless `last` is `keep`. */
  find(path: string, last: 'follow' | 'keep', call: string): Found {
    let links = 0;
    let stack: Found[] = [{ folder: this.#root, name: '', node: this.#root, path: '/' }];
    const parts = partsOf(path);
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      const above = stack.at(-1)!;
      if (part === '..') {
        if (stack.length > 1) stack.pop();
        continue;
      }
      if (above.node === undefined) throw systemError('ENOENT', call, path);
      if (above.node.kind !== 'directory') throw systemError('ENOTDIR', call, path);
      const node = above.node.entries.get(part);
      if (node?.kind === 'symlink' && (parts.length > 0 || last === 'follow')) {
        if (++links > MAX_LINKS) throw systemError('ELOOP', call, path);
        if (node.target.startsWith('/')) stack = [stack[0]!];
        parts.unshift(...partsOf(node.target));
      } else {
        const own = above.path === '/' ? `/${part}` : `${above.path}/${part}`;
        stack.push({ folder: above.node, name: part, node, path: own });
      }
    }
    return stack.at(-1)!;
  }

  /** Returns the file or folder at a path. Throws ENOENT. */
  at(path: string, last: 'follow' | 'keep', call: string): MemoryNode {
    const { node } = this.find(path, last, call);
    if (node === undefined) throw systemError('ENOENT', call, path);
    return node;
  }

  put({ folder, name }: Found, node: MemoryNode): void {
    folder.entries.set(name, node);
    this.changed(folder);
  }

  remove({ folder, name }: Found): void {
    folder.entries.delete(name);
    this.changed(folder);
  }

  /** The content, or the list of names, is another now. */
  changed(node: MemoryNode): void {
    node.mtimeNs = node.ctimeNs = this.now();
  }

  chmod(node: MemoryNode, mode: number): void {
    node.mode = (node.mode & ~0o7777) | (mode & 0o7777);
    node.ctimeNs = this.now();
  }

  /** No two changes have the same time: who looks at times only sees every change. */
  now(): bigint {
    const clock = BigInt(Date.now()) * 1_000_000n;
    this.#lastTime = clock > this.#lastTime ? clock : this.#lastTime + 1n;
    return this.#lastTime;
  }

  #common(mode: number): Common {
    const time = this.now();
    return { ino: ++this.#inodes, mode, uid: 0, gid: 0, mtimeNs: time, ctimeNs: time };
  }
}

export function partsOf(path: string): string[] {
  return path.split('/').filter(part => part !== '' && part !== '.');
}
