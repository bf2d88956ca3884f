/**
 * The places in which the accepted text of a file and the present one differ: the parts that stand together, with nothing
 * between that both have. A person's own lines are accepted; those amid an agent's, and those that were typed over an
 * agent's, are shown with them.
 */

import { isAuthored, isPersons, type LineEvent } from '../../line/event.ts';
import { byOf, isIn, putBy, type Row, textOf } from '../../line/row.ts';

/** Places of one list of rows; the end is exclusive. */
export interface RowSpan {
  from: number;
  to: number;
}

export const differs = (row: Row): boolean => row.accepted !== textOf(row);

/** Finds the places in the rows of a text, in order. */
export function placesIn(rows: readonly Row[]): RowSpan[] {
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

/** True where only what a person typed stands between two places of one edit. */
function isAmid(rows: readonly Row[], { from, to }: RowSpan, next: RowSpan): boolean {
  if (!rows.slice(to, next.from).every(row => !isIn(row) || isTyped(row))) return false;
  const events = new Set(rows.slice(from, to).flatMap(agentsOf));
  return rows.slice(next.from, next.to).some(row => agentsOf(row).some(event => events.has(event)));
}

function agentsOf({ log }: Row): LineEvent[] {
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
