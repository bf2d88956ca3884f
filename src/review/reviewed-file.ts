/**
 * A file of a review, by its rows: the places in which the accepted text and the present one differ, with nothing between that
 * both have. A person's own lines are accepted; those amid an agent's, and those that were typed over an agent's, are shown
 * with them.
 */

import { type Side, side } from '../engine/rejections/compare.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { bytesOfRows, fileOfRows, isLine } from '../history/file-rows.ts';
import { isAuthored, isPersons, type LineEvent } from '../line/event.ts';
import type { LineFile } from '../line/files.ts';
import { byOf, isIn, putBy, type Row, textOf } from '../line/row.ts';
import type { Token } from '../text/diff/alignment.ts';
import { lineBreakOf } from '../text/lines.ts';

/** A file that was renamed since it was accepted is two: one that went, and one that came. */
export interface ReviewedFile {
  /** As the trail records it, and as the workspace names it. */
  path: string;
  name: string;
  line: LineFile;
  accepted: Side;
  present: Side;
  /** The rows of each place that is another; `null` where the file can only be taken as a whole. */
  places: Row[][] | null;
  /** The rows of the lines of both texts, in order; and those of each, by how many lines are before them. */
  shown: readonly Row[];
  old: ReadonlyMap<Row, number>;
  now: ReadonlyMap<Row, number>;
  /** The rows of `now`, in order. */
  lines: readonly Row[];
}

export const NO_FILE: Side = { file: null, text: '' };

/** A text that rows tell, at the path that they tell; `null` for no file. */
export async function sideOfRows(
  objects: ObjectDatabase,
  rows: readonly Token[],
): Promise<{ path: string; side: Side } | null> {
  const made = fileOfRows(rows);
  if (!made) return null;
  const { path } = made;
  const mode = made.mode as '100644';
  if (!('oid' in made)) {
    const file = { bytes: await bytesOfRows(made), mode, version: '' };
    return { path, side: { file, text: made.text } };
  }
  const { content } = await objects.read(made.oid, 'blob');
  return { path, side: side({ bytes: content, mode, version: made.oid }) };
}

export function reviewedFile(
  about: Pick<ReviewedFile, 'path' | 'name' | 'line' | 'accepted' | 'present'>,
): ReviewedFile {
  const { accepted, present, line } = about;
  const all = line.weave.rows();
  const shown = all.filter(row => row.log.length > 0 && isText(row));
  const old = linesOf(shown, row => (accepted.file ? row.accepted : null));
  const now = linesOf(shown, row => (present.file ? textOf(row) : null));
  const found = { ...about, shown, old, now, lines: [...now.keys()] };
  if (isWhole(accepted, present)) return { ...found, places: null };
  if (!accepted.file) return { ...found, places: [all] };
  const spans = placesIn(shown).map(span => withLine(shown, span));
  return { ...found, places: spans.map(({ from, to }) => shown.slice(from, to)) };
}

/** A file that goes or is no text is reviewed as a whole; so is one of which the mode or the line ends alone changed. */
function isWhole(accepted: Side, present: Side): boolean {
  if (accepted.text === null || present.text === null || !present.file) return true;
  if (accepted.text === present.text) return true;
  const [old, now] = [accepted.text, present.text].map(lineBreakOf);
  return accepted.file !== null && accepted.text !== '' && present.text !== '' && old !== now;
}

function linesOf(rows: readonly Row[], text: (row: Row) => Token | null): Map<Row, number> {
  const lines = rows.filter(row => isLine(text(row) ?? '\0'));
  return new Map(lines.map((row, at) => [row, at]));
}

/** Where a hunk is in one of the texts: the number of lines before it, and its own rows there, in order. */
export function spotOf(
  { shown }: ReviewedFile,
  lines: ReadonlyMap<Row, number>,
  rows: readonly Row[],
): { start: number; rows: Row[] } {
  const own = rows.filter(row => lines.has(row));
  if (own.length > 0) return { start: lines.get(own[0]!)!, rows: own };
  const first = shown.indexOf(rows[0]!);
  const before = shown.slice(0, Math.max(0, first)).findLast(row => lines.has(row));
  return { start: before ? lines.get(before)! + 1 : 0, rows: [] };
}

/** Lines, and what stands for a byte order mark or for a last line without its end. */
const isText = ({ log }: Row): boolean =>
  log.some(({ text }) => text !== null && (isLine(text) || text === '\0bom' || text === '\0\\'));

/** Places of one list of rows; the end is exclusive. */
interface RowSpan {
  from: number;
  to: number;
}

/** A mark is shown with the line that it is about. */
function withLine(rows: readonly Row[], { from, to }: RowSpan): RowSpan {
  const has = (row: Row): boolean => isLine(row.accepted ?? '\0') || isLine(textOf(row) ?? '\0');
  if (rows.slice(from, to).some(has)) return { from, to };
  const before = rows.slice(0, from).findLastIndex(row => isLine(textOf(row) ?? '\0'));
  const after = rows.findIndex((row, at) => at >= to && isLine(textOf(row) ?? '\0'));
  return before >= 0 ? { from: before, to } : { from, to: after < 0 ? to : after + 1 };
}

export const differs = (row: Row): boolean => row.accepted !== textOf(row);

/** Finds the places in the rows of a text, in order. */
function placesIn(rows: readonly Row[]): RowSpan[] {
  const places: RowSpan[] = [];
  for (const run of runsIn(rows)) {
    const last = places.at(-1);
    if (last && isAmid(rows, last, run)) last.to = run.to;
    else places.push(run);
  }
  return places.map(place => ({ from: place.from, to: typedOver(rows, place) }));
}

/** The runs between rows that both texts have, from the first to the last row that is another or that an agent knows. */
function runsIn(rows: readonly Row[]): RowSpan[] {
  const runs: RowSpan[] = [];
  let from = 0;
  for (let to = 0; to <= rows.length; to++) {
    const row = rows[to];
    if (row && (differs(row) || !isIn(row))) continue;
    const own = [...rows.slice(from, to).keys()].map(at => from + at).filter(at => isAbout(rows[at]!));
    if (own.some(at => differs(rows[at]!))) runs.push({ from: own[0]!, to: own.at(-1)! + 1 });
    from = to + 1;
  }
  return runs;
}

const isAbout = (row: Row): boolean => differs(row) || agentsOf(row).length > 0;

/** True where only what a person typed into it stands between two places of one edit. */
function isAmid(rows: readonly Row[], { from, to }: RowSpan, next: RowSpan): boolean {
  const events = new Set(rows.slice(from, to).flatMap(agentsOf));
  const both = rows
    .slice(next.from, next.to)
    .flatMap(agentsOf)
    .filter(event => events.has(event));
  const first = both.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  return rows.slice(to, next.from).every(row => !isIn(row) || (isTyped(row) && putBy(row).at > first));
}

/** The agents' events in the history of a row. */
export function agentsOf({ log }: Row): LineEvent[] {
  return log.map(byOf).filter(event => isAuthored(event) && event.at >= 0 && !isPersons(event));
}

export function isTyped(row: Row): boolean {
  if (!isIn(row) || differs(row)) return false;
  const put = putBy(row);
  return put.at >= 0 && isAuthored(put) && isPersons(put);
}

/** The end of a place with the lines that a person typed over some of it. */
function typedOver(rows: readonly Row[], { from, to }: RowSpan): number {
  const takings = rows.slice(from, to).flatMap(({ log }) => log.filter(({ text }) => text === null));
  const takers = new Set(takings.map(byOf));
  let end = to;
  while (end < rows.length && isTyped(rows[end]!) && takers.has(putBy(rows[end]!))) end++;
  return end;
}
