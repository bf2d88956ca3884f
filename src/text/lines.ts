/** THE definition of a line, the way between line numbers and offsets, and the check of line numbers that a caller gave: none is ever clamped. */

import { EditError } from '../errors.ts';
import { firstNotBefore } from '../sorted.ts';
import { fieldName, ifTool, Look, pathName } from '../wording.ts';
import { counted } from './words.ts';

export type LineEnd = '' | '\n' | '\r\n' | '\r';

/** Indexes a text once, in one pass; every question after that is cheap. */
export function linesOf(text: string): Lines {
  return new Lines(text);
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

/**
 * The lines of a text. Line numbers are 1-based, offsets count UTF-16 units. A line ends with LF or CRLF; a lone
 * CR ends a line only in a text that has no LF at all. `"a\n"` has one line, `"a"` has one, `""` has none.
 * A line number that no line has is a RangeError, except in `offset`.
 */
export class Lines {
  readonly text: string;
  readonly count: number;
  /** The character that closes every line; '' in a text without any line end. */
  readonly lineBreak: '' | '\n' | '\r';
  readonly #starts: readonly number[];

  constructor(text: string, lineBreak: '\n' | '\r' = lineBreakOf(text)) {
    this.text = text;
    this.#starts = lineStarts(text, lineBreak);
    this.count = this.#starts.length;
    this.lineBreak = this.#starts.length > 1 || text.endsWith(lineBreak) ? lineBreak : '';
  }

  /** Returns the offset of the first character of line n. */
  start(n: number): number {
    const start = this.#starts[n - 1];
    if (start === undefined) throw new RangeError(`line ${n} of ${this.count}`);
    return start;
  }

  /** Where line n starts, or would start: the end of the text for a line behind the last. */
  offset(n: number): number {
    return n <= this.count ? this.start(n) : this.text.length;
  }

  /** Where line n ends, after its line end. */
  end(n: number): number {
    return n === this.count ? this.text.length : this.start(n + 1);
  }

  /** Where the content of line n ends, before its line end. */
  contentEnd(n: number): number {
    return this.end(n) - this.ending(n).length;
  }

  /** The line end of line n: '' only for an unended last line. */
  ending(n: number): LineEnd {
    const start = this.start(n);
    const end = this.end(n);
    if (this.text[end - 1] !== this.lineBreak) return '';
    if (this.lineBreak === '\r') return '\r';
    return end - start > 1 && this.text[end - 2] === '\r' ? '\r\n' : '\n';
  }

  /** Line n without its line end. */
  content(n: number): string {
    return this.text.slice(this.start(n), this.contentEnd(n));
  }

  /** Lines `from` to `to`, inclusive, without the last line end. */
  slice(from: number, to: number): string {
    return this.text.slice(this.start(from), this.contentEnd(to));
  }

  /** The line that holds the unit at `offset`; at or past the end of the text, the last line (0 if there is none). */
  lineAt(offset: number): number {
    const starts = this.#starts;
    return firstNotBefore(0, starts.length, at => starts[at]! <= offset);
  }
}

/** The offset of each line, where `lineBreak` alone ends one. */
function lineStarts(text: string, lineBreak: string): number[] {
  const starts = text === '' ? [] : [0];
  let at = text.indexOf(lineBreak) + 1;
  for (; at > 0 && at < text.length; at = text.indexOf(lineBreak, at) + 1) starts.push(at);
  return starts;
}

/** Counts the lines of a text in which `lineBreak` alone ends one; an unended last one counts. */
export function countLines(text: string, lineBreak: string): number {
  let count = text === '' || text.endsWith(lineBreak) ? 0 : 1;
  for (let at = text.indexOf(lineBreak); at >= 0; at = text.indexOf(lineBreak, at + 1)) count++;
  return count;
}

interface ValidLines {
  path: string;
  lines: Lines;
  min: number;
  max: number;
  /** Says what to do when the number is out of range, as a whole sentence. */
  advice: string;
}

/** Throws LINE_OUT_OF_RANGE unless min <= line <= max; `field` is what the caller calls the number. */
export function checkLine(field: string, line: number, valid: ValidLines): void {
  const { path, lines, min, max, advice } = valid;
  if (line >= min && line <= max) return;
  const range =
    max < min ? 'no number is valid' : min === max ? `only ${min} is valid` : `valid is ${min} to ${max}`;
  const message = `${fieldName(field)} ${line} is out of range: ${pathName(path)} has ${counted(lines.count, 'line')}, so ${range}. ${advice}`;
  throw new EditError('LINE_OUT_OF_RANGE', message, { path, field, line, min, max, line_count: lines.count });
}

/**
 * Throws LINE_OUT_OF_RANGE when `end` is before `start`, which is wrong in any file. `instead`: what to do for an
 * insertion, as a whole sentence.
 */
export function checkForward(
  path: string,
  start: readonly [field: string, line: number],
  end: readonly [field: string, line: number],
  instead: string,
): void {
  if (end[1] >= start[1]) return;
  const message = `${fieldName(end[0])} ${end[1]} is before ${fieldName(start[0])} ${start[1]}: both are lines of the range. ${instead}`;
  throw new EditError('LINE_OUT_OF_RANGE', message, { path, field: end[0], line: end[1], min: start[1] });
}

/** Throws LINE_OUT_OF_RANGE unless both numbers are lines of the file and `end` is not before `start`. */
export function checkLineRange(
  path: string,
  lines: Lines,
  start: readonly [field: string, line: number],
  end: readonly [field: string, line: number],
): void {
  const advice = `${Look()} the file for its present line numbers${ifTool('insert', tool => `; to add lines at the end use ${tool}`)}.`;
  checkLine(...start, { path, lines, min: 1, max: lines.count, advice });
  const below = `For the rest of the file send ${fieldName(end[0])} ${lines.count}.`;
  checkLine(...end, { path, lines, min: start[1], max: lines.count, advice: below });
}
