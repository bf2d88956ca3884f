/**
 * Rows of a batch of kept commits: a table of ids and of the keys of requests (request-keys.ts), bits that are true of all of
 * them, and columns of numbers as JSON, which stand for texts of one list. Those are parsed when somebody asks.
 */

import { fromUtf8, utf8 } from '../bytes.ts';
import { toHex } from '../git/objects/object.ts';
import { isMerge } from '../operations.ts';
import type { CommitChanges } from './changes.ts';
import { isPlain, type TrailEntry, type TrailRow } from './entry.ts';
import { ID, ROW } from './request-keys.ts';
import { type RowsSummary, summarize } from './walk.ts';

const COLUMNS = ['op', 'head', 'trail', 'session', 'agent', 'turn'] as const;

/** For each commit a number or, for its paths, several; NONE is none. */
type Columns = Record<(typeof COLUMNS)[number], number[]> & {
  texts: string[];
  time: number[];
  plain: number[];
  /** The first parent; NEXT is the commit of the next row, or the one below the batch. */
  parent: number[];
  paths: Array<number | number[]>;
};

const NONE = -1;
const NEXT = -2;

/** One line of first parents; all are plain; a trail begins; histories are joined; a commit is not the engine's. */
const [LINE, PLAIN, BEGINS, JOINS, OTHERS] = [1, 2, 4, 8, 16] as const;

/** The parts of a batch that are kept besides its entries. */
export interface RowBytes {
  table: Uint8Array;
  bits: number;
  /** The first parent of the last commit; '' for none. */
  below: string;
  columns: Uint8Array;
}

export function encodeRows(entries: readonly TrailEntry[]): Omit<RowBytes, 'table'> {
  const numbers = new Map<string, number>();
  const numberOf = (text: string | undefined): number => {
    if (text === undefined) return NONE;
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const pathsOf = ({ meta }: TrailEntry): number | number[] => {
    const paths = (meta?.paths ?? []).map(numberOf);
    return paths.length === 1 ? paths[0]! : paths;
  };
  const parentOf = ({ parents: [parent] }: TrailEntry, at: number): number =>
    at + 1 === entries.length || parent === entries[at + 1]!.commit ? NEXT : numberOf(parent);
  const parent = entries.map(parentOf);
  const columns = {
    ...Object.fromEntries(COLUMNS.map(key => [key, entries.map(({ meta }) => numberOf(meta?.[key]))])),
    time: entries.map(({ time }) => time),
    plain: entries.map(entry => (isPlain(entry) ? 1 : 0)),
    parent,
    paths: entries.map(pathsOf),
  };
  const bits =
    (parent.every(number => number === NEXT) ? LINE : 0) |
    (entries.every(isPlain) ? PLAIN : 0) |
    (entries.some(({ meta }) => meta?.trail !== undefined) ? BEGINS : 0) |
    (entries.some(({ meta }) => isMerge(meta?.op)) ? JOINS : 0) |
    (entries.some(({ meta }) => meta === null) ? OTHERS : 0);
  const below = entries.at(-1)!.parents[0] ?? '';
  return { bits, below, columns: utf8(JSON.stringify({ texts: [...numbers.keys()], ...columns })) };
}

/** Reads what is said of one of the commits besides. */
export interface RowSource {
  entryAt(at: number, oid: string): Promise<TrailEntry>;
  changesAt(at: number): CommitChanges | null | Promise<CommitChanges | null>;
}

export class KeptRows implements RowsSummary {
  readonly table: Uint8Array;
  readonly source: RowSource;
  readonly #kept: RowBytes;
  #columns: Columns | null = null;
  #hex: string | null = null;
  /** One text for each id: a text that is made anew has to be hashed anew, too. */
  readonly #ids: string[] = [];
  /** The lists of a single path that were asked for, by the number of the path. */
  readonly #lists: string[][] = [];

  constructor(kept: RowBytes, source: RowSource) {
    this.#kept = kept;
    this.table = kept.table;
    this.source = source;
  }

  /** The row at this place, and those that come after it along the first parents. */
  from(at: number): TrailRow[] {
    const all = this.table.length / ROW;
    let end = this.#kept.bits & LINE ? all : at + 1;
    while (end < all && this.columns.parent[end - 1] === NEXT) end++;
    const rows: TrailRow[] = [];
    for (let place = at; place < end; place++) rows.push(new KeptRow(this, place));
    if (rows.length === all) summarize(rows, this);
    return rows;
  }

  get columns(): Columns {
    this.#columns ??= JSON.parse(fromUtf8(this.#kept.columns) ?? 'null') as Columns;
    return this.#columns;
  }

  get isPlain(): boolean {
    return (this.#kept.bits & PLAIN) > 0;
  }

  get begins(): boolean {
    return (this.#kept.bits & BEGINS) > 0;
  }

  get joins(): boolean {
    return (this.#kept.bits & JOINS) > 0;
  }

  get hasOthers(): boolean {
    return (this.#kept.bits & OTHERS) > 0;
  }

  placesOf(commit: string, wanted: ReadonlySet<string>): number[] {
    const { texts, paths } = this.columns;
    const numbers = new Set([...texts.keys()].filter(number => wanted.has(texts[number]!)));
    const places: number[] = [];
    for (let at = 0; at < paths.length; at++) {
      const named = paths[at]!;
      const isAsked = typeof named === 'number' ? numbers.has(named) : named.some(one => numbers.has(one));
      if (isAsked || this.id(at) === commit) places.push(at);
    }
    return places;
  }

  id(at: number): string {
    this.#hex ??= toHex(this.table);
    return (this.#ids[at] ??= this.#hex.slice(at * ROW * 2, (at * ROW + ID) * 2));
  }

  keys(at: number): Uint8Array {
    return this.table.subarray(at * ROW + ID, (at + 1) * ROW);
  }

  text(column: (typeof COLUMNS)[number] | 'parent', at: number): string | undefined {
    return this.columns.texts[this.columns[column][at]!];
  }

  parent(at: number): string | null {
    if (at === this.table.length / ROW - 1) return this.#kept.below || null;
    return (this.columns.parent[at] === NEXT ? this.id(at + 1) : this.text('parent', at)) ?? null;
  }

  paths(at: number): readonly string[] {
    const { paths, texts } = this.columns;
    const numbers = paths[at]!;
    if (typeof numbers !== 'number') return numbers.map(number => texts[number]!);
    return (this.#lists[numbers] ??= [texts[numbers]!]);
  }
}

/** Very many are made, and of most of them little is asked. */
class KeptRow implements TrailRow {
  readonly #batch: KeptRows;
  readonly #at: number;

  constructor(batch: KeptRows, at: number) {
    this.#batch = batch;
    this.#at = at;
  }

  get commit(): string {
    return this.#batch.id(this.#at);
  }

  get time(): number {
    return this.#batch.columns.time[this.#at]!;
  }

  get parent(): string | null {
    return this.#batch.parent(this.#at);
  }

  get isPlain(): boolean {
    return this.#batch.columns.plain[this.#at] === 1;
  }

  get op(): string | null {
    return this.#batch.text('op', this.#at) ?? null;
  }

  get paths(): readonly string[] {
    return this.#batch.paths(this.#at);
  }

  get head(): string | undefined {
    return this.#batch.text('head', this.#at);
  }

  get trail(): string | undefined {
    return this.#batch.text('trail', this.#at);
  }

  get session(): string | undefined {
    return this.#batch.text('session', this.#at);
  }

  get agent(): string | undefined {
    return this.#batch.text('agent', this.#at);
  }

  get turn(): string | undefined {
    return this.#batch.text('turn', this.#at);
  }

  get keys(): Uint8Array {
    return this.#batch.keys(this.#at);
  }

  entry(): Promise<TrailEntry> {
    return this.#batch.source.entryAt(this.#at, this.commit);
  }

  changes(): ReturnType<TrailRow['changes']> {
    return this.#batch.source.changesAt(this.#at);
  }
}
