/**
 * What the commits of a long trail say, kept in a file of the engine's folder: who reads all of a trail need not find,
 * inflate, hash and parse each commit again. The file is a row of batches, each appended at once:
 *
 *     magic, bytes of what follows the sum, CRC-32 of that      4 bytes each
 *     number of commits, bytes of their rows                    4 bytes each
 *     ids of the commits                                        20 bytes each
 *     their rows (kept-rows.ts)
 *     a JSON array of their entries, deflated
 *
 * An entry says only what the bytes of its commit say, so it stays right whatever becomes of the trail. Objects are the
 * truth all the same: `verify` reads them alone. A file that is gone costs time; one that is damaged is made anew.
 */

import { concatBytes, fromUtf8, uint32, utf8 } from '../bytes.ts';
import { removeIfThere } from '../fs/durable.ts';
import type { Fs } from '../fs/fs.ts';
import { LruCache } from '../git/objects/lru.ts';
import { type Codec, fromHex, toHex } from '../git/objects/object.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { decodeRows, encodeRows } from './kept-rows.ts';
import { summaryOf } from './rows-summary.ts';
import { type EntrySource, readEntry, type TrailEntry, type TrailRow } from './walk.ts';

export interface KeptEntriesOptions {
  fs: Fs;
  codec: Codec;
  /** Where commits are read that are not worth more. */
  objects: ObjectDatabase;
  /** The engine's own folder. */
  folder: string;
  /** Commits of a batch. */
  batch?: number;
  /** The newest commits of a trail, which are read as objects. */
  few?: number;
}

export const KEPT_ENTRIES = 'entries';

/** `VED5`: another form gets another one, and is not understood by this version. */
const MAGIC = 0x5645_4435;
const HEAD = 12;
const COUNTS = 8;
const BATCH = 512;
const FEW = 256;
/** For parsed batches, by their number of entries. */
const PARSED = 8 * BATCH;
/** More batches than a file has. */
const MOST = 2 ** 24;
/** Bytes that a batch may have inflated. */
const LARGEST = 64 * 1024 * 1024;
/** So many commits of a batch are read as objects before all of its entries are inflated. */
const SINGLE = 24;

interface Batch {
  ids: Uint8Array;
  rows: Uint8Array;
  /** Deflated. */
  entries: Uint8Array;
  /** How many of its entries were asked for by their rows. */
  asked: number;
}

export class KeptEntries implements EntrySource {
  readonly few: number;
  readonly #fs: Fs;
  readonly #codec: Codec;
  readonly #objects: ObjectDatabase;
  readonly #path: string;
  readonly #size: number;
  readonly #batches: Batch[] = [];
  /** By the first digits of the id, the number of the batch, and times `MOST` the place there. */
  readonly #places = new Map<number, number>();
  /** How many batches are in there: a walk from batch to batch needs none of it. */
  #placed = 0;
  /** By the first id of a batch, its number. */
  readonly #begins = new Map<string, number>();
  readonly #parsed = new LruCache<number, TrailEntry[]>(PARSED, entries => entries.length);
  /** The rows that were asked for last: to keep all of them costs more than to decode them again. */
  #decoded: { number: number; rows: readonly TrailRow[] } | null = null;
  /** The batch whose entry was asked for last, and whether many were of the one before it. */
  readonly #asked = { last: -1, wasMany: false };
  #loading: Promise<void> | null = null;
  #isWhole = true;
  #fresh: TrailEntry[] = [];

  constructor({ fs, codec, objects, folder, batch = BATCH, few = FEW }: KeptEntriesOptions) {
    this.#fs = fs;
    this.#codec = codec;
    this.#objects = objects;
    this.#path = `${folder}/${KEPT_ENTRIES}`;
    this.#size = batch;
    this.few = few;
  }

  async get(oid: string): Promise<TrailEntry | null> {
    const place = await this.#placeOf(oid);
    if (place === null) return null;
    const entry = (await this.#entriesOf(place.batch))?.[place.at];
    return entry?.commit === oid ? entry : null;
  }

  async rowsFrom(oid: string): Promise<readonly TrailRow[] | null> {
    const place = await this.#placeOf(oid);
    const rows = place && this.#rowsOf(place.batch);
    if (!rows) return null;
    const end = summaryOf(rows)!.endOfLine(place.at);
    return place.at === 0 && end === rows.length ? rows : rows.slice(place.at, end);
  }

  async learn(entry: TrailEntry): Promise<void> {
    if (await this.#placeOf(entry.commit)) return;
    this.#fresh.push(entry);
    if (this.#fresh.length < this.#size) return;
    const entries = this.#fresh;
    this.#fresh = [];
    // Whoever may not write here reads the commits each time.
    await this.#save(entries).catch(() => {});
  }

  async #placeOf(oid: string): Promise<{ batch: number; at: number } | null> {
    await (this.#loading ??= this.#load());
    const begun = this.#begins.get(oid);
    if (begun !== undefined) return { batch: begun, at: 0 };
    for (; this.#placed < this.#batches.length; this.#placed++) this.#place(this.#placed);
    const place = this.#places.get(Number.parseInt(oid.slice(0, DIGITS), 16));
    if (place === undefined) return null;
    const [batch, at] = [place % MOST, Math.floor(place / MOST)];
    return idAt(this.#batches[batch]!.ids, at) === oid ? { batch, at } : null;
  }

  async #load(): Promise<void> {
    const bytes = await this.#fs.readFile(this.#path).catch(() => new Uint8Array());
    for (let at = 0; at < bytes.length && this.#isWhole; ) {
      const body = this.#bodyAt(bytes, at);
      this.#isWhole = body !== null && this.#note(body);
      at += HEAD + (body?.length ?? 0);
    }
  }

  /** `null` for a batch that is cut off or damaged. */
  #bodyAt(bytes: Uint8Array, at: number): Uint8Array | null {
    if (bytes.length - at < HEAD + COUNTS || uint32(bytes, at) !== MAGIC) return null;
    const body = bytes.subarray(at + HEAD, at + HEAD + uint32(bytes, at + 4));
    if (body.length !== uint32(bytes, at + 4) || body.length < COUNTS) return null;
    return this.#codec.packing!.crc32(body) === uint32(bytes, at + 8) ? body : null;
  }

  /** False for what cannot be a batch. */
  #note(body: Uint8Array): boolean {
    const count = uint32(body, 0);
    const [rowsAt, entriesAt] = [COUNTS + count * 20, COUNTS + count * 20 + uint32(body, 4)];
    if (entriesAt > body.length) return false;
    const ids = body.subarray(COUNTS, rowsAt);
    const [rows, entries] = [body.subarray(rowsAt, entriesAt), body.subarray(entriesAt)];
    const number = this.#batches.push({ ids, rows, entries, asked: 0 }) - 1;
    if (count > 0) this.#begins.set(idAt(ids, 0), number);
    return true;
  }

  #place(number: number): void {
    const { ids } = this.#batches[number]!;
    const view = new DataView(ids.buffer, ids.byteOffset, ids.byteLength);
    for (let at = 0; at < ids.length; at += 20)
      this.#places.set(view.getUint32(at) * 2 ** 16 + view.getUint16(at + 4), (at / 20) * MOST + number);
  }

  #rowsOf(number: number): readonly TrailRow[] | null {
    if (this.#decoded?.number === number) return this.#decoded.rows;
    const batch = this.#batches[number]!;
    const rows = decodeRows(batch.rows, toHex(batch.ids), (at, oid) => this.#entryAt(number, at, oid));
    this.#decoded = rows && { number, rows };
    return rows;
  }

  /**
   * A few are read as objects, which costs less than to inflate and parse all of the batch; where many of the batch before
   * were asked for, so will be many of this one.
   */
  async #entryAt(batch: number, at: number, oid: string): Promise<TrailEntry> {
    const before = this.#asked;
    if (before.last !== batch) {
      before.wasMany = this.#batches[before.last] !== undefined && this.#batches[before.last]!.asked > SINGLE;
      before.last = batch;
    }
    const isFew = ++this.#batches[batch]!.asked <= SINGLE && !before.wasMany && !this.#parsed.get(batch);
    const entry = isFew ? null : (await this.#entriesOf(batch))?.[at];
    return entry?.commit === oid ? entry : readEntry(this.#objects, oid);
  }

  async #entriesOf(batch: number): Promise<TrailEntry[] | null> {
    const known = this.#parsed.get(batch);
    if (known) return known;
    const text = fromUtf8(await this.#codec.inflate(this.#batches[batch]!.entries, LARGEST));
    const entries = text === null ? null : (JSON.parse(text) as TrailEntry[]);
    if (entries) this.#parsed.set(batch, entries);
    return entries;
  }

  async #save(entries: readonly TrailEntry[]): Promise<void> {
    const { deflate, crc32 } = this.#codec.packing!;
    const rows = encodeRows(entries);
    const body = concatBytes([
      numbers(entries.length, rows.length),
      ...entries.map(({ commit }) => fromHex(commit)),
      rows,
      await deflate(utf8(JSON.stringify(entries))),
    ]);
    if (!this.#isWhole) await removeIfThere(this.#fs, this.#path);
    this.#isWhole = true;
    const handle = await this.#fs.open(this.#path, 'append', 0o666);
    try {
      await handle.write(concatBytes([numbers(MAGIC, body.length, crc32(body)), body]));
    } finally {
      await handle.close();
    }
    this.#note(body);
  }
}

/** Of an id, as many as a number holds exactly. */
const DIGITS = 12;

function idAt(ids: Uint8Array, at: number): string {
  return toHex(ids.subarray(at * 20, at * 20 + 20));
}

function numbers(...values: number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of values.entries()) view.setUint32(i * 4, value);
  return bytes;
}
