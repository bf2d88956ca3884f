/**
 * What the commits of a long trail say and what they changed, kept in a file of the engine's folder (kept-file.ts): who reads
 * all of a trail need not find, inflate, hash and parse each commit again, nor compare the texts. Its records are batches:
 *
 *     number of commits, bytes of their rows                    4 bytes each
 *     ids of the commits                                        20 bytes each
 *     their rows (kept-rows.ts)
 *     a JSON array of their entries, deflated
 *
 * and, once somebody asked what many commits of a batch changed in their files, the changes of all of it (changes.ts):
 *
 *     id of the first commit of the batch                       20 bytes
 *     a JSON array, deflated
 *
 * An entry says only what the bytes of its commit say, and a change what those of two trees say, so they stay right whatever
 * becomes of the trail. Objects are the truth all the same: `verify` reads them alone. A file that is gone costs time; one that
 * is damaged is made anew.
 */

import { concatBytes, fromUtf8, uint32, utf8 } from '../bytes.ts';
import type { Fs } from '../fs/fs.ts';
import { LruCache } from '../git/objects/lru.ts';
import { type Codec, fromHex, toHex } from '../git/objects/object.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import type { CommitChanges } from './changes.ts';
import { changesOf } from './history/make-changes.ts';
import { KeptFile, type KeptRecord, numbers } from './kept-file.ts';
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
  /** The number of commits of a batch that are read as objects before all of its entries are inflated. */
  single?: number;
}

export const KEPT_ENTRIES = 'entries';

/** `VED6` */
const MAGIC = 0x5645_4436;
const [ENTRIES, CHANGES] = [1, 2];
const COUNTS = 8;
const ID = 20;
const BATCH = 512;
const FEW = 256;
/** For parsed batches, by their number of entries. */
const PARSED = 8 * BATCH;
/** More batches than a file has. */
const MOST = 2 ** 24;
/** Bytes that a batch may have inflated. */
const LARGEST = 64 * 1024 * 1024;
const SINGLE = 24;
/** The changes of a commit take several objects. */
const CHANGES_OF_ONE = 6;

interface Batch {
  ids: Uint8Array;
  rows: Uint8Array;
  /** Deflated. */
  entries: Uint8Array;
  /** Deflated, where they are kept. */
  changes: Uint8Array | null;
}

export class KeptEntries implements EntrySource {
  readonly few: number;
  readonly #codec: Codec;
  readonly #objects: ObjectDatabase;
  readonly #file: KeptFile;
  readonly #size: number;
  readonly #single: number;
  readonly #batches: Batch[] = [];
  /** By the first digits of the id, the number of the batch, and times `MOST` the place there. */
  readonly #places = new Map<number, number>();
  /** How many batches are in there: a walk from batch to batch needs none of it. */
  #placed = 0;
  /** By the first id of a batch, its number. */
  readonly #begins = new Map<string, number>();
  readonly #parsed = new LruCache<number, TrailEntry[]>(PARSED, entries => entries.length);
  readonly #changes = new LruCache<number, Array<CommitChanges | null>>(PARSED, changes => changes.length);
  /** The rows that were asked for last: to keep all of them costs more than to decode them again. */
  #decoded: { number: number; rows: readonly TrailRow[] } | null = null;
  readonly #asked = new Asked();
  readonly #changesAsked = new Asked();
  #loading: Promise<void> | null = null;
  #fresh: TrailEntry[] = [];

  constructor({ fs, codec, objects, folder, batch = BATCH, few = FEW, single = SINGLE }: KeptEntriesOptions) {
    this.#codec = codec;
    this.#objects = objects;
    const { crc32 } = codec.packing!;
    this.#file = new KeptFile({ fs, crc32, path: `${folder}/${KEPT_ENTRIES}`, magic: MAGIC });
    this.#size = batch;
    this.few = few;
    this.#single = single;
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
    await (this.#loading ??= this.#file.read(record => this.#note(record)));
    const begun = this.#begins.get(oid);
    if (begun !== undefined) return { batch: begun, at: 0 };
    for (; this.#placed < this.#batches.length; this.#placed++) this.#place(this.#placed);
    const place = this.#places.get(Number.parseInt(oid.slice(0, DIGITS), 16));
    if (place === undefined) return null;
    const [batch, at] = [place % MOST, Math.floor(place / MOST)];
    return idAt(this.#batches[batch]!.ids, at) === oid ? { batch, at } : null;
  }

  /** False for what cannot be a record of this file. */
  #note({ kind, body }: KeptRecord): boolean {
    if (kind === CHANGES) {
      const batch = this.#batches[this.#begins.get(idAt(body, 0)) ?? -1];
      if (batch) batch.changes = body.subarray(ID);
      return true;
    }
    const count = body.length < COUNTS ? Number.POSITIVE_INFINITY : uint32(body, 0);
    const [rowsAt, entriesAt] = [COUNTS + count * ID, COUNTS + count * ID + uint32(body, 4)];
    if (kind !== ENTRIES || !(entriesAt <= body.length)) return false;
    const ids = body.subarray(COUNTS, rowsAt);
    const [rows, entries] = [body.subarray(rowsAt, entriesAt), body.subarray(entriesAt)];
    const batch = { ids, rows, entries, changes: null };
    const number = this.#batches.push(batch) - 1;
    if (count > 0) this.#begins.set(idAt(ids, 0), number);
    return true;
  }

  #place(number: number): void {
    const { ids } = this.#batches[number]!;
    const view = new DataView(ids.buffer, ids.byteOffset, ids.byteLength);
    for (let at = 0; at < ids.length; at += ID)
      this.#places.set(view.getUint32(at) * 2 ** 16 + view.getUint16(at + 4), (at / ID) * MOST + number);
  }

  #rowsOf(number: number): readonly TrailRow[] | null {
    if (this.#decoded?.number === number) return this.#decoded.rows;
    const batch = this.#batches[number]!;
    const rows = decodeRows(batch.rows, toHex(batch.ids), {
      entryAt: (at, oid) => this.#entryAt(number, at, oid),
      changesAt: at => this.#changesAt(number, at),
    });
    this.#decoded = rows && { number, rows };
    return rows;
  }

  /** A few are read as objects, which costs less than to inflate and parse all of the batch. */
  async #entryAt(batch: number, at: number, oid: string): Promise<TrailEntry> {
    const isFew = this.#asked.isFew(batch, this.#single) && !this.#parsed.get(batch);
    const entry = isFew ? null : (await this.#entriesOf(batch))?.[at];
    return entry?.commit === oid ? entry : readEntry(this.#objects, oid);
  }

  /** `null` where they are not kept, and few of the batch are asked for: so many cost less to read. */
  async #changesAt(number: number, at: number): Promise<CommitChanges | null> {
    const batch = this.#batches[number]!;
    const isFew = this.#changesAsked.isFew(
      number,
      batch.changes ? this.#single / CHANGES_OF_ONE : this.#single,
    );
    const known = this.#changes.get(number) ?? (isFew ? null : await this.#changesOf(number));
    return known?.[at] ?? null;
  }

  async #changesOf(number: number): Promise<Array<CommitChanges | null> | null> {
    const batch = this.#batches[number]!;
    const kept = batch.changes && (await this.#parse<CommitChanges | null>(batch.changes));
    const entries = kept ? null : await this.#entriesOf(number);
    const changes = kept ?? (entries && (await changesOf(this.#objects, entries).catch(() => null)));
    const isWhole = changes?.length === batch.ids.length / ID;
    this.#changes.set(number, isWhole ? changes : []);
    if (!isWhole) return null;
    if (!kept) {
      batch.changes = await this.#deflated(changes);
      const body = concatBytes([batch.ids.subarray(0, ID), batch.changes]);
      await this.#file.append({ kind: CHANGES, body }).catch(() => {});
    }
    return changes;
  }

  async #entriesOf(batch: number): Promise<TrailEntry[] | null> {
    const known = this.#parsed.get(batch);
    if (known) return known;
    const entries = await this.#parse<TrailEntry>(this.#batches[batch]!.entries);
    if (entries) this.#parsed.set(batch, entries);
    return entries;
  }

  async #parse<T>(deflated: Uint8Array): Promise<T[] | null> {
    const text = fromUtf8(await this.#codec.inflate(deflated, LARGEST));
    return text === null ? null : (JSON.parse(text) as T[]);
  }

  #deflated(list: readonly unknown[]): Promise<Uint8Array> | Uint8Array {
    return this.#codec.packing!.deflate(utf8(JSON.stringify(list)));
  }

  async #save(entries: readonly TrailEntry[]): Promise<void> {
    const rows = encodeRows(entries);
    const body = concatBytes([
      numbers(entries.length, rows.length),
      ...entries.map(({ commit }) => fromHex(commit)),
      rows,
      await this.#deflated(entries),
    ]);
    await this.#file.append({ kind: ENTRIES, body });
    this.#note({ kind: ENTRIES, body });
  }
}

/** Counts what is asked for of each batch: where it is much of the one before, so it will be of this one. */
class Asked {
  readonly #counts = new Map<number, number>();
  #last = -1;
  #wasMany = false;

  isFew(batch: number, most: number): boolean {
    const before = this.#counts.get(this.#last) ?? 0;
    if (batch !== this.#last) this.#wasMany = before > most;
    this.#last = batch;
    const count = (this.#counts.get(batch) ?? 0) + 1;
    this.#counts.set(batch, count);
    return count <= most && !this.#wasMany;
  }
}

/** Of an id, as many as a number holds exactly. */
const DIGITS = 12;

function idAt(ids: Uint8Array, at: number): string {
  return toHex(ids.subarray(at * ID, at * ID + ID));
}
