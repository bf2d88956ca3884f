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
  // A file whose lines end with CR alone is one line to git and its diffs.
  const prepared =
    lines.lineBreak === '\r'
      ? hunks.map(hunk => ({ ...hunk, lines: hunk.lines.flatMap(splitAtCr) }))
      : [...hunks];
  const exact = new LineIndex(source, text => text);
  const around = new LineIndex(source, text => text.trim());
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

function splitAtCr(line: HunkLine): HunkLine[] {
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

/** The lines of a file by what counts of them. */
interface Table {
  /** By line, from 1. */
  keys: readonly string[];
  /** By key: the lines that have it, ascending. */
  places: ReadonlyMap<string, readonly number[]>;
}

export class LineIndex {
  readonly #source: LineSource;
  readonly #key: (text: string) => string;
  #known: Table | null = null;
  #work = 0;

  /** Two texts are the same when `key` makes them the same. */
  constructor(source: LineSource, key: (text: string) => string) {
    this.#source = source;
    this.#key = key;
  }

  /** True when the run stands at line `start`; nothing is indexed for that. */
  fits(run: readonly string[], start: number): boolean {
    if (start < 1 || start + run.length - 1 > this.#source.size) return false;
    return run.every((text, i) => this.#key(text) === this.#key(this.#source.content(start + i)));
  }

  /** True when a line of the file has the text. */
  has(text: string): boolean {
    return this.#table().places.has(this.#key(text));
  }

  /**
   * Finds the first lines of the places where the run stands, ascending, from line `from` on, at most `limit`. The run
   * is not empty. Throws TOO_LARGE when the searches of this index went over their budget.
   */
  find(run: readonly string[], from = 1, limit: number = Number.POSITIVE_INFINITY): number[] {
    const wanted = run.map(this.#key);
    const lines = wanted.map(key => this.#table().places.get(key) ?? []);
    const rarest = lines.reduce((best, one, i) => (one.length < lines[best]!.length ? i : best), 0);
    const places = lines[rarest]!;
    if (places.length * run.length > CHEAP) return this.#scan(wanted, from, limit);
    const found: number[] = [];
    let next = firstNotBefore(0, places.length, at => places[at]! < from + rarest);
    for (; next < places.length && found.length < limit; next++) {
      const start = places[next]! - rarest;
      if (this.#matches(wanted, start)) found.push(start);
    }
    return found;
  }

  /** Made when it is first needed: a hunk that stands where the patch says it does needs none. */
  #table(): Table {
    this.#known ??= tableOf(this.#source, this.#key);
    return this.#known;
  }

  #matches(wanted: readonly string[], start: number): boolean {
    const { keys } = this.#table();
    let same = 0;
    while (same < wanted.length && keys[start + same] === wanted[same]) same++;
    this.#spend(same + 1);
    return same === wanted.length;
  }

  #scan(wanted: readonly string[], from: number, limit: number): number[] {
    this.#spend(this.#source.size - from + 1);
    const found: number[] = [];
    for (const start of linearPlaces(this.#table().keys, wanted, from)) {
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

function tableOf(source: LineSource, key: (text: string) => string): Table {
  const keys = [''];
  const places = new Map<string, number[]>();
  for (let n = 1; n <= source.size; n++) {
    const one = key(source.content(n));
    keys.push(one);
    const known = places.get(one);
    if (known) known.push(n);
    else places.set(one, [n]);
  }
  return { keys, places };
}
