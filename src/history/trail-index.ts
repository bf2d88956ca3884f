/**
 * A file of the engine's folder that keeps what the commits of a long trail say and what they changed: who
 * reads all of a trail need not find, inflate, hash and parse each commit again, nor compare the texts. Its records are
 * batches of commits:
 *
 *     number of commits, bytes of their rows      4 bytes each
 *     ids of the commits                          20 bytes each
 *     a JSON array of their rows                  without the id, and without a parent that is the next commit
 *     a JSON array of their entries, deflated
 *
 * and, once somebody asked what several commits of a batch changed in their files, the changes of all of it (changes.ts):
 *
 *     id of the first commit of the batch         20 bytes
 *     CRC-32 of the ids of all                    4 bytes: batches of two processes may begin with the same commit
 *     a JSON array, deflated
 *
 * An entry says only what the bytes of its commit say, and a change what those of two trees say, so they stay right whatever
 * becomes of the trail. Objects are the truth all the same: `verify` reads them alone. A file that is gone costs time; one that
 * is damaged is made anew.
 */

import { concatBytes, fromUtf8, toHex, uint32, utf8 } from '../bytes.ts';
import { removeIfThere } from '../fs/durable.ts';
import type { Fs } from '../fs/fs.ts';
import { LruCache } from '../git/objects/lru.ts';
import { type Codec, fromHex } from '../git/objects/object.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import type { CommitChanges } from './changes.ts';
import { factsOf, type RowFacts } from './entry.ts';
import { changesOf } from './make-changes.ts';
import { type EntrySource, readEntry, type TrailEntry, type TrailRow } from './walk.ts';

export interface TrailIndexOptions {
  fs: Fs;
  codec: Codec;
  /** Where commits are read that are not worth more. */
  objects: ObjectDatabase;
  folder: string;
  batch?: number;
  /** The newest commits of a trail, which are read as objects. */
  few?: number;
  /** The number of commits of a batch that may be asked for their changes before those of all of it are made. */
  single?: number;
  /** Names the purges that there have been. */
  purges?: (() => Promise<string>) | undefined;
}

export const INDEX_FILE = 'entries';

/** `VEDB` */
const MAGIC = 0x5645_4442;
const [ENTRIES, CHANGES] = [1, 2];
const HEAD = 8;
/** The bytes of an id. */
const ID = 20;
/** The bytes by which changes name their batch. */
const NAME = 24;
const BATCH = 64;
const FEW = 32;
/** To work out what one commit changed takes several objects. */
const SINGLE = 4;
/** The most commits that are held in memory. */
const CACHED = 16_384;
/** Bytes that a batch may have inflated. */
const LARGEST = 64 * 1024 * 1024;

/** A batch as it is in the file. */
interface Batch {
  name: Uint8Array;
  ids: readonly string[];
  rows: Uint8Array;
  entries: Uint8Array;
  changes: Uint8Array | null;
  /** The number of commits that were asked for their changes. */
  asked: number;
}

/** A batch as it was parsed. */
interface Parsed {
  rows: readonly TrailRow[];
  entries?: readonly TrailEntry[];
  changes?: Changes;
}

/** The changes of each commit of a batch; `null` where they cannot be told. */
type Changes = ReadonlyArray<CommitChanges | null>;

export class TrailIndex implements EntrySource {
  readonly few: number;
  readonly #codec: Codec;
  readonly #objects: ObjectDatabase;
  readonly #file: RecordFile;
  readonly #size: number;
  readonly #single: number;
  /** The batches by the ids of their commits. */
  readonly #batches = new Map<string, Batch>();
  readonly #named = new Map<string, Batch>();
  readonly #parsed = new LruCache<Batch, Parsed>(CACHED, ({ rows }) => rows.length);
  #loading: Promise<void> | null = null;
  readonly #fresh = new Map<string, TrailEntry>();

  constructor(options: TrailIndexOptions) {
    const { fs, codec, objects, folder, batch = BATCH, few = FEW, single = SINGLE, purges } = options;
    this.#codec = codec;
    this.#objects = objects;
    const { crc32 } = codec.packing;
    this.#file = new RecordFile({ fs, crc32, path: `${folder}/${INDEX_FILE}`, magic: MAGIC, purges });
    this.#size = batch;
    this.few = few;
    this.#single = single;
  }

  async rowsFrom(oid: string): Promise<readonly TrailRow[] | null> {
    const batch = await this.#batchOf(oid);
    if (!batch) return null;
    const { rows } = this.#parse(batch);
    const start = batch.ids.indexOf(oid);
    let end = start + 1;
    while (end < rows.length && rows[end - 1]!.parent === rows[end]!.commit) end++;
    return rows.slice(start, end);
  }

  async learn(entry: TrailEntry): Promise<void> {
    if (await this.#batchOf(entry.commit)) return;
    this.#fresh.set(entry.commit, entry);
    if (this.#fresh.size < this.#size) return;
    const entries = linedUp(this.#fresh);
    this.#fresh.clear();
    // Whoever may not write here reads the commits each time.
    await this.#save(entries).catch(() => {});
  }

  async #batchOf(oid: string): Promise<Batch | undefined> {
    await (this.#loading ??= this.#file.read(record => this.#note(record)));
    return this.#batches.get(oid);
  }

  /** False for what cannot be a record of this file. */
  #note({ kind, body }: FileRecord): boolean {
    if (kind === CHANGES) {
      const batch = this.#named.get(toHex(body.subarray(0, NAME)));
      if (batch) batch.changes = body.subarray(NAME);
      return true;
    }
    const count = body.length < HEAD ? Number.POSITIVE_INFINITY : uint32(body, 0);
    const rowsAt = HEAD + count * ID;
    const entriesAt = rowsAt + uint32(body, 4);
    if (kind !== ENTRIES || count === 0 || !(entriesAt <= body.length)) return false;
    const ids = body.subarray(HEAD, rowsAt);
    const [rows, entries] = [body.subarray(rowsAt, entriesAt), body.subarray(entriesAt)];
    const name = concatBytes([ids.subarray(0, ID), numbers(this.#codec.packing.crc32(ids))]);
    const batch: Batch = { name, ids: idsIn(ids), rows, entries, changes: null, asked: 0 };
    this.#named.set(toHex(name), batch);
    for (const id of batch.ids) this.#batches.set(id, batch);
    return true;
  }

  #parse(batch: Batch): Parsed {
    const known = this.#parsed.get(batch);
    if (known) return known;
    const facts = JSON.parse(fromUtf8(batch.rows) ?? '[]') as readonly KeptFacts[];
    // The facts themselves become the rows: there are very many.
    const rows = facts.map((one, at): TrailRow => {
      const { parent = batch.ids[at + 1] ?? null } = one;
      return Object.assign(one, {
        commit: batch.ids[at]!,
        parent,
        entry: () => this.#entryAt(batch, at),
        changes: () => this.#parsed.get(batch)?.changes?.[at] ?? this.#changesAt(batch, at),
      });
    });
    const parsed = { rows };
    this.#parsed.set(batch, parsed);
    return parsed;
  }

  async #entryAt(batch: Batch, at: number): Promise<TrailEntry> {
    const entry = (await this.#entriesOf(batch))[at];
    const commit = batch.ids[at]!;
    return entry?.commit === commit ? entry : readEntry(this.#objects, commit);
  }

  async #entriesOf(batch: Batch): Promise<readonly TrailEntry[]> {
    const parsed = this.#parse(batch);
    parsed.entries ??= await this.#inflated<TrailEntry>(batch.entries);
    return parsed.entries;
  }

  /** Returns the changes of a commit from the index; `null` where they are not kept and few of the batch are asked for, which are read more cheaply. */
  async #changesAt(batch: Batch, at: number): Promise<CommitChanges | null> {
    const isFew = batch.changes === null && ++batch.asked <= this.#single;
    if (isFew) return null;
    const parsed = this.#parse(batch);
    parsed.changes ??= batch.changes ? await this.#inflated(batch.changes) : await this.#makeChanges(batch);
    return parsed.changes[at] ?? null;
  }

  async #makeChanges(batch: Batch): Promise<Changes> {
    const changes = await changesOf(this.#objects, await this.#entriesOf(batch)).catch(() => []);
    if (changes.length === 0) return changes;
    batch.changes = await this.#deflated(changes);
    const body = concatBytes([batch.name, batch.changes]);
    await this.#append({ kind: CHANGES, body }).catch(() => {});
    return changes;
  }

  async #append(record: FileRecord): Promise<boolean> {
    const isKept = await this.#file.append(record);
    if (!isKept) for (const remembered of [this.#batches, this.#named, this.#fresh]) remembered.clear();
    return isKept;
  }

  async #inflated<T>(deflated: Uint8Array): Promise<T[]> {
    return JSON.parse(fromUtf8(await this.#codec.inflate(deflated, LARGEST)) ?? '[]') as T[];
  }

  async #deflated(list: readonly unknown[]): Promise<Uint8Array> {
    const content = utf8(JSON.stringify(list));
    return concatBytes(await this.#codec.packing.entry({ type: 'blob', content }));
  }

  async #save(entries: readonly TrailEntry[]): Promise<void> {
    const rows = utf8(JSON.stringify(entries.map(keptFacts)));
    const body = concatBytes([
      numbers(entries.length, rows.length),
      fromHex(entries.map(({ commit }) => commit).join('')),
      rows,
      await this.#deflated(entries),
    ]);
    if (await this.#append({ kind: ENTRIES, body })) this.#note({ kind: ENTRIES, body });
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

type KeptFacts = Omit<RowFacts, 'commit' | 'parent'> & { parent?: string | null };

function keptFacts(entry: TrailEntry, at: number, entries: readonly TrailEntry[]): KeptFacts {
  const { commit: _, parent, ...facts } = factsOf(entry);
  return parent === (entries[at + 1]?.commit ?? null) ? facts : { ...facts, parent };
}

function idsIn(bytes: Uint8Array): string[] {
  return toHex(bytes).match(/.{40}/g) ?? [];
}

const RECORD_HEAD = 16;

interface RecordFileOptions {
  fs: Fs;
  crc32(bytes: Uint8Array): number;
  path: string;
  /** The magic number of this form: another version gets another one, and neither understands the other's. */
  magic: number;
  /** Names the purges that there have been. */
  purges?: (() => Promise<string>) | undefined;
}

export interface FileRecord {
  kind: number;
  body: Uint8Array;
}

/**
 * A file that only saves time: a row of records, each appended at once.
 *
 *     magic, kind, bytes of what follows, CRC-32 of that with the bits of the kind turned      4 bytes each
 *
 * A reader takes no record after one that is cut off or damaged, and then begins the file anew with what it writes. A writer
 * that finds that there was a purge since it read the file takes the file away.
 */
export class RecordFile {
  readonly #options: RecordFileOptions;
  #isWhole = true;
  #purges: Promise<string> | undefined;

  constructor(options: RecordFileOptions) {
    this.#options = options;
  }

  /** The records in front of the first that is damaged, or that `isGood` finds to be none. None where there is no file. */
  async read(isGood: (record: FileRecord) => boolean): Promise<void> {
    await (this.#purges ??= this.#options.purges?.());
    const bytes = await this.#options.fs.readFile(this.#options.path).catch(() => new Uint8Array());
    for (let at = 0; at < bytes.length && this.#isWhole; ) {
      const record = this.#recordAt(bytes, at);
      this.#isWhole = record !== null && isGood(record);
      at += RECORD_HEAD + (record?.body.length ?? 0);
    }
  }

  #recordAt(bytes: Uint8Array, at: number): FileRecord | null {
    const { magic, crc32 } = this.#options;
    if (bytes.length - at < RECORD_HEAD || uint32(bytes, at) !== magic) return null;
    const [kind, length, sum] = [4, 8, 12].map(by => uint32(bytes, at + by));
    const body = bytes.subarray(at + RECORD_HEAD, at + RECORD_HEAD + length!);
    return body.length === length && (crc32(body) ^ kind!) >>> 0 === sum ? { kind: kind!, body } : null;
  }

  /**
   * False where there was a purge since the file was read first: the file is gone then, and what is remembered of it must go, too.
   * Throws what the file system throws.
   */
  async append({ kind, body }: FileRecord): Promise<boolean> {
    const { fs, path, magic, crc32 } = this.#options;
    // Before all that waits: another append may note the purge meanwhile, and this record was read before it, too.
    const before = this.#purges;
    if (!this.#isWhole) await removeIfThere(fs, path);
    this.#isWhole = true;
    const handle = await fs.open(path, 'append', 0o666);
    try {
      await handle.write(concatBytes([numbers(magic, kind, body.length, crc32(body) ^ kind), body]));
    } finally {
      await handle.close();
    }
    this.#purges = this.#options.purges?.();
    if ((await this.#purges) === (await before)) return true;
    await removeIfThere(fs, path);
    return false;
  }
}

/** Encodes numbers, each in 4 bytes. */
function numbers(...values: number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of values.entries()) view.setUint32(i * 4, value);
  return bytes;
}
