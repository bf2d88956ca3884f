/**
 * Open files that memory-fs.ts hands out, and what is known of a name, with the calls of node's `FileHandle` and
 * `Stats`.
 */

import { failure, type MemoryFile, type MemoryNode, type MemoryTree } from './memory-tree.ts';

/** An open file or folder. It stays readable when its name goes. */
export class MemoryHandle {
  readonly fd = -1;
  readonly #tree: MemoryTree;
  readonly #node: MemoryNode;
  readonly #path: string;
  #position = 0;

  constructor(tree: MemoryTree, node: MemoryNode, path: string) {
    this.#tree = tree;
    this.#node = node;
    this.#path = path;
  }

  async truncate(size = 0): Promise<void> {
    const file = this.#file('ftruncate');
    file.bytes = file.bytes.slice(0, size);
    this.#position = Math.min(this.#position, file.bytes.length);
    this.#tree.changed(this.#node);
  }

  /** Where the next write goes, in bytes. */
  skip(position: number): void {
    this.#position = position;
  }

  async stat(_options?: object): Promise<MemoryStats> {
    return new MemoryStats(this.#node);
  }

  async read(
    into: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number; buffer: Uint8Array }> {
    const part = this.#file('read').bytes.subarray(position, position + length);
    into.set(part, offset);
    return { bytesRead: part.length, buffer: into };
  }

  /** Writes at the handle's own position. */
  async write(bytes: Uint8Array, offset: number, length: number): Promise<{ bytesWritten: number }> {
    const file = this.#file('write');
    const end = this.#position + length;
    const content = new Uint8Array(Math.max(end, file.bytes.length));
    content.set(file.bytes);
    content.set(bytes.subarray(offset, offset + length), this.#position);
    file.bytes = content;
    this.#position = end;
    this.#tree.changed(file);
    return { bytesWritten: length };
  }

  async chmod(mode: number): Promise<void> {
    chmod(this.#tree, this.#node, mode);
  }

  async chown(uid: number, gid: number): Promise<void> {
    Object.assign(this.#node, { uid, gid, ctimeNs: this.#tree.now() });
  }

  async sync(): Promise<void> {}

  async close(): Promise<void> {}

  #file(call: string): MemoryFile {
    if (this.#node.kind !== 'file') throw failure('EISDIR', call, this.#path);
    return this.#node;
  }
}

/** Node's `Stats`, with nanoseconds as its `BigIntStats` have them. */
export class MemoryStats {
  readonly dev = 1;
  readonly ino: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Bytes. */
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly #kind: MemoryNode['kind'];

  constructor(node: MemoryNode) {
    const { ino, mode, uid, gid, mtimeNs, ctimeNs, kind } = node;
    this.ino = ino;
    this.mode = mode;
    this.uid = uid;
    this.gid = gid;
    this.size = kind === 'file' ? node.bytes.length : kind === 'symlink' ? node.target.length : 0;
    this.mtimeNs = mtimeNs;
    this.ctimeNs = ctimeNs;
    this.mtimeMs = Number(mtimeNs / 1_000_000n);
    this.ctimeMs = Number(ctimeNs / 1_000_000n);
    this.#kind = kind;
  }

  isFile(): boolean {
    return this.#kind === 'file';
  }

  isDirectory(): boolean {
    return this.#kind === 'directory';
  }

  isSymbolicLink(): boolean {
    return this.#kind === 'symlink';
  }
}

export function chmod(tree: MemoryTree, node: MemoryNode, mode: number): void {
  node.mode = (node.mode & ~0o7777) | (mode & 0o7777);
  node.ctimeNs = tree.now();
}
