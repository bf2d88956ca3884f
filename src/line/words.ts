/** Words for what became of an edit, read from its rows: which of them the file and HEAD have, and who took the others out. */

import type { LineEvent } from './event.ts';
import { byOf, type Flip, isIn, isTypedOver, putBy, type Row } from './row.ts';

/**
 * - `open`: in the file, not in HEAD. `landed`: in both. `changed`: in HEAD, no longer in the file.
 * - `superseded`, `taken back`, `rejected`: out of both, by another edit, by a way back, by a rejection.
 * - `rewritten`, `taken out by hand`: typed over, or deleted. `away`: it went with HEAD.
 */
export type Word =
  | 'open'
  | 'landed'
  | 'changed'
  | 'superseded'
  | 'taken back'
  | 'rejected'
  | 'rewritten'
  | 'taken out by hand'
  | 'away';

/** One row of an edit, and what became of it. */
export interface Fate {
  readonly row: Row;
  /** False for a row that the edit took out. */
  readonly isPut: boolean;
  readonly word: Word;
  /** The event that undid what the edit did to the row; `null` while it holds. */
  readonly by: LineEvent | null;
}

/** The fates of all that events did to a file, by event. What an event both put in and took out says nothing. */
export function fatesIn(
  rows: readonly Row[],
  isRejection: (event: LineEvent) => boolean,
): Map<LineEvent, Fate[]> {
  const fates = new Map<LineEvent, Fate[]>();
  const note = (event: LineEvent, fate: Fate): void => {
    const known = fates.get(event);
    if (known) known.push(fate);
    else fates.set(event, [fate]);
  };
  for (const row of rows) {
    const put = putBy(row);
    const own = row.log.findLast(({ into }) => into)?.into ?? row;
    note(put, fateOf(row, own, true, put));
    for (const taker of takersOf(row)) if (taker !== put) note(taker, fateOf(row, row, false, taker));
  }
  return fates;

  function fateOf(row: Row, place: Row, isPut: boolean, event: LineEvent): Fate {
    const [inFile, inHead] = [isIn(place) === isPut, (place.head !== null) === isPut];
    if (inFile) return { row, isPut, word: inHead ? 'landed' : 'open', by: null };
    const flip = place.log.findLast(({ text }) => (text !== null) !== isPut)!;
    const by = byOf(flip) === event ? flip.event : byOf(flip);
    return { row, isPut, word: inHead ? 'changed' : wordFor(flip, by, place), by };
  }

  function wordFor({ event }: Flip, by: LineEvent, row: Row): Word {
    if (isRejection(by)) return 'rejected';
    if (by.kind === 'undo' || by.kind === 'back') return 'taken back';
    if (by.kind === 'head') return 'away';
    if (by.kind === 'edit' || by.byAgent) return 'superseded';
    return isTypedOver(row, event) ? 'rewritten' : 'taken out by hand';
  }
}

/** The events whose takings of a row count. */
function takersOf(row: Row): Set<LineEvent> {
  return new Set(row.log.filter(({ text, into }) => text === null && !into).map(byOf));
}
