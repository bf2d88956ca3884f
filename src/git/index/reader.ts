/** Reading the file of git's index, which may be in two parts. */

import { sameBytes } from '../../bytes.ts';
import { withOpen } from '../../fs/durable.ts';
import { type Fs, orNull } from '../../fs/fs.ts';
import { assertWhole, HASH, parseIndex, type Sha1 } from './format.ts';
import { joinedIndex, sharedName } from './split.ts';

/**
 * The index as it is on disk, read anew only when it is another: its last 20 bytes are the hash of all before them. Of 100,000
 * files it is 9 MB, and an edit on the branch asks for it three times.
 */
export class IndexReader {
  readonly #fs: Fs;
  /** Absolute. */
  readonly path: string;
  readonly #sha1: Sha1;
  #known: Uint8Array | null = null;
  #joined: { of: Uint8Array; bytes: Uint8Array } | null = null;

  constructor(fs: Fs, path: string, sha1: Sha1) {
    this.#fs = fs;
    this.#sha1 = sha1;
    this.path = path;
  }

  /**
   * The bytes of the index, of a split one those of both its parts as one, or `null` where there is none; the same array as
   * before where it is the same index. They belong to the reader: nobody may change them.
   */
  async read(): Promise<Uint8Array | null> {
    const known = await this.#readOwn();
    const link = known && parseIndex(known, 'part').extensions.find(one => one.signature === 'link');
    if (!link) return known;
    if (this.#joined?.of === known) return this.#joined.bytes;
    const shared = await this.#fs.readFile(this.path.replace(/index$/, sharedName(link)));
    const bytes = await joinedIndex(shared, known, this.#sha1);
    this.#joined = { of: known, bytes };
    return bytes;
  }

  /** Throws UNSUPPORTED_REPOSITORY for a split or sparse index. */
  async assertWhole(): Promise<void> {
    const known = await this.#readOwn();
    if (known) assertWhole(known);
  }

  async #readOwn(): Promise<Uint8Array | null> {
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
