/**
 * A file of the engine's folder (record-file.ts) that keeps what was judged of files, such as what became of their edits, each
 * with the key of all that it was judged from (kept-statuses.ts): whoever asks again judges only files whose key is another one
 * now. A record is
 *
 *     bytes of the index      4 bytes
 *     the index               JSON: whose files they are, and what is kept (`view`), then of each path, key and bytes of it
 *     what is kept of each    JSON
 *
 * A later record of a path takes the place of an earlier one. A file that is gone costs time; one that is damaged is made anew.
 */

import { concatBytes, fromUtf8, uint32, utf8 } from '../../bytes.ts';
import { removeIfThere } from '../../fs/durable.ts';
import type { Fs } from '../../fs/fs.ts';
import type { EditStatus } from '../../trail/history/status.ts';
import { type FileRecord, numbers, RecordFile } from '../../trail/record-file.ts';
import { INDEX_FILE } from '../../trail/trail-index.ts';

/** An edit of one file: what became of it, and whether something of it is open, where that was asked for. */
export type KeptEdit = Pick<EditStatus, 'now' | 'by' | 'lines' | 'landed_in'> & { open?: boolean };

/** Each with its commit. */
export type KeptEdits = ReadonlyArray<readonly [commit: string, edit: KeptEdit]>;

export interface StatusIndexOptions {
  fs: Fs;
  crc32(bytes: Uint8Array): number;
  folder: string;
  /** The number of files from which on it is worth to keep them. */
  least?: number;
}

const STATUS_FILE = 'statuses';

/** `VES4`; another one, too, where edits come to be judged otherwise. */
const MAGIC = 0x5645_5334;
const LEAST = 64;
/** The number of replaced ones that the file may have besides as many as hold. */
const SPARE = 1_000;

type View = Map<string, { key: string; json: Uint8Array }>;

/** Removes what an engine's folder keeps of trails, which is made anew. Returns the paths of the files that were there. */
export async function removeKept(fs: Fs, folder: string): Promise<string[]> {
  const removed: string[] = [];
  for (const name of [INDEX_FILE, STATUS_FILE])
    if (await removeIfThere(fs, `${folder}/${name}`)) removed.push(`${folder}/${name}`);
  return removed;
}

export class StatusIndex {
  readonly least: number;
  readonly #file: RecordFile;
  readonly #views = new Map<string, View>();
  #written = 0;
  #loading: Promise<void> | null = null;

  constructor({ folder, least = LEAST, ...file }: StatusIndexOptions) {
    this.#file = new RecordFile({ ...file, path: `${folder}/${STATUS_FILE}`, magic: MAGIC });
    this.least = least;
  }

  /** Returns what was judged of a file from the same; `null` where that is not kept. */
  async find<T>(view: string, path: string, key: string): Promise<T | null> {
    await this.#load();
    const kept = this.#views.get(view)?.get(path);
    if (kept?.key !== key) return null;
    return JSON.parse(fromUtf8(kept.json)!) as T;
  }

  /** Keeps what was judged of files by their paths. Whoever may not write here judges them each time. */
  async save(view: string, files: ReadonlyMap<string, { key: string; value: unknown }>): Promise<void> {
    await this.#load();
    const fresh: View = new Map();
    for (const [path, { key, value }] of files) fresh.set(path, { key, json: utf8(JSON.stringify(value)) });
    this.#take(view, fresh);
    const isAnew = this.#written > 2 * this.#holding + SPARE;
    if (isAnew) await this.#begin(view, fresh);
    const records: Array<[string, View]> = isAnew ? [...this.#views] : [[view, fresh]];
    for (const record of records)
      await this.#file.append({ kind: 1, body: bodyOf(...record) }).catch(() => {});
  }

  get #holding(): number {
    return [...this.#views.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Begins the file anew with what it holds: what a purge removed since it was read must not come back from memory. */
  async #begin(view: string, fresh: View): Promise<void> {
    this.#views.clear();
    await this.#read();
    this.#take(view, fresh);
    this.#written = this.#holding;
    this.#file.restart();
  }

  #load(): Promise<void> {
    this.#loading ??= this.#read();
    return this.#loading;
  }

  /** Reads the file. What is whole and yet no record of it is begun anew, too. */
  #read(): Promise<void> {
    return this.#file.read(record => this.#note(record)).catch(() => this.#file.restart());
  }

  #take(view: string, files: View): void {
    const all: View = this.#views.get(view) ?? new Map();
    this.#views.set(view, all);
    for (const [path, kept] of files) all.set(path, kept);
    this.#written += files.size;
  }

  /** Takes a record. False, or an error, for what cannot be one of this file. */
  #note({ body }: FileRecord): boolean {
    const end = 4 + uint32(body, 0);
    const [view, ...files] = JSON.parse(fromUtf8(body.subarray(4, end))!) as Index;
    let at = end;
    const found: View = new Map();
    for (const [path, key, length] of files) {
      found.set(path, { key, json: body.subarray(at, at + length) });
      at += length;
    }
    if (at !== body.length) return false;
    this.#take(view, found);
    return true;
  }
}

type Index = [view: string, ...files: Array<readonly [path: string, key: string, length: number]>];

function bodyOf(view: string, files: View): Uint8Array {
  const index: Index = [
    view,
    ...[...files].map(([path, { key, json }]) => [path, key, json.length] as const),
  ];
  const bytes = utf8(JSON.stringify(index));
  return concatBytes([numbers(bytes.length), bytes, ...[...files.values()].map(({ json }) => json)]);
}
