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

export class LineIndex {
  readonly #source: LineSource;
  readonly #key: (text: string) => string;
  /** By text: a number of its own. */
  readonly #ids = new Map<string, number>();
  /** By number: the lines that have the text, ascending. */
  readonly #places: number[][] = [];
  /** By line: the number of its text, -1 where no run asks for it. */
  readonly #idAt: Int32Array;
  #work = 0;

  /** Indexes the lines whose text is one of `wanted`; two texts are the same when `key` makes them the same. */
  constructor(source: LineSource, wanted: Iterable<string>, key: (text: string) => string) {
    this.#source = source;
    this.#key = key;
    for (const text of wanted) {
      if (this.#ids.has(key(text))) continue;
      this.#ids.set(key(text), this.#places.length);
      this.#places.push([]);
    }
    this.#idAt = new Int32Array(source.size + 1).fill(-1);
    for (let n = 1; n <= source.size; n++) {
      const id = this.#ids.get(key(source.content(n)));
      if (id === undefined) continue;
      this.#idAt[n] = id;
      this.#places[id]!.push(n);
    }
  }

  /** True when a line of the file has the text, which was wanted. */
  has(text: string): boolean {
    return this.#count(this.#ids.get(this.#key(text))!) > 0;
  }

  /**
   * The first lines of the places where the run stands, ascending, from line `from` on, at most `limit`. The run is
   * not empty and its texts were wanted. Throws TOO_LARGE when the searches of this index went over their budget.
   */
  find(run: readonly string[], from = 1, limit: number = Number.POSITIVE_INFINITY): number[] {
    const ids = run.map(text => this.#ids.get(this.#key(text))!);
    const rarest = ids.reduce((best, id, i) => (this.#count(id) < this.#count(ids[best]!) ? i : best), 0);
    const places = this.#places[ids[rarest]!]!;
    if (places.length * run.length > CHEAP) return this.#scan(ids, from, limit);
    const found: number[] = [];
    for (let i = firstAtLeast(places, from + rarest); i < places.length && found.length < limit; i++) {
      const start = places[i]! - rarest;
      if (this.#matches(ids, start)) found.push(start);
    }
    return found;
  }

  #count(id: number): number {
    return this.#places[id]!.length;
  }

  #matches(ids: readonly number[], start: number): boolean {
    if (start + ids.length - 1 > this.#source.size) return false;
    let same = 0;
    while (same < ids.length && this.#idAt[start + same] === ids[same]) same++;
    this.#spend(same + 1);
    return same === ids.length;
  }

  #scan(ids: readonly number[], from: number, limit: number): number[] {
    this.#spend(this.#source.size - from + 1);
    const found: number[] = [];
    for (const start of linearPlaces(this.#idAt, ids, from)) {
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

function firstAtLeast(sorted: readonly number[], value: number): number {
  return firstNotBefore(0, sorted.length, at => sorted[at]! < value);
}
