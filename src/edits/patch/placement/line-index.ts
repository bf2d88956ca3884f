/** Finds runs of lines in a file: which lines stand where, for the texts that a patch asks for. */

import { EditError } from '../../../errors.ts';
import { firstNotBefore } from '../../../sorted.ts';
import type { Lines } from '../../../text/lines.ts';
import { linearPlaces } from '../../../text/search/linear-search.ts';

/** The lines of a file as a patch sees them, 1-based. */
export interface LineSource {
  readonly size: number;
  content(n: number): string;
}

/** The file's lines; with `finalLine`, what is behind the last line end is one more, empty line. */
export function lineSource(lines: Lines, finalLine = false): LineSource {
  const ended = lines.count === 0 || lines.ending(lines.count) !== '';
  return {
    size: lines.count + (finalLine && ended ? 1 : 0),
    content: n => (n <= lines.count ? lines.content(n) : ''),
  };
}

/** Up to this many comparisons of a run are made from its rarest line; beyond them a linear search is faster. */
const CHEAP = 1_000_000;
/** Comparisons of all searches together: a few seconds. Only files and patches of very few different lines need more. */
const BUDGET = 1_000_000_000;

/** The wanted lines of a file. */
interface Table {
  /** Numbers of lines, by text: equal lines have one. */
  ids: ReadonlyMap<string, number>;
  /** By number: the lines that have the text, ascending. */
  places: readonly number[][];
  /** By line: the number of its text, -1 where no run asks for it. */
  idAt: Int32Array;
}

export class LineIndex {
  readonly #source: LineSource;
  readonly #wanted: ReadonlySet<string>;
  readonly #key: (text: string) => string;
  #known: Table | null = null;
  #work = 0;

  /** `wanted`: all texts that may be asked for. Two texts are the same when `key` makes them the same. */
  constructor(source: LineSource, wanted: ReadonlySet<string>, key: (text: string) => string) {
    this.#source = source;
    this.#wanted = wanted;
    this.#key = key;
  }

  /** True when the run stands at line `start`; nothing is indexed for that. */
  fits(run: readonly string[], start: number): boolean {
    if (start < 1 || start + run.length - 1 > this.#source.size) return false;
    return run.every((text, i) => this.#key(text) === this.#key(this.#source.content(start + i)));
  }

  /** True when a line of the file has the text. */
  has(text: string): boolean {
    return this.#count(this.#idOf(text)) > 0;
  }

  /**
   * Finds the first lines of the places where the run stands, ascending, from line `from` on, at most `limit`. The run
   * is not empty. Throws TOO_LARGE when the searches of this index went over their budget.
   */
  find(run: readonly string[], from = 1, limit: number = Number.POSITIVE_INFINITY): number[] {
    const ids = run.map(text => this.#idOf(text));
    const rarest = ids.reduce((best, id, i) => (this.#count(id) < this.#count(ids[best]!) ? i : best), 0);
    const places = this.#table().places[ids[rarest]!]!;
    if (places.length * run.length > CHEAP) return this.#scan(ids, from, limit);
    const found: number[] = [];
    for (let i = firstAtLeast(places, from + rarest); i < places.length && found.length < limit; i++) {
      const start = places[i]! - rarest;
      if (this.#matches(ids, start)) found.push(start);
    }
    return found;
  }

  #count(id: number): number {
    return this.#table().places[id]!.length;
  }

  #idOf(text: string): number {
    return this.#table().ids.get(this.#key(text))!;
  }

  /** Made when it is first needed: a hunk that stands where the patch says it does needs none. */
  #table(): Table {
    this.#known ??= tableOf(this.#source, this.#wanted, this.#key);
    return this.#known;
  }

  #matches(ids: readonly number[], start: number): boolean {
    if (start + ids.length - 1 > this.#source.size) return false;
    const { idAt } = this.#table();
    let same = 0;
    while (same < ids.length && idAt[start + same] === ids[same]) same++;
    this.#spend(same + 1);
    return same === ids.length;
  }

  #scan(ids: readonly number[], from: number, limit: number): number[] {
    this.#spend(this.#source.size - from + 1);
    const found: number[] = [];
    for (const start of linearPlaces(this.#table().idAt, ids, from)) {
      if (found.length === limit) break;
      found.push(start);
    }
    return found;
  }

  #spend(comparisons: number): void {
    this.#work += comparisons;
    if (this.#work <= BUDGET) return;
    throw new EditError(
      'TOO_LARGE',
      'The lines of the patch occur so often in the file that finding their places takes too long. Nothing was changed. Send fewer hunks at once, each with lines that are rare in the file.',
      { limit: BUDGET },
    );
  }
}

function tableOf(source: LineSource, wanted: Iterable<string>, key: (text: string) => string): Table {
  const ids = new Map<string, number>();
  for (const text of wanted) if (!ids.has(key(text))) ids.set(key(text), ids.size);
  const places = Array.from(ids, (): number[] => []);
  const idAt = new Int32Array(source.size + 1).fill(-1);
  for (let n = 1; n <= source.size; n++) {
    const id = ids.get(key(source.content(n)));
    if (id === undefined) continue;
    idAt[n] = id;
    places[id]!.push(n);
  }
  return { ids, places, idAt };
}

function firstAtLeast(sorted: readonly number[], value: number): number {
  return firstNotBefore(0, sorted.length, at => sorted[at]! < value);
}
