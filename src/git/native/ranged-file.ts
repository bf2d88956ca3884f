/**
 * A file that is read in parts, stays open between them, and never changes: a pack or its index. What was read last is kept
 * in blocks, since the objects of a history lie beside each other, and each is read in two or three small pieces.
 */

import { concatBytes } from '../../bytes.ts';
import { errno, type FileHandle, type Fs } from '../../fs/fs.ts';

/** Bytes of a block. */
const BLOCK = 16 * 1024;
/** The most blocks of a file that are kept: 4 MiB. */
const KEPT = 256;

export class RangedFile {
  readonly size: number;
  readonly #handle: FileHandle;
  /** By number, the one that was used last at the end. */
  readonly #blocks = new Map<number, Uint8Array>();
  #last = -1;

  private constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.size = size;
  }

  /** Errors are those of the file system. */
  static async open(fs: Fs, path: string): Promise<RangedFile> {
    const handle = await openThroughLink(fs, path);
    try {
      return new RangedFile(handle, (await handle.stat()).size);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Exactly `length` bytes, not to be changed. Throws an Error when the file ends before. */
  async read(position: number, length: number): Promise<Uint8Array> {
    const isSmall = length <= BLOCK;
    const bytes = await (isSmall ? this.#fromBlocks(position, length) : this.#handle.read(position, length));
    if (bytes.length < length) throw new Error('the file is cut off');
    return bytes;
  }

  /** As `read`, at once, where the bytes are in memory; else `null`. */
  peek(position: number, length: number): Uint8Array | null {
    const number = Math.floor(position / BLOCK);
    const from = position - number * BLOCK;
    const block = length <= BLOCK ? this.#kept(number) : undefined;
    if (!block) return null;
    if (from + length <= block.length) return block.subarray(from, from + length);
    const next = this.#kept(number + 1);
    const rest = from + length - BLOCK;
    return next && next.length >= rest ? concatBytes([block.subarray(from), next.subarray(0, rest)]) : null;
  }

  async close(): Promise<void> {
    this.#last = -1;
    this.#blocks.clear();
    await this.#handle.close();
  }

  /** From one block, or from two beside each other. */
  async #fromBlocks(position: number, length: number): Promise<Uint8Array> {
    const number = Math.floor(position / BLOCK);
    const from = position - number * BLOCK;
    const block = await this.#block(number);
    const rest = from + length - BLOCK;
    if (rest <= 0) return block.subarray(from, from + length);
    return concatBytes([block.subarray(from), (await this.#block(number + 1)).subarray(0, rest)]);
  }

  async #block(number: number): Promise<Uint8Array> {
    const known = this.#kept(number);
    if (known) return known;
    const block = await this.#handle.read(number * BLOCK, BLOCK);
    this.#blocks.set(number, block);
    if (this.#blocks.size > KEPT) this.#blocks.delete(this.#blocks.keys().next().value!);
    return block;
  }

  #kept(number: number): Uint8Array | undefined {
    const known = this.#blocks.get(number);
    if (known && number !== this.#last) {
      this.#blocks.delete(number);
      this.#blocks.set(number, known);
      this.#last = number;
    }
    return known;
  }
}

/** Some tools share packs between repositories by symbolic links. */
async function openThroughLink(fs: Fs, path: string): Promise<FileHandle> {
  try {
    return await fs.open(path, 'read');
  } catch (error) {
    if (errno(error) !== 'ELOOP') throw error;
    return await fs.open(await fs.realpath(path), 'read');
  }
}
