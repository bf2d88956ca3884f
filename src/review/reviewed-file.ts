/**
 * A file of a review, by its rows: the places in which the accepted text and the present one differ, with nothing between that
 * both have. A person's own lines are accepted; those amid an agent's, and those that were typed over an agent's, are shown
 * with them.
 */

import { isLine, type RowsFile } from '../history/file-rows.ts';
import { isAuthored, isPersons, type LineEvent } from '../line/event.ts';
import type { LineFile } from '../line/files.ts';
import { byOf, isIn, putBy, type Row, textOf } from '../line/row.ts';
import { TextLines } from '../line/text-lines.ts';
import { lineBreakOf } from '../text/lines.ts';

/** A file that was renamed since it was accepted is two: one that went, and one that came. */
export interface ReviewedFile {
  /** As the trail records it, and as the workspace names it. */
  path: string;
  name: string;
  line: LineFile;
  accepted: RowsFile | null;
  present: RowsFile | null;
  /** The version of the present file, as it would be recorded; `null` where it is gone. */
  version: string | null;
  /** The rows of each place that is another; `null` where the file can only be taken as a whole. */
  places: Row[][] | null;
  /** The lines of both texts. */
  old: TextLines;
  now: TextLines;
}

/** The text of a file, '' where there is none; `null`: it is no text. */
export function textIn(file: RowsFile | null): string | null {
  return file === null ? '' : 'oid' in file ? null : file.text;
}

export function reviewedFile(
  about: Pick<ReviewedFile, 'path' | 'name' | 'line' | 'accepted' | 'present' | 'version'>,
): ReviewedFile {
  const { accepted, present, line } = about;
  const all = line.weave.rows();
  const shown = all.filter(row => row.log.length > 0 && isText(row));
  const old = new TextLines(shown, row => (accepted ? row.accepted : null));
  const now = new TextLines(shown, row => (present ? textOf(row) : null));
  const found = { ...about, old, now };
  if (isWhole(accepted, present)) return { ...found, places: null };
  if (!accepted) return { ...found, places: [all] };
  const spans = placesIn(shown).map(span => withLine(shown, span));
  return { ...found, places: spans.map(({ from, to }) => shown.slice(from, to)) };
}

/** A file that goes or is no text is reviewed as a whole; so is one of which the mode or the line ends alone changed. */
function isWhole(accepted: RowsFile | null, present: RowsFile | null): boolean {
  const [old, now] = [textIn(accepted), textIn(present)];
  if (old === null || now === null || !present || old === now) return true;
  return accepted !== null && old !== '' && now !== '' && lineBreakOf(old) !== lineBreakOf(now);
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
