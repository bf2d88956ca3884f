/** The lines of one text of a file, among all rows that it ever had: where rows stand in it, and which rows its lines have. */

import { isLine } from '../history/file-rows.ts';
import type { Token } from '../text/diff/alignment.ts';
import type { Row } from './row.ts';

/** Lines of a text, 1-based and inclusive; `end_line` below `start_line` is the gap before `start_line`. */
export interface HunkLines {
  start_line: number;
  end_line: number;
}

/** The text of a row; `null`: it has none. */
export type TextOf = (row: Row) => Token | null;

export class TextLines {
  /** The rows of the lines, in order, and the lines. */
  readonly rows: readonly Row[];
  readonly lines: readonly Token[];
  readonly #all: readonly Row[];
  readonly #numbers: ReadonlyMap<Row, number>;

  /** `all`: the rows of the file, in order; `text`: what they are in this text. */
  constructor(all: readonly Row[], text: TextOf) {
    this.#all = all;
    this.rows = all.filter(row => isLine(text(row) ?? '\0'));
    this.lines = this.rows.map(row => text(row)!);
    this.#numbers = new Map(this.rows.map((row, at) => [row, at]));
  }

  /** Where a row stands, or would stand: the number of lines before it. */
  before(row: Row | undefined): number {
    for (let at: Row | null = row ?? null; at; at = at.previous) {
      const number = this.#numbers.get(at);
      if (number !== undefined) return at === row ? number : number + 1;
    }
    return 0;
  }

  /** Those of some rows that are lines of it, in their order. */
  among(rows: Iterable<Row>): Row[] {
    return [...rows].filter(row => this.#numbers.has(row));
  }

  /** The lines that rows are, which stand together; where none is one, the gap in which they would stand. */
  linesOf(rows: readonly Row[]): HunkLines {
    const own = this.among(rows);
    const start = this.before(own[0] ?? rows[0]);
    return { start_line: start + 1, end_line: start + own.length };
  }

  /** The lines beside rows, at most so many on each side. */
  beside(rows: readonly Row[], count: number): { above: Token[]; below: Token[] } {
    const [start, last] = [this.before(rows[0]), rows.at(-1)];
    const end = this.before(last) + (last && this.#numbers.has(last) ? 1 : 0);
    return {
      above: this.lines.slice(Math.max(0, start - count), start),
      below: this.lines.slice(end, end + count),
    };
  }

  /** The rows of lines, and all between them: what was taken out there, and what came since. */
  rowsAt({ start_line, end_line }: HunkLines): Row[] {
    const [left, right] = [this.rows[start_line - 2], this.rows[end_line]];
    const from = left ? this.#all.indexOf(left) + 1 : 0;
    return this.#all.slice(from, right ? this.#all.indexOf(right) : this.#all.length);
  }
}
