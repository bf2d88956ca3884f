/**
 * What the commits of a long trail say, kept in a file of the engine's folder: who reads all of a trail need not find,
 * inflate, hash and parse each commit again. The file is a row of batches, each appended at once:
 *
 *     magic, bytes of what follows the sum, CRC-32 of that      4 bytes each
 *     number of commits                                         4 bytes
 *     ids of the commits                                        20 bytes each
 *     a JSON array of their entries, deflated
 *
 * An entry says only what the bytes of its commit say, so it stays right whatever becomes of the trail. Objects are the
 * truth all the same: `verify` reads them alone. A file that is gone costs time; one that is damaged is made anew.
 */

import { removeIfThere } from '../fs/durable.ts';
import type { Fs } from '../fs/fs.ts';
import { concat, fromUtf8, uint32, utf8 } from '../git/bytes.ts';
import { LruCache } from '../git/objects/lru.ts';
import { type Codec, fromHex, toHex } from '../git/objects/object.ts';
import type { EntrySource, TrailEntry } from './walk.ts';

export interface KeptEntriesOptions {
  fs: Fs;
  codec: Codec;
  /** The engine's own folder. */
  folder: string;
  /** Commits of a batch. */
  batch?: number;
  /** The newest commits of a trail, which are read as objects. */
  few?: number;
}

export const KEPT_ENTRIES = 'entries';

/** `VED1`: another form gets another one, and is not understood by this version. */
const MAGIC = 0x5645_4431;
const HEAD = 12;
const BATCH = 512;
const FEW = 256;
/** For parsed batches, by their number of entries. */
const PARSED = 8 * BATCH;
/** More batches than a file has. */
const MOST = 2 ** 24;
/** Bytes that a batch may have inflated. */
const LARGEST = 64 * 1024 * 1024;

export class KeptEntries implements EntrySource {
  readonly few: number;
  readonly #fs: Fs;
  readonly #codec: Codec;
  readonly #path: string;
  readonly #batch: number;
  /** Deflated. */
  readonly #batches: Uint8Array[] = [];
  /** By id, the number of the batch, and times `MOST` the place there. */
  readonly #places = new Map<string, number>();
  readonly #parsed = new LruCache<number, TrailEntry[]>(PARSED, entries => entries.length);
  #loading: Promise<void> | null = null;
  #isWhole = true;
  #fresh: TrailEntry[] = [];

  constructor({ fs, codec, folder, batch = BATCH, few = FEW }: KeptEntriesOptions) {
    this.#fs = fs;
    this.#codec = codec;
    this.#path = `${folder}/${KEPT_ENTRIES}`;
    this.#batch = batch;
    this.few = few;
  }

  async get(oid: string): Promise<TrailEntry | null> {
    await (this.#loading ??= this.#load());
    const place = this.#places.get(oid);
    if (place === undefined) return null;
    const entry = (await this.#entriesOf(place % MOST))?.[Math.floor(place / MOST)];
    return entry?.commit === oid ? entry : null;
  }

  async learn(entry: TrailEntry): Promise<void> {
    if (this.#places.has(entry.commit)) return;
    this.#fresh.push(entry);
    if (this.#fresh.length < this.#batch) return;
    const entries = this.#fresh;
    this.#fresh = [];
    // Whoever may not write here reads the commits each time.
    await this.#save(entries).catch(() => {});
  }

  async #load(): Promise<void> {
    const bytes = await this.#fs.readFile(this.#path).catch(() => new Uint8Array());
    for (let at = 0; at < bytes.length && this.#isWhole; ) {
      const body = this.#bodyAt(bytes, at);
      this.#isWhole = body !== null;
      if (body) this.#note(body);
      at += HEAD + (body?.length ?? 0);
    }
  }

  /** `null` for a batch that is cut off or damaged. */
  #bodyAt(bytes: Uint8Array, at: number): Uint8Array | null {
    if (bytes.length - at < HEAD + 4 || uint32(bytes, at) !== MAGIC) return null;
    const body = bytes.subarray(at + HEAD, at + HEAD + uint32(bytes, at + 4));
    const isWhole =
      body.length === uint32(bytes, at + 4) && body.length >= 4 && 4 + uint32(body, 0) * 20 <= body.length;
    return isWhole && this.#codec.packing!.crc32(body) === uint32(bytes, at + 8) ? body : null;
  }

  #note(body: Uint8Array): void {
    const count = uint32(body, 0);
    const number = this.#batches.push(body.subarray(4 + count * 20)) - 1;
    for (let row = 0; row < count; row++)
      this.#places.set(toHex(body.subarray(4 + row * 20, 24 + row * 20)), row * MOST + number);
  }

  async #entriesOf(batch: number): Promise<TrailEntry[] | null> {
    const known = this.#parsed.get(batch);
    if (known) return known;
    const text = fromUtf8(await this.#codec.inflate(this.#batches[batch]!, LARGEST));
    const entries = text === null ? null : (JSON.parse(text) as TrailEntry[]);
    if (entries) this.#parsed.set(batch, entries);
    return entries;
  }

  async #save(entries: readonly TrailEntry[]): Promise<void> {
    const { deflate, crc32 } = this.#codec.packing!;
    const body = concat([
      numbers(entries.length),
      ...entries.map(({ commit }) => fromHex(commit)),
      await deflate(utf8(JSON.stringify(entries))),
    ]);
    if (!this.#isWhole) await removeIfThere(this.#fs, this.#path);
    this.#isWhole = true;
    const handle = await this.#fs.open(this.#path, 'append', 0o666);
    try {
      await handle.write(concat([numbers(MAGIC, body.length, crc32(body)), body]));
    } finally {
      await handle.close();
    }
    this.#note(body);
  }
}

function numbers(...values: number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of values.entries()) view.setUint32(i * 4, value);
  return bytes;
}
