/** A row of a weave: a line that the file had once, or what stands for its mode, its name and the like (file-rows.ts). */

import { isLine } from '../history/file-rows.ts';
import { align, type Token } from '../text/diff/alignment.ts';
import { accepts, type LineEvent } from './event.ts';

export interface Row {
  /** The flips that put it in, changed its text and took it out, oldest first. */
  readonly log: Flip[];
  /** Its text in HEAD; `null`: HEAD lacks it. It is set by `setHead`. */
  head: Token | null;
  /** The places of events at which HEAD got it and lost it, in turn. */
  readonly headMoves: number[];
  /** Its text in what a person accepted; `null`: that lacks it. */
  accepted: Token | null;
  /** The text that had been accepted of it before HEAD got it; that holds again where HEAD loses it and the file does not. */
  beforeHead: Token | null;
  next: Row | null;
  previous: Row | null;
}

/** One place where two texts differ: what went there, and what came. */
export interface Gap {
  /** The rows around the place, which stay; `null` at an end. */
  readonly left: Row | null;
  readonly right: Row | null;
  /** The rows of the text before, in order. */
  readonly gone: readonly Row[];
  /** The lines of the text after, in order. */
  readonly put: readonly Token[];
}

export interface Flip {
  readonly event: LineEvent;
  /** The text from then on; `null`: it is out. */
  readonly text: Token | null;
  /** The event whose taking it is, where it only repeats an earlier one: a switch away and back. */
  readonly as?: LineEvent;
  /** The row that a formatter joined it to: its text is there. */
  readonly into?: Row;
  /** The text that had been accepted before a person's hand changed it, for when it comes back. */
  readonly accepted?: Token | null;
}

/** A line (1-based) of a file of a commit. */
export interface LinePlace {
  commit: string;
  path: string;
  line: number;
}

/** A line as the first HEAD had it, from which place of the line on; -1: it is below all that was read. */
export interface FirstPlace extends LinePlace {
  at: number;
}

/** The text in the file; `null`: it is out. */
export function textOf({ log }: Row): Token | null {
  return log.length > 0 ? log[log.length - 1]!.text : null;
}

/** The text that it had after the event at a place of the line; `null`: it was out. */
export function textAfter({ log }: Row, at: number): Token | null {
  return log.findLast(({ event }) => event.at <= at)?.text ?? null;
}

/** Gives a row its text in HEAD, at an event; `null`: HEAD lost it. */
export function setHead(row: Row, text: Token | null, { at }: LineEvent): void {
  if ((row.head !== null) !== (text !== null)) row.headMoves.push(at);
  row.head = text;
}

/** True where HEAD had the row after the event at a place of the line. */
export function wasInHead({ headMoves }: Row, at: number): boolean {
  let isThere = false;
  for (const place of headMoves) if (place <= at) isThere = !isThere;
  return isThere;
}

export function isIn(row: Row): boolean {
  return textOf(row) !== null;
}

/** The event that put it in first. */
export function putBy({ log }: Row): LineEvent {
  return log[0]!.event;
}

/** The event whose doing a flip is. */
export const byOf = ({ event, as }: Flip): LineEvent => as ?? event;

/** True for a flip that is the doing of one of the events. */
export function isOf(flip: Flip, events: ReadonlySet<LineEvent>): boolean {
  return events.has(flip.event) || events.has(byOf(flip));
}

/** The text that it had last; a row has had one. */
export function lastText({ log }: Row): Token {
  return log.findLast(({ text }) => text !== null)!.text!;
}

/**
 * Takes a row out. Where it came back by HEAD or by hand, and goes again so, it is the old taking: a switch away and back, a
 * stash and pop. So it is where a way back brought it and HEAD has lost it: git restore after an undo. `isAgain`: whether it may
 * be that one.
 */
export function takeOut(row: Row, event: LineEvent, isAgain?: (taking: LineEvent) => boolean): void {
  const old = oldTaking(row, event);
  const as = old && (isAgain?.(old) ?? true) ? old : null;
  const isByHand = accepts(as ?? event);
  row.log.push({ event, text: null, ...(as && { as }), ...(isByHand && { accepted: row.accepted }) });
  if (isByHand) row.accepted = null;
}

function oldTaking(row: Row, event: LineEvent): LineEvent | null {
  const { log, head, headMoves } = row;
  if (event.kind !== 'head' && event.kind !== 'outside') return null;
  const at = log.findLastIndex(({ text }) => text === null);
  const taking = log[at];
  if (!taking || taking.into || byOf(taking).kind === 'head') return null;
  // A name that a way back gave again, and a person changed, is not the edit's.
  const wasHeads = head === null && headMoves.length > 0 && isLine(lastText(row));
  const mayBeUndone = wasHeads && byOf(taking).kind === 'edit';
  const isBack = ({ event: { kind } }: Flip): boolean =>
    kind === 'head' || kind === 'outside' || (kind !== 'edit' && mayBeUndone);
  return log.slice(at + 1).every(isBack) ? byOf(taking) : null;
}

/** Brings a row back, or changes its text. That accepts nothing; what had been accepted before it went still is. */
export function bringBack(row: Row, event: LineEvent, text: Token): Row {
  const went = row.log.at(-1);
  row.log.push({ event, text });
  if (went?.text === null && went.accepted != null && accepts(event)) row.accepted = went.accepted;
  return row;
}

/** True where the step that took a row out put other text in its place: new rows stand behind those that they replace. */
export function isTypedOver(row: Row, event: LineEvent): boolean {
  let at = row.next;
  while (at && putBy(at) !== event && !isIn(at)) at = at.next;
  return at !== null && putBy(at) === event;
}

/** The runs of rows between those that are fixed, in order. */
export function runsBetween(rows: readonly Row[], isFixed: (row: Row) => boolean): Row[][] {
  const runs: Row[][] = [];
  let run: Row[] = [];
  for (const row of rows) {
    if (!isFixed(row)) run.push(row);
    else if (run.length > 0) {
      runs.push(run);
      run = [];
    }
  }
  return run.length > 0 ? [...runs, run] : runs;
}

/** The rows that a text holds which is none of the history's. Of equal ones, those of the file and HEAD. */
export function heldRows(rows: readonly Row[], text: readonly Token[]): Set<Row> {
  const known = new Set(text);
  const among = rows.filter(row => known.has(lastText(row)));
  const { to } = align(among.map(lastText), text, at => isIn(among[at]!) || among[at]!.head !== null);
  return new Set(among.filter((_, at) => to[at]! >= 0));
}
