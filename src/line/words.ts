/** Words for what became of an edit, read from its rows: which of them the file and HEAD have, and who took the others out. */

import { hasWord } from '../text/format.ts';
import { equalRows } from './equal-rows.ts';
import type { LineEvent } from './event.ts';
import { byOf, type Flip, isIn, lastText, putBy, type Row, textAfter, textOf, wasInHead } from './row.ts';
import { stoodAtOnce } from './twins.ts';

/**
 * - `open`: in the file, not in HEAD. `landed`: in both. `changed`: in HEAD, no longer in the file.
 * - `superseded`, `taken back`, `rejected`: out of both, by another edit, by a way back, by a rejection.
 * - `rewritten`, `taken out by hand`: typed over, or deleted. `away`: it went with HEAD.
 * - `nothing left`: HEAD had it so already; or a way back only brought back, or took out, what HEAD never had.
 */
export type Word = Exclude<StatusWord, 'unknown'>;

/** Besides, of an edit: nobody can tell. */
export type StatusWord =
  | 'open'
  | 'landed'
  | 'changed'
  | 'superseded'
  | 'taken back'
  | 'rejected'
  | 'rewritten'
  | 'taken out by hand'
  | 'away'
  | 'nothing left'
  | 'unknown';

/** One row of an edit, and what became of it. */
export interface Fate {
  readonly row: Row;
  /** False for a row that the edit took out. */
  readonly isPut: boolean;
  /** The row that has its text now, as a formatter or a hand left it, or itself. */
  readonly place: Row;
  readonly word: Word;
  /** The event that undid what the edit did to the row; `null` while it holds. */
  readonly by: LineEvent | null;
}

/** Tells whether HEAD has a row, had it at a place of the line, and ever had it. */
interface HeadRows {
  has(row: Row): boolean;
  had(row: Row, at: number): boolean;
  everHad(row: Row): boolean;
}

const HEAD: HeadRows = {
  has: ({ head }) => head !== null,
  had: wasInHead,
  everHad: ({ headMoves }) => headMoves.length > 0,
};

const isFirst = (row: Row): boolean => wasInHead(row, -1);

/** Where the history is the branch, HEAD is what was there before all events. */
export const BEFORE_ALL: HeadRows = { has: isFirst, had: isFirst, everHad: isFirst };

/**
 * The fates of all that events did to a file, by event; HEAD's have none. What an event both put in and took out says nothing,
 * nor what a redo does again.
 */
export function fatesIn(rows: readonly Row[], heads: HeadRows = HEAD): Map<LineEvent, Fate[]> {
  const { headsOf } = equalRows(rows);
  const head = heads === HEAD && headsOf.size > 0 ? withEqual(headsOf) : heads;
  const inFile = new Map([...headsOf].map(([own, of]) => [of, own]));
  const fates = new Map<LineEvent, Fate[]>();
  for (const row of rows) {
    const own = row.log.findLast(({ into }) => into)?.into ?? movedTo(row) ?? row;
    for (const { event, isPut } of doneTo(row)) {
      const place = isPut ? own : row;
      const fate = fateOf(row, { event, isPut, place, equal: inFile.get(place) }, head);
      const known = fates.get(event);
      if (known) known.push(fate);
      else fates.set(event, [fate]);
    }
  }
  return fates;
}

/** The row that a person made of one by moving it among lines that came with it: two lines that were swapped. */
function movedTo(row: Row): Row | null {
  const { event, text } = row.log.at(-1)!;
  if (text !== null || !isByHand(event) || !hasWord(lastText(row))) return null;
  for (const side of ['next', 'previous'] as const)
    for (let at = row[side]; at; at = at[side]) {
      const isMoved = isByHand(putBy(at));
      if (isIn(at) && isMoved && textOf(at) === lastText(row) && !stoodAtOnce(row, at)) return at;
      if (isIn(at) && !isMoved && putBy(at) !== putBy(row)) break;
    }
  return null;
}

function isByHand({ kind, byAgent, at }: LineEvent): boolean {
  return at >= 0 && (kind === 'head' || (kind === 'outside' && !byAgent));
}

interface Done {
  event: LineEvent;
  isPut: boolean;
}

/**
 * Lists what authors did to a row: who put it in, and who took it out. What a way back did is its own where nobody did the same
 * after it.
 */
function doneTo(row: Row): Done[] {
  const put = putBy(row);
  const done: Done[] = put.kind === 'head' ? [] : [{ event: put, isPut: true }];
  if (row.log.length === 1) return done;
  const takers = new Set<LineEvent>();
  let [lastOut, lastIn]: Array<LineEvent | null> = [null, null];
  for (const [at, { event, text, as = event, into }] of row.log.entries()) {
    if (at === 0 || into || as.kind === 'head') continue;
    if (text === null) {
      lastOut = as;
      if (!isWayBack(as)) takers.add(as);
    } else if (row.log[at - 1]!.text === null) lastIn = as;
  }
  if (lastOut && isWayBack(lastOut)) takers.add(lastOut);
  for (const event of takers) if (event !== put) done.push({ event, isPut: false });
  if (lastIn && lastIn !== put && isWayBack(lastIn)) done.push({ event: lastIn, isPut: true });
  return done;
}

function isWayBack({ kind }: LineEvent): boolean {
  return kind === 'undo' || kind === 'back';
}

/** HEAD's rows, with those of the file that stand for equal ones of HEAD's in the same place. */
function withEqual(headsOf: ReadonlyMap<Row, Row>): HeadRows {
  const either = (row: Row, is: (one: Row) => boolean): boolean => {
    const equal = headsOf.get(row);
    return is(row) || (equal !== undefined && is(equal));
  };
  return {
    has: row => either(row, HEAD.has),
    had: (row, at) => either(row, one => HEAD.had(one, at)),
    everHad: row => either(row, HEAD.everHad),
  };
}

interface DoneAt extends Done {
  /** The row that has its text now. */
  place: Row;
  /** The row of the file that stands for this one of HEAD's. */
  equal: Row | undefined;
}

function fateOf(row: Row, { event, isPut, place, equal }: DoneAt, head: HeadRows): Fate {
  const isHeads = head.has(place) === isPut;
  const wasHeads = isHeads && head.had(place, event.at) === isPut;
  const isOthers = isWayBack(event) && putBy(row) !== event && !head.everHad(place);
  if (wasHeads || isOthers) return { row, isPut, place, word: 'nothing left', by: null };
  if ((isIn(place) || equal !== undefined) === isPut)
    return { row, isPut, place, word: isHeads ? 'landed' : 'open', by: null };
  const flip = place.log.findLast(({ text }) => (text !== null) !== isPut)!;
  // What only repeats something older was done since.
  const doer = byOf(flip).at <= event.at ? flip.event : byOf(flip);
  const by = equal ? putBy(equal) : doer;
  const wentWithHead = by.kind === 'head' && hadLater(place, isPut, event.at);
  const word = wentWithHead ? 'away' : wordFor(flip, by, place, isPut);
  return { row, isPut, place, word: isHeads ? 'changed' : word, by };
}

/** True where HEAD was as an event had made the row, some time after the event at that place of the line. */
function hadLater(row: Row, isPut: boolean, at: number): boolean {
  return row.headMoves.some(place => place > at && wasInHead(row, place) === isPut);
}

function wordFor({ event }: Flip, by: LineEvent, row: Row, isPut: boolean): Word {
  if (by.isRejection) return 'rejected';
  if (isWayBack(by)) return 'taken back';
  if (by.kind === 'edit' || by.byAgent) return 'superseded';
  return isPut && isReplaced(row, event) ? 'rewritten' : 'taken out by hand';
}

/** True where the event that took a row out put new text into its place, between the nearest rows that stayed. */
function isReplaced(row: Row, event: LineEvent): boolean {
  const stayed = (one: Row): boolean =>
    textAfter(one, event.at - 1) !== null && textAfter(one, event.at) !== null;
  const isNew = (from: Row | null, by: 'next' | 'previous'): boolean => {
    let at = from;
    while (at && !stayed(at) && putBy(at) !== event) at = at[by];
    return at !== null && putBy(at) === event;
  };
  return isNew(row.next, 'next') || isNew(row.previous, 'previous');
}
