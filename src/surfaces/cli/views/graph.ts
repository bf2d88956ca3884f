/**
 * Commits as a graph of characters, the newest above, as `git log --graph` draws it: a column for each line of history,
 * `|\` where one joins, `|/` where two come from the same commit. Drawn commit by commit, without looking ahead.
 */

import { isBack } from '../../../engine/status/status-words.ts';
import { isRedo, isWayBack } from '../../../operations.ts';
import type { GraphEntry } from '../../../queries/log/log-graph.ts';
import { type Piece, styled, textOf } from '../terminal/style.ts';

/** A commit, the commits that lines lead to from it, and what is printed beside it, line by line. */
export interface GraphNode {
  commit: string;
  below: readonly string[];
  glyph: Piece;
}

export class Graph {
  /** The commit that each column leads to. */
  #columns: string[] = [];
  /** Rows that lead from the last node to the next, and that its text had no line for. */
  #pending: string[] = [];

  /** Returns how many characters the graph takes beside the lines of this node. */
  widthOf({ commit, below }: Pick<GraphNode, 'commit' | 'below'>): number {
    const known = new Set([...this.#columns, commit]);
    const [next, ...joined] = below;
    return 2 * (known.size + new Set(joined.filter(one => one !== next && !known.has(one))).size);
  }

  /**
   * The node's lines with the graph before them, and what has to stand above; each without its line end. `apart`: a
   * line without text comes first. The next node is drawn when all lines of this one were taken.
   */
  *draw(node: GraphNode, lines: Iterable<readonly Piece[]>, apart = false): Generator<Piece[]> {
    const width = this.widthOf(node);
    const above = [...this.#pending, ...(apart ? [this.#bars().trimEnd()] : [])];
    if (!this.#columns.includes(node.commit)) this.#columns.push(node.commit);
    const at = this.#columns.indexOf(node.commit);
    const first = this.#columns.flatMap((_, column) => [column === at ? node.glyph : '|', ' ']);
    const after = [...this.#continueDown(at, node.below), ...this.#gather()];
    const bars = padded([this.#bars()], width);
    for (const row of above) yield [row];
    let count = 0;
    for (const line of lines) {
      const row = after[count - 1];
      const start = count === 0 ? padded(first, width) : row === undefined ? bars : padded([row], width);
      yield trimmed([...start, ...line]);
      count++;
    }
    this.#pending = after.slice(Math.max(0, count - 1));
  }

  #bars(): string {
    return '| '.repeat(this.#columns.length);
  }

  /** Brings columns that lead to the same commit together in the first of them. */
  #gather(): string[] {
    const rows: string[] = [];
    for (let last = this.#repeated(); last > 0; last = this.#repeated()) {
      const first = this.#columns.indexOf(this.#columns[last]!);
      for (let at = last; at > first; at--) rows.push(this.#crossing(at, last));
      this.#columns.splice(last, 1);
    }
    return rows;
  }

  /** The first column that leads where one before it does; -1 when each has its own way. */
  #repeated(): number {
    return this.#columns.findIndex((commit, column) => this.#columns.indexOf(commit) < column);
  }

  /** A row in which the line that was in column `last` goes from `from` to the left. Those beyond it close up. */
  #crossing(from: number, last: number): string {
    const closing = (column: number): Mark => (from === last ? [2 * column - 1, '/'] : [2 * column - 2, '|']);
    return this.#row(column => (column < last ? [2 * column, '|'] : closing(column)), [2 * from - 1, '/']);
  }

  /** From the node in column `at` to what is below it; answers the rows that this takes. */
  #continueDown(at: number, below: readonly string[]): string[] {
    const [next, ...joined] = [...new Set(below)];
    if (next === undefined) return this.#end(at);
    this.#columns[at] = next;
    const known = joined.filter(commit => this.#columns.includes(commit));
    const fresh = joined.filter(commit => !known.includes(commit));
    const rows = fresh.length > 0 ? [this.#branching(at, fresh.length)] : [];
    this.#columns.splice(at + 1, 0, ...fresh);
    for (const commit of known) rows.push(...this.#reaching(at, this.#columns.indexOf(commit)));
    return rows;
  }

  #end(at: number): string[] {
    const row = this.#row(column => {
      if (column === at) return [2 * column, ' '];
      return column < at ? [2 * column, '|'] : [2 * column - 1, '/'];
    });
    this.#columns.splice(at, 1);
    return at < this.#columns.length ? [row] : [];
  }

  /** A row in which `count` columns begin to the right of `at`. */
  #branching(at: number, count: number): string {
    const fresh = Array.from({ length: count }, (_, index): Mark => [2 * (at + index) + 1, '\\']);
    return this.#row(
      column => (column <= at ? [2 * column, '|'] : [2 * (column + count) - 1, '\\']),
      ...fresh,
    );
  }

  /** Rows in which a line goes from column `at` into column `to`. */
  #reaching(at: number, to: number): string[] {
    const step = Math.sign(to - at);
    return Array.from({ length: Math.abs(to - at) }, (_, n) => {
      const place = 2 * (at + n * step) + step;
      return this.#row(column => [2 * column, '|'], [place, step > 0 ? '\\' : '/']);
    });
  }

  /** A row with a mark for each column, and more over them. */
  #row(markOf: (column: number) => Mark, ...more: readonly Mark[]): string {
    const characters: string[] = [];
    const marks = this.#columns.map((_, column) => markOf(column));
    for (const [at, character] of [...marks, ...more]) characters[at] = character;
    return Array.from(characters, character => character ?? ' ').join('');
  }
}

type Mark = readonly [at: number, character: string];

function padded(pieces: readonly Piece[], width: number): Piece[] {
  const { length } = pieces.map(textOf).join('');
  return [...pieces, ' '.repeat(Math.max(0, width - length))];
}

/** Returns the line without blanks at its end. */
function trimmed(line: readonly Piece[]): Piece[] {
  const pieces = [...line];
  while (typeof pieces.at(-1) === 'string' && (pieces.at(-1) as string).trim() === '') pieces.pop();
  const last = pieces.pop();
  if (typeof last === 'string') return [...pieces, last.trimEnd()];
  return last === undefined ? pieces : [...pieces, last];
}

/** `@` is where the history stands, whatever kind of commit that is. */
export function glyphOf({ entry, lane, current }: GraphEntry): Piece {
  if (current) return styled('bold', '@');
  if (lane === 'outside') return styled('cyan', '+');
  if (entry.op === null) return styled('cyan', '*');
  if (isBack(entry.status)) return styled('dim', 'x');
  if (isRedo(entry.op)) return styled('yellow', '>');
  return isWayBack(entry.op) ? styled('yellow', '<') : styled('green', 'o');
}
