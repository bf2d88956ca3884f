/** Rows of a batch of kept commits as text: columns of numbers, which stand for texts of one list. */

import { fromUtf8, utf8 } from '../bytes.ts';
import type { CommitChanges } from './changes.ts';
import { isPlain } from './rows.ts';
import { type RowsSummary, summarize } from './rows-summary.ts';
import type { TrailEntry, TrailRow } from './walk.ts';

/** For each commit a number or, for its paths, several; NONE is none. */
interface Columns {
  texts: string[];
  time: number[];
  /** 1 for a plain one. */
  plain: number[];
  /** The first parent; NEXT is the commit of the next row. */
  parent: number[];
  op: number[];
  head: number[];
  trail: number[];
  session: number[];
  agent: number[];
  paths: Array<number | number[]>;
}

/** Tells of all rows of a batch, so that who passes it over need not look at each; texts by their numbers. */
interface Sums {
  isPlain: boolean;
  begins: boolean;
  heads: number[];
  ops: number[];
  oldest: number;
}

const NONE = -1;
const NEXT = -2;

/** The rows of these commits, without their ids. */
export function encodeRows(entries: readonly TrailEntry[]): Uint8Array {
  const numbers = new Map<string, number>();
  const numberOf = (text: string | undefined): number => {
    if (text === undefined) return NONE;
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const of = (key: 'op' | 'head' | 'trail' | 'session' | 'agent'): number[] =>
    entries.map(({ meta }) => numberOf(meta?.[key]));
  const pathsOf = ({ meta }: TrailEntry): number | number[] => {
    const paths = (meta?.paths ?? []).map(numberOf);
    return paths.length === 1 ? paths[0]! : paths;
  };
  const parentOf = ({ parents: [parent] }: TrailEntry, at: number): number =>
    parent !== undefined && parent === entries[at + 1]?.commit ? NEXT : numberOf(parent);
  const columns: Omit<Columns, 'texts'> = {
    time: entries.map(({ time }) => time),
    plain: entries.map(entry => (isPlain(entry) ? 1 : 0)),
    parent: entries.map(parentOf),
    op: of('op'),
    head: of('head'),
    trail: of('trail'),
    session: of('session'),
    agent: of('agent'),
    paths: entries.map(pathsOf),
  };
  return utf8(JSON.stringify({ texts: [...numbers.keys()], ...columns, sums: sumsOf(columns) }));
}

function sumsOf({ plain, trail, head, op, time }: Omit<Columns, 'texts'>): Sums {
  return {
    isPlain: !plain.includes(0),
    begins: trail.some(number => number !== NONE),
    heads: [...new Set(head)],
    ops: [...new Set(op)],
    oldest: time.reduce((least, one) => Math.min(least, one)),
  };
}

/** Reads what is said of one of the commits besides. */
export interface RowSource {
  entryAt(at: number, oid: string): Promise<TrailEntry>;
  changesAt(at: number): Promise<CommitChanges | null>;
}

/** The rows of the commits with these ids, 40 digits each. `null` where the text is not of rows. */
export function decodeRows(bytes: Uint8Array, ids: string, source: RowSource): TrailRow[] | null {
  const text = fromUtf8(bytes);
  if (text === null) return null;
  const { sums, ...columns } = JSON.parse(text) as Columns & { sums: Sums };
  const batch = new Batch(columns, ids, source);
  const rows: TrailRow[] = [];
  for (let at = 0; at < ids.length / ID; at++) rows.push(new KeptRow(batch, at));
  summarize(rows, batch.summary(sums));
  return rows;
}

/** Digits of an id. */
const ID = 40;

class Batch {
  readonly columns: Columns;
  readonly #ids: string;
  readonly source: RowSource;
  /** Of single paths, by their numbers. */
  readonly #lists: string[][] = [];

  constructor(columns: Columns, ids: string, source: RowSource) {
    this.columns = columns;
    this.#ids = ids;
    this.source = source;
  }

  summary({ isPlain, begins, heads, ops, oldest }: Sums): RowsSummary {
    const { texts } = this.columns;
    return {
      isPlain,
      begins,
      heads: new Set(heads.map(number => texts[number])),
      ops: new Set(ops.map(number => texts[number] ?? null)),
      oldest,
      endOfLine: at => this.#endOfLine(at),
      placesOf: (commit, paths) => this.#placesOf(commit, paths),
    };
  }

  #endOfLine(at: number): number {
    const { parent } = this.columns;
    let end = at + 1;
    while (end < parent.length && parent[end - 1] === NEXT) end++;
    return end;
  }

  #placesOf(commit: string, wanted: ReadonlySet<string>): number[] {
    const { texts, paths } = this.columns;
    const numbers = new Set<number>();
    for (let number = 0; number < texts.length; number++) if (wanted.has(texts[number]!)) numbers.add(number);
    const own = this.#ids.indexOf(commit) / ID;
    if (numbers.size === 0) return own < 0 ? [] : [own];
    const places: number[] = [];
    for (let at = 0; at < paths.length; at++) {
      const named = paths[at]!;
      const isAsked = typeof named === 'number' ? numbers.has(named) : named.some(one => numbers.has(one));
      if (isAsked || at === own) places.push(at);
    }
    return places;
  }

  id(at: number): string {
    return this.#ids.slice(at * ID, at * ID + ID);
  }

  text(column: 'op' | 'head' | 'trail' | 'session' | 'agent' | 'parent', at: number): string | undefined {
    return this.columns.texts[this.columns[column][at]!];
  }

  parent(at: number): string | null {
    const isNext = this.columns.parent[at] === NEXT;
    return (isNext ? this.id(at + 1) : this.text('parent', at)) ?? null;
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
  readonly #batch: Batch;
  readonly #at: number;

  constructor(batch: Batch, at: number) {
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

  entry(): Promise<TrailEntry> {
    return this.#batch.source.entryAt(this.#at, this.commit);
  }

  changes(): Promise<CommitChanges | null> {
    return this.#batch.source.changesAt(this.#at);
  }
}
