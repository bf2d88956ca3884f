/**
 * A file that is read in parts, stays open between them, and never changes: a pack or its index. What was read last is kept
 * in blocks, since the objects of a history lie beside each other, and each is read in two or three small pieces.
 */

import { concatBytes } from '../../bytes.ts';
import { errno, type FileHandle, type Fs } from '../../fs/fs.ts';
import { LruCache } from '../objects/lru.ts';

/** Bytes of a block. */
const BLOCK = 16 * 1024;
/** Bytes of a file that are kept. */
const KEPT = 4 * 1024 * 1024;

export class RangedFile {
  readonly size: number;
  readonly #handle: FileHandle;
  readonly #blocks = new LruCache<number, Uint8Array>(KEPT, block => block.length);

  private constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.size = size;
  }

  /** Opens a file for reading in ranges. Throws errors of the file system. */
  static async open(fs: Fs, path: string): Promise<RangedFile> {
    const handle = await openThroughLink(fs, path);
    try {
      return new RangedFile(handle, (await handle.stat()).size);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Reads exactly `length` bytes, not to be changed. Throws an Error when the file ends before. */
  async read(position: number, length: number): Promise<Uint8Array> {
    const isSmall = length <= BLOCK;
    const bytes = isSmall
      ? await this.#fromBlocks(position, length)
      : await this.#handle.read(position, length);
    if (bytes.length < length) throw new Error('the file is cut off');
    return bytes;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  /** Reads from one block, or from two beside each other. */
  async #fromBlocks(position: number, length: number): Promise<Uint8Array> {
    const from = position % BLOCK;
    const number = (position - from) / BLOCK;
    const block = await this.#block(number);
    const rest = from + length - BLOCK;
    if (rest <= 0) return block.subarray(from, from + length);
    return concatBytes([block.subarray(from), (await this.#block(number + 1)).subarray(0, rest)]);
  }

  async #block(number: number): Promise<Uint8Array> {
    const known = this.#blocks.get(number);
    if (known) return known;
    const block = await this.#handle.read(number * BLOCK, BLOCK);
    this.#blocks.set(number, block);
    return block;
  }
}

/** Opens a file, also through a link: some tools share packs between repositories so. */
async function openThroughLink(fs: Fs, path: string): Promise<FileHandle> {
  try {
    return await fs.open(path, 'read');
  } catch (error) {
    if (errno(error) !== 'ELOOP') throw error;
    return await fs.open(await fs.realpath(path), 'read');
  }
}
