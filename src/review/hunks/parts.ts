/**
 * The parts of the difference between the accepted text of a file and the present one: rows of one place that belong
 * together, because one event knows them. A person's own lines are accepted; those amid an agent's, and those that were typed
 * over an agent's, are shown with them.
 */

import { isAuthored, isPersons, type LineEvent } from '../../line/event.ts';
import { byOf, isIn, putBy, type Row, textOf } from '../../line/row.ts';
import { isLine } from '../../trail/history/file-rows.ts';

/** Places of one list of rows; the end is exclusive. */
export interface RowSpan {
  from: number;
  to: number;
}

interface Part extends RowSpan {
  events: ReadonlySet<LineEvent>;
}

export const differs = (row: Row): boolean => row.accepted !== textOf(row);

/** Finds the parts of the rows of a text, in order. */
export function partsIn(rows: readonly Row[]): RowSpan[] {
  const parts: Part[] = [];
  for (const run of runsIn(rows)) {
    for (const part of joined(rows, run)) {
      const last = parts.at(-1);
      if (last && isOnePlace(rows, last, part)) last.to = part.to;
      else if (last && isAmid(rows, last, part)) parts.splice(-1, 1, union(last, part));
      else parts.push(part);
    }
  }
  return parts.map(part => ({ from: part.from, to: typedOver(rows, part) }));
}

/** The runs between rows that both texts have. */
function runsIn(rows: readonly Row[]): RowSpan[] {
  const runs: RowSpan[] = [];
  let from = 0;
  for (let to = 0; to <= rows.length; to++) {
    const row = rows[to];
    if (row && (differs(row) || !isIn(row))) continue;
    if (to > from) runs.push({ from, to });
    from = to + 1;
  }
  return runs;
}

/** Cuts a run where no event knows rows on both sides. What differs nowhere is left out. */
function joined(rows: readonly Row[], { from, to }: RowSpan): Part[] {
  const ends = new Map<LineEvent, number>();
  for (let at = from; at < to; at++) for (const event of eventsOf(rows[at]!)) ends.set(event, at + 1);
  const parts: Part[] = [];
  for (let start = from, end = from; start < to; start = end) {
    const events = new Set<LineEvent>();
    end = start + 1;
    for (let at = start; at < end; at++) {
      for (const event of eventsOf(rows[at]!)) {
        events.add(event);
        end = Math.max(end, ends.get(event)!);
      }
    }
    const own = rows.slice(start, end);
    if (own.some(differs)) parts.push({ from: start, to: end, events });
  }
  return parts;
}

/** The events that know a row: those of agents, and of people the one that left it as it is. */
function eventsOf({ log }: Row): LineEvent[] {
  return log
    .filter((flip, at) => flip.event.kind !== 'undo' && (at === log.length - 1 || !isPersons(byOf(flip))))
    .map(byOf)
    .filter(isAuthored);
}

/** True for lines that went and nothing came between: one gap of the file is one place. */
function isOnePlace(rows: readonly Row[], { from }: RowSpan, next: RowSpan): boolean {
  const isGone = (span: RowSpan): boolean => !rows.slice(span.from, span.to).some(isShown);
  return isGone({ from, to: next.from }) && isGone(next);
}

const isShown = (row: Row): boolean => isIn(row) && isLine(textOf(row)!);

/** True where only what a person typed stands between two places of one edit. */
function isAmid(rows: readonly Row[], { to, events }: Part, next: Part): boolean {
  const isOne = [...events].some(event => !isPersons(event) && next.events.has(event));
  return isOne && rows.slice(to, next.from).every(row => !isIn(row) || isTyped(row));
}

function union(one: Part, other: Part): Part {
  return { from: one.from, to: other.to, events: new Set([...one.events, ...other.events]) };
}

export function isTyped(row: Row): boolean {
  const put = putBy(row);
  return isIn(row) && !differs(row) && put.at >= 0 && isAuthored(put) && isPersons(put);
}

/** The end of a part with the lines that a person typed over some of it. */
function typedOver(rows: readonly Row[], { from, to }: RowSpan): number {
  const takers = new Set(
    rows.slice(from, to).flatMap(({ log }) => log.filter(({ text }) => text === null).map(byOf)),
  );
  let end = to;
  while (end < rows.length && isTyped(rows[end]!) && takers.has(putBy(rows[end]!))) end++;
  return end;
}
