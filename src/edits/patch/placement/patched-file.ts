/** A file that hunks are placed in: its lines, the hunks as they compare with them, and the ways of comparing. */

import { EditError } from '../../../errors.ts';
import { firstNotBefore } from '../../../sorted.ts';
import { type Lines, linesOf } from '../../../text/lines.ts';
import { linearPlaces } from '../../../text/search/match.ts';
import type { Format, Hunk, HunkLine } from '../patch.ts';

/** A text to place hunks in. `bom`: a byte order mark, which is no part of the text, comes before it. */
export interface PatchTarget {
  readonly path: string;
  readonly text: string;
  readonly bom: boolean;
}

/** A hunk among those of its file; `number` is 1-based. */
export interface PatchedHunk {
  file: PatchedFile;
  hunk: Hunk;
  number: number;
}

/** Where a hunk stands: its old lines are `start` up to `end`, exclusive, 1-based. */
export interface Placement {
  hunk: Hunk;
  /** 1-based among the hunks of the file. */
  number: number;
  start: number;
  end: number;
  /** Context lines were taken as they are written, without their marks. */
  unmarked: boolean;
  /** Empty lines at its end were taken for none of its lines. */
  separated: boolean;
  /** The hunk takes the byte order mark away from the file. */
  dropsMark: boolean;
}

export interface PatchedFile {
  target: PatchTarget;
  format: Format;
  lines: Lines;
  source: LineSource;
  hunks: Hunk[];
  /** For hunks and anchors: every character counts. */
  exact: LineIndex;
  /** But for blanks at both ends of lines: only for explanations. */
  around: LineIndex;
}

/** Limits of the place of a hunk: the line of its last anchor, or 0, and the end of the hunk before it. */
export interface Limits {
  anchor: number;
  cursor: number;
}

export function patchedFile(target: PatchTarget, hunks: readonly Hunk[], format: Format): PatchedFile {
  const lines = linesOf(target.text);
  const source = lineSource(lines, format.finalLine);
  const prepared = lines.lineBreak === '\r' ? hunks.map(splitAtCr) : [...hunks];
  const wanted = new Set(prepared.flatMap(hunk => textsOf(hunk, format)));
  const exact = new LineIndex(source, wanted, text => text);
  const around = new LineIndex(source, wanted, text => text.trim());
  return { target, format, lines, source, hunks: prepared, exact, around };
}

/**
 * The place of a run that ends the file, without the empty line behind the final line end or with it; `null` where it
 * does not stand there, or would begin before line `from`.
 */
export function placeAtEnd(
  { lines, source, exact }: PatchedFile,
  texts: readonly string[],
  from: number,
): number | null {
  for (const last of new Set([lines.count, source.size])) {
    const start = last - texts.length + 1;
    if (start >= Math.max(1, from) && exact.fits(texts, start)) return start;
  }
  return null;
}

/** Everything of a hunk that may be looked for: old and new lines, and anchors. */
function textsOf({ lines, anchors }: Hunk, { unmarked }: Format): string[] {
  const asWritten = unmarked ? lines.filter(({ mark }) => mark === ' ').map(({ text }) => ` ${text}`) : [];
  return [...lines.map(({ text }) => text), ...asWritten, ...anchors.map(({ text }) => text)];
}

/** Splits the lines of a hunk at each CR: a file whose lines end with CR alone is one line to git and its diffs. */
function splitAtCr(hunk: Hunk): Hunk {
  return { ...hunk, lines: hunk.lines.flatMap(pieces) };
}

function pieces(line: HunkLine): HunkLine[] {
  if (!line.text.includes('\r')) return [line];
  const texts = line.text.split('\r');
  const all = texts.map(
    (text, i): HunkLine => ({ ...line, text, end: i < texts.length - 1 ? '\r' : line.end }),
  );
  return line.end === '' && texts.at(-1) === '' ? all.slice(0, -1) : all;
}

/** The lines of a file as a patch sees them, 1-based. */
interface LineSource {
  readonly size: number;
  content(n: number): string;
}

/** The file's lines; with `finalLine`, what is behind the last line end is one more, empty line. */
function lineSource(lines: Lines, finalLine = false): LineSource {
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
