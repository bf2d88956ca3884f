/** A file that hunks are placed in: its lines, the hunks as they compare with them, and the ways of comparing. */

import { type Lines, linesOf } from '../../../text/lines.ts';
import type { Format, Hunk, HunkLine } from '../patch.ts';
import { LineIndex, type LineSource, lineSource } from './line-index.ts';

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
