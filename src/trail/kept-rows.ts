/** Rows of a batch of kept commits as text: columns of numbers, which stand for texts of one list. */

import { fromUtf8, utf8 } from '../bytes.ts';
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
  return utf8(JSON.stringify({ texts: [...numbers.keys()], ...columns }));
}

/**
 * The rows of the commits with these ids, 40 digits each; `entryAt` reads one in full. `null` where the text is not of rows.
 */
export function decodeRows(
  bytes: Uint8Array,
  ids: string,
  entryAt: (at: number, oid: string) => Promise<TrailEntry>,
): TrailRow[] | null {
  const text = fromUtf8(bytes);
  if (text === null) return null;
  const batch = new Batch(JSON.parse(text) as Columns, ids, entryAt);
  const rows = Array.from({ length: ids.length / ID }, (_, at) => new KeptRow(batch, at));
  summarize(rows, batch.summary());
  return rows;
}

/** Digits of an id. */
const ID = 40;

class Batch {
  readonly columns: Columns;
  readonly #ids: string;
  readonly #entryAt: (at: number, oid: string) => Promise<TrailEntry>;
  /** Of single paths, by their numbers. */
  readonly #lists: string[][] = [];

  constructor(columns: Columns, ids: string, entryAt: (at: number, oid: string) => Promise<TrailEntry>) {
    this.columns = columns;
    this.#ids = ids;
    this.#entryAt = entryAt;
  }

  summary(): RowsSummary {
    const { texts, plain, trail, head, op, time } = this.columns;
    return {
      isPlain: !plain.includes(0),
      begins: trail.some(number => number !== NONE),
      heads: new Set([...new Set(head)].map(number => texts[number])),
      ops: new Set([...new Set(op)].map(number => texts[number] ?? null)),
      oldest: time.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY),
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
    const numbers = new Set([...texts.keys()].filter(number => wanted.has(texts[number]!)));
    const own = this.#ids.indexOf(commit) / ID;
    const isAsked = (named: number | number[], at: number): boolean =>
      at === own || (typeof named === 'number' ? numbers.has(named) : named.some(one => numbers.has(one)));
    return paths.flatMap((named, at) => (isAsked(named, at) ? at : []));
  }

  id(at: number): string {
    return this.#ids.slice(at * ID, at * ID + ID);
  }

  entry(at: number): Promise<TrailEntry> {
    return this.#entryAt(at, this.id(at));
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
    return this.#batch.entry(this.#at);
  }
}
