/**
 * The index as it is on disk, read anew only when it is another: its last 20 bytes are the hash of all before them
 * (format.ts). Of 100,000 files it is 9 MB, and an edit on the branch asks for it three times.
 */

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

  /** The bytes of the index, or `null` where there is none. They belong to the reader: nobody may change them. */
  async read(): Promise<Uint8Array | null> {
    if (!this.#known || !(await this.#holds(this.#known)))
      this.#known = await orNull(this.#fs.readFile(this.path));
    return this.#known;
  }

  /** What the caller has just put there. */
  wrote(bytes: Uint8Array): void {
    this.#known = bytes;
  }

  /** An index without a hash (index.skipHash) is never known again; what cannot be asked is read, or fails, as a whole. */
  async #holds(known: Uint8Array): Promise<boolean> {
    const hash = known.subarray(-HASH);
    if (hash.every(byte => byte === 0)) return false;
    try {
      return await this.#endsAs(hash, known.length);
    } catch {
      return false;
    }
  }

  async #endsAs(hash: Uint8Array, size: number): Promise<boolean> {
    const handle = await this.#fs.open(this.path, 'read');
    try {
      if ((await handle.stat()).size !== size) return false;
      const end = await handle.read(size - HASH, HASH);
      return end.length === HASH && end.every((byte, at) => byte === hash[at]);
    } finally {
      await handle.close();
    }
  }
}
