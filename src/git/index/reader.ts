/**
 * The index as it is on disk, read anew only when it is another: its last 20 bytes are the hash of all before them
 * (format.ts). Of 100,000 files it is 9 MB, and an edit on the branch asks for it three times.
 */

import { sameBytes } from '../../bytes.ts';
import { withOpen } from '../../fs/durable.ts';
import { type Fs, orNull } from '../../fs/fs.ts';
import { HASH } from './format.ts';

export class IndexReader {
  readonly #fs: Fs;
  /** Absolute. */
  readonly path: string;
  #known: Uint8Array | null = null;

  constructor(fs: Fs, path: string) {
    this.#fs = fs;
    this.path = path;
  }

  /**
   * The bytes of the index, or `null` where there is none; the same array as before where it is the same index. They belong
   * to the reader: nobody may change them.
   */
  async read(): Promise<Uint8Array | null> {
    const known = this.#known;
    if (known && (await this.#holds(known))) return known;
    const read = await orNull(this.#fs.readFile(this.path));
    this.#known = known && read && sameBytes(known, read) ? known : read;
    return this.#known;
  }

  /** Keeps the bytes that the caller has just written as the index. */
  wrote(bytes: Uint8Array): void {
    this.#known = bytes;
  }

  /** True when the index still ends with the known hash. One without a hash (index.skipHash) is read as a whole each time. */
  async #holds(known: Uint8Array): Promise<boolean> {
    const hash = known.subarray(-HASH);
    if (hash.every(byte => byte === 0)) return false;
    const end = await withOpen(this.#fs, this.path, 'read', async handle =>
      (await handle.stat()).size === known.length ? handle.read(known.length - HASH, HASH) : null,
    ).catch(() => null);
    return end !== null && sameBytes(end, hash);
  }
}
