/** What became of the edits of one file, as far as a landing asks: what is open, what is in HEAD, and what a person took back. */

import { isTyped, type LineEvent } from '../line/event.ts';
import { deciding, type LandingParts, type LandingPast, placeOf } from '../line/landing.ts';
import { byOf, isIn, putBy, type Row } from '../line/row.ts';

/** One row that an edit put in or took out. */
export interface Fate {
  row: Row;
  isPut: boolean;
  now: 'open' | 'landed' | 'rejected' | 'by hand' | 'gone';
}

export interface FatePast extends LandingPast {
  isRejection(event: LineEvent): boolean;
  isWayBack(event: LineEvent): boolean;
}

/** By event, what it did that counts: what HEAD had already counts nothing. Each event of the file is there. */
export function fatesIn(parts: LandingParts, past: FatePast): Map<LineEvent, Fate[]> {
  const found = new Map<LineEvent, Map<string, Map<Row, Fate>>>();
  const fates = new Map<LineEvent, Fate[]>();
  for (const row of parts.rows)
    for (const flip of row.log) {
      const { event, text } = flip;
      if (event.kind === 'head') continue;
      const own = fates.get(event) ?? [];
      fates.set(event, own);
      for (const doer of parts.doersOf(row, flip)) note(doer, row, text !== null);
    }
  return fates;

  function note(event: LineEvent, row: Row, isPut: boolean): void {
    const known = found.get(event) ?? new Map<string, Map<Row, Fate>>();
    found.set(event, known);
    const side = known.get(String(isPut)) ?? new Map<Row, Fate>();
    known.set(String(isPut), side);
    if (side.has(row)) return;
    const fate = fateOf(row, isPut, event, past);
    if (!fate) return;
    side.set(row, fate);
    const all = fates.get(event);
    if (all) all.push(fate);
    else fates.set(event, [fate]);
  }
}

function fateOf(own: Row, isPut: boolean, event: LineEvent, past: FatePast): Fate | null {
  const row = isPut ? placeOf(own) : own;
  const isNow = (text: string | null): boolean => (text !== null) === isPut;
  const inHead = isNow(row.head);
  const isBack = isPut ? putBy(own).kind === 'head' : !past.wasHeads(row);
  if (inHead && isBack) return null;
  if (isIn(row) === isPut) return { row, isPut, now: inHead ? 'landed' : 'open' };
  if (inHead) return { row, isPut, now: 'landed' };
  const by = byOf(row.log.findLast(({ text }) => !isNow(text))!);
  if (past.isRejection(by)) return { row, isPut, now: 'rejected' };
  const isByHand = by !== event && (isTyped(by) || by.kind === 'head');
  return { row, isPut, now: isByHand ? 'by hand' : 'gone' };
}

/** Sums up what became of one edit in a file. */
export interface EditFate {
  isOpen: boolean;
  hasLanded: boolean;
  /** True where nothing of it is open, since a person took it back; `isReduced`: of a part of it. */
  isTaken: boolean;
  isReduced: boolean;
}

export function summaryOf(fates: readonly Fate[]): EditFate {
  const left = deciding(fates);
  const has = (...words: ReadonlyArray<Fate['now']>): boolean => left.some(({ now }) => words.includes(now));
  const isOpen = has('open');
  const isTaken = has('rejected') || (!isOpen && has('by hand'));
  return {
    isOpen: isOpen && !isTaken,
    hasLanded: left.length > 0 && left.every(({ now }) => now === 'landed'),
    isTaken,
    isReduced: !isTaken && has('by hand'),
  };
}

/**
 * True where something that the event did is open. What a way back did and an edit did too, before or after it, counts as the
 * edit's, for to put an edit back adds nothing that is open; what several ways back did counts as the last one's.
 */
export function hasOpen(event: LineEvent, fates: readonly Fate[], { isWork, isWayBack }: FatePast): boolean {
  const isOwn = ({ row, isPut }: Fate): boolean => {
    const doers = row.log.filter(({ text }) => (text !== null) === isPut).map(one => one.event).filter(isWork);
    return doers.every(isWayBack) && doers.at(-1)?.id === event.id;
  };
  return deciding(fates).some(fate => fate.now === 'open' && (!isWayBack(event) || isOwn(fate)));
}
