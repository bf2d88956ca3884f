/**
 * A file of the engine's folder (kept-file.ts) that keeps what the commits of a long trail say, what they were asked
 * for under and what they changed: who reads all of a trail need not find, inflate, hash and parse each commit again,
 * nor compare the texts. Its records are batches:
 *
 *     number of commits, bits of their rows, bytes of their columns      4 bytes each
 *     id of the commit below the last, or zeros                          20 bytes
 *     their table of ids and keys (request-keys.ts)                      36 bytes each
 *     the columns of their rows (kept-rows.ts)
 *     a JSON array of their entries, deflated
 *
 * and, once somebody asked what many commits of a batch changed in their files, the changes of all of it (changes.ts):
 *
 *     id of the first commit of the batch                                20 bytes
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
import type { Token } from '../text/diff/alignment.ts';
import { type CommitChanges, hunksOf } from './changes.ts';
import { isUtf8, recordedRows } from './history/file-rows.ts';
import { kindOf, namedFiles } from './history/read-steps.ts';
import { KeptFile, type KeptRecord, numbers } from './kept-file.ts';
import { encodeRows, KeptRows, type RowBytes } from './kept-rows.ts';
import { ID, ROW } from './request-keys.ts';
import { type Recorded, sameRecorded } from './steps.ts';
import { type EntrySource, readEntry, rowOf, type TrailEntry, type TrailRow, tableOf } from './walk.ts';

export interface KeptEntriesOptions {
  fs: Fs;
  codec: Codec;
  /** Where commits are read that are not worth more. */
  objects: ObjectDatabase;
  folder: string;
  batch?: number;
  /** The newest commits of a trail, which are read as objects. */
  few?: number;
  /** The number of commits of a batch that are read as objects before all of its entries are inflated. */
  single?: number;
}

export const KEPT_ENTRIES = 'entries';

/** `VED8` */
const MAGIC = 0x5645_4438;
const [ENTRIES, CHANGES] = [1, 2];
const HEAD = 12 + ID;
const BATCH = 64;
const FEW = 32;
const SINGLE = 1;
/** The factor on `single` for changes: to work out what one commit changed takes several objects. */
const CHANGES_OF_ONE = 4;
/** The most commits that are held in memory as rows, as entries and as changes, each. */
const HELD = 16_384;
/** More batches than a file has. */
const MOST = 2 ** 24;
/** Bytes that a batch may have inflated. */
const LARGEST = 64 * 1024 * 1024;

interface Batch extends RowBytes {
  /** Deflated; the changes where they are kept. */
  entries: Uint8Array;
  changes: Uint8Array | null;
  /** The number of requests for single commits of the batch. */
  asked: { entries: number; changes: number };
}

type Changes = ReadonlyArray<CommitChanges | null>;

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
  /** The number of batches whose commits are in `#places`: a walk from batch to batch needs none. */
  #placed = 0;
  /** By the first id of a batch, its number. */
  readonly #begins = new Map<string, number>();
  readonly #rows = new LruCache<number, KeptRows>(HELD, rows => rows.table.length / ROW);
  readonly #entries = new LruCache<number, TrailEntry[]>(HELD, entries => entries.length);
  readonly #changes = new LruCache<number, Changes>(HELD, changes => changes.length);
  #loading: Promise<void> | null = null;
  readonly #fresh = new Map<string, TrailEntry>();

  constructor({ fs, codec, objects, folder, batch = BATCH, few = FEW, single = SINGLE }: KeptEntriesOptions) {
    this.#codec = codec;
    this.#objects = objects;
    const { crc32 } = codec.packing!;
    this.#file = new KeptFile({ fs, crc32, path: `${folder}/${KEPT_ENTRIES}`, magic: MAGIC });
    this.#size = batch;
    this.few = few;
    this.#single = single;
  }

  async rowsFrom(oid: string): Promise<readonly TrailRow[] | null> {
    const place = await this.#placeOf(oid);
    return place && this.#rowsOf(place.batch).from(place.at);
  }

  async learn(entry: TrailEntry): Promise<void> {
    if (await this.#placeOf(entry.commit)) return;
    this.#fresh.set(entry.commit, entry);
    if (this.#fresh.size < this.#size) return;
    const entries = linedUp(this.#fresh);
    this.#fresh.clear();
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
    return idAt(this.#batches[batch]!.table, at * ROW) === oid ? { batch, at } : null;
  }

  /** False for what cannot be a record of this file. */
  #note({ kind, body }: KeptRecord): boolean {
    if (kind === CHANGES) {
      const batch = this.#batches[this.#begins.get(idAt(body, 0)) ?? -1];
      if (batch) batch.changes = body.subarray(ID);
      return true;
    }
    const count = body.length < HEAD ? Number.POSITIVE_INFINITY : uint32(body, 0);
    const [columnsAt, entriesAt] = [HEAD + count * ROW, HEAD + count * ROW + uint32(body, 8)];
    if (kind !== ENTRIES || count === 0 || !(entriesAt <= body.length)) return false;
    const number = this.#batches.push({
      table: body.subarray(HEAD, columnsAt),
      bits: uint32(body, 4),
      below: idAt(body, 12).replace(NO_ID, ''),
      columns: body.subarray(columnsAt, entriesAt),
      entries: body.subarray(entriesAt),
      changes: null,
      asked: { entries: 0, changes: 0 },
    });
    this.#begins.set(idAt(body, HEAD), number - 1);
    return true;
  }

  #place(number: number): void {
    const { table } = this.#batches[number]!;
    const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
    for (let at = 0; at < table.length; at += ROW)
      this.#places.set(view.getUint32(at) * 2 ** 16 + view.getUint16(at + 4), (at / ROW) * MOST + number);
  }

  #rowsOf(number: number): KeptRows {
    const known = this.#rows.get(number);
    if (known) return known;
    const rows = new KeptRows(this.#batches[number]!, {
      entryAt: (at, oid) => this.#entryAt(number, at, oid),
      changesAt: at => this.#changes.get(number)?.[at] ?? this.#changesAt(number, at),
    });
    this.#rows.set(number, rows);
    return rows;
  }

  /** A few are read as objects, which costs less than to inflate and parse all of the batch. */
  async #entryAt(number: number, at: number, oid: string): Promise<TrailEntry> {
    const known = this.#entries.get(number);
    const isFew = ++this.#batches[number]!.asked.entries <= this.#single;
    const entry = (known ?? (isFew ? null : await this.#entriesOf(number)))?.[at];
    return entry?.commit === oid ? entry : readEntry(this.#objects, oid);
  }

  /** `null` where they are not kept, and few of the batch are asked for: so many cost less to read. */
  async #changesAt(number: number, at: number): Promise<CommitChanges | null> {
    const batch = this.#batches[number]!;
    const isFew = batch.changes === null && ++batch.asked.changes <= this.#single * CHANGES_OF_ONE;
    return (isFew ? null : await this.#changesOf(number))?.[at] ?? null;
  }

  async #changesOf(number: number): Promise<Changes | null> {
    const batch = this.#batches[number]!;
    const kept = batch.changes && (await this.#parse<CommitChanges | null>(batch.changes));
    const entries = kept ? null : await this.#entriesOf(number);
    const changes = kept ?? (entries && (await changesOf(this.#objects, entries).catch(() => null)));
    const isWhole = changes?.length === batch.table.length / ROW;
    this.#changes.set(number, isWhole ? changes : []);
    if (!isWhole) return null;
    if (!kept) {
      batch.changes = await this.#deflated(changes);
      const body = concatBytes([batch.table.subarray(0, ID), batch.changes]);
      await this.#file.append({ kind: CHANGES, body }).catch(() => {});
    }
    return changes;
  }

  async #entriesOf(number: number): Promise<TrailEntry[] | null> {
    const known = this.#entries.get(number);
    if (known) return known;
    const entries = await this.#parse<TrailEntry>(this.#batches[number]!.entries);
    if (entries) this.#entries.set(number, entries);
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
    const { bits, below, columns } = encodeRows(entries);
    const body = concatBytes([
      numbers(entries.length, bits, columns.length),
      fromHex(below || NO_ID),
      tableOf(entries.map(rowOf)),
      columns,
      await this.#deflated(entries),
    ]);
    await this.#file.append({ kind: ENTRIES, body });
    this.#note({ kind: ENTRIES, body });
  }
}

/** Puts each before its first parent: who follows a trail that grows learns newer commits last. */
function linedUp(fresh: ReadonlyMap<string, TrailEntry>): TrailEntry[] {
  const parents = new Set([...fresh.values()].map(({ parents }) => parents[0]));
  const lined = new Set<TrailEntry>();
  for (const newest of fresh.values()) {
    if (parents.has(newest.commit)) continue;
    for (let at: TrailEntry | undefined = newest; at && !lined.has(at); at = fresh.get(at.parents[0] ?? ''))
      lined.add(at);
  }
  return [...lined];
}

const NO_ID = '0'.repeat(2 * ID);

/** The number of first hex digits of an id that a number holds exactly. */
const DIGITS = 12;

function idAt(bytes: Uint8Array, at: number): string {
  return toHex(bytes.subarray(at, at + ID));
}

/** The most text that is read for one list of commits, old and new; what comes after it is kept without hunks. */
const MOST_TEXT = 128 * 1024 * 1024;

/**
 * Returns the changes of commits, newest first, in their order; `null` for what joins histories, or is not the
 * engine's.
 */
export async function changesOf(
  objects: ObjectDatabase,
  entries: readonly TrailEntry[],
): Promise<Array<CommitChanges | null>> {
  const found: Array<CommitChanges | null> = [];
  let left = MOST_TEXT;
  const rowsOf = async (path: string, held: Recorded): Promise<readonly Token[]> => {
    const rows = await recordedRows(objects, path, held);
    for (const row of rows) left -= row.length + 1;
    return rows;
  };
  for (const entry of [...entries].reverse()) {
    const files = await namedFiles(objects, entry);
    for (const file of files ?? [])
      if (left > 0 && !sameRecorded(file.before, file.after)) {
        const [old, fresh] = [await rowsOf(file.path, file.before), await rowsOf(file.path, file.after)];
        // What a content is as text may be declared otherwise one day.
        const hunks = isUtf8(old) && isUtf8(fresh) ? hunksOf(old, fresh) : undefined;
        if (hunks) file.hunks = hunks;
      }
    found.push(files && { ...kindIn(entry), files });
  }
  return found.reverse();
}

/** Nothing where the commit says of others what it does with them. */
function kindIn({ meta, parents }: TrailEntry): Pick<CommitChanges, 'kind'> {
  const kind = kindOf(meta);
  const isAbout = meta?.undoes !== undefined || meta?.redoes !== undefined || meta?.unrejects !== undefined;
  return isAbout || parents.length > 1 || kind === 'sync' ? {} : { kind };
}
