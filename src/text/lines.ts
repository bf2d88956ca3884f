/** THE definition of a line, and the way between line numbers and offsets. */

import { firstNotBefore } from '../sorted.ts';

/**
 * The lines of a text. Line numbers are 1-based, offsets count UTF-16 units. A line ends with LF or CRLF; a lone
 * CR ends a line only in a text that has no LF at all. `"a\n"` has one line, `"a"` has one, `""` has none.
 * A line number outside 1..count is a RangeError.
 */
export interface Lines {
  readonly text: string;
  readonly count: number;
  /** The character that closes every line; '' in a text without any line end. */
  readonly lineBreak: '' | '\n' | '\r';
  /** Where line n starts. */
  start(n: number): number;
  /** Where line n ends, after its line end. */
  end(n: number): number;
  /** Where the content of line n ends, before its line end. */
  contentEnd(n: number): number;
  /** The line end of line n: '' only for an unended last line. */
  ending(n: number): LineEnd;
  /** Line n without its line end. */
  content(n: number): string;
  /** The line that holds the unit at `offset`; at or past the end of the text, the last line (0 if there is none). */
  lineAt(offset: number): number;
}

export type LineEnd = '' | '\n' | '\r\n' | '\r';

/** Indexes a text once, in one pass and four bytes a line; every question after that is cheap. */
export function linesOf(text: string): Lines {
  return new IndexedLines(text);
}

/** The character that closes every line of the text: CR in a text with CR and no LF, else LF. */
export function lineBreakOf(text: string): '\n' | '\r' {
  return !text.includes('\n') && text.includes('\r') ? '\r' : '\n';
}

/**
 * The character that closes the lines of a text that is put into, or looked for in, a file: the file's own. In a file
 * without any line end the text itself decides.
 */
export function lineBreakFor(file: Lines, text: string): '\n' | '\r' {
  return file.lineBreak === '' ? lineBreakOf(text) : file.lineBreak;
}

/** Every line end of such a text: LF and CRLF, and a lone CR too where the file counts it as one. */
export function lineEndsFor(file: Lines, text: string): RegExp {
  return lineBreakFor(file, text) === '\r' ? /\r\n|\n|\r/g : /\r\n|\n/g;
}

class IndexedLines implements Lines {
  readonly text: string;
  readonly count: number;
  readonly lineBreak: '' | '\n' | '\r';
  readonly #starts: Uint32Array;

  constructor(text: string) {
    this.text = text;
    const lineBreak = lineBreakOf(text);
    this.#starts = lineStarts(text, lineBreak);
    this.count = this.#starts.length;
    this.lineBreak = this.count > 1 || text.endsWith(lineBreak) ? lineBreak : '';
  }

  start(n: number): number {
    const start = this.#starts[n - 1];
    if (start === undefined) throw new RangeError(`line ${n} of ${this.count}`);
    return start;
  }

  end(n: number): number {
    return n === this.count ? this.text.length : this.start(n + 1);
  }

  contentEnd(n: number): number {
    return this.end(n) - this.ending(n).length;
  }

  ending(n: number): LineEnd {
    const start = this.start(n);
    const end = this.end(n);
    if (this.text[end - 1] !== this.lineBreak) return '';
    if (this.lineBreak === '\r') return '\r';
    return end - start > 1 && this.text[end - 2] === '\r' ? '\r\n' : '\n';
  }

  content(n: number): string {
    return this.text.slice(this.start(n), this.contentEnd(n));
  }

  lineAt(offset: number): number {
    return firstNotBefore(0, this.count, at => this.#starts[at]! <= offset);
  }
}

/** The offset of each line between two offsets, where `lineBreak` alone ends one. */
export function lineStarts(text: string, lineBreak: string, from = 0, to: number = text.length): Uint32Array {
  if (from >= to) return new Uint32Array(0);
  let starts = new Uint32Array(64 + (to - from) / LINE);
  let count = 1;
  starts[0] = from;
  for (let at = text.indexOf(lineBreak, from) + 1; at > 0 && at < to; at = text.indexOf(lineBreak, at) + 1) {
    if (count === starts.length) starts = longer(starts);
    starts[count++] = at;
  }
  return starts.slice(0, count);
}

/** UTF-16 units of a line of most texts, so that one pass does. */
const LINE = 24;

function longer(starts: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(starts.length * 2);
  copy.set(starts);
  return copy;
}

/** Counts the lines of a text in which `lineBreak` alone ends one; an unended last one counts. */
export function countLines(text: string, lineBreak: string): number {
  let count = text === '' || text.endsWith(lineBreak) ? 0 : 1;
  for (let at = text.indexOf(lineBreak); at >= 0; at = text.indexOf(lineBreak, at + 1)) count++;
  return count;
}
