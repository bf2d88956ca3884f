/**
 * The one formula of ways back: the file without the events S is what is left of each row's flips without those of S. Of a
 * row whose own first flip is S's, whatever came after counts no more.
 */

import { isLine } from '../history/file-rows.ts';
import type { Token } from '../text/diff/alignment.ts';
import { isAuthored, type LineEvent } from './event.ts';
import {
  byOf,
  type Flip,
  isIn,
  isOf,
  isTypedOver,
  lastText,
  putBy,
  type Row,
  runsBetween,
  textOf,
} from './row.ts';
import type { Weave } from './weave.ts';

/** An undo that holds: what it takes back still, and when it did. */
export interface HeldUndo {
  /** `Infinity` for one that is only planned. */
  at: number;
  events: ReadonlySet<LineEvent>;
}

/**
 * The undos that hold after `events` (in order), oldest first. What a later undo or redo names, an earlier one no longer
 * speaks of. `without`: what is about to be named.
 */
export function heldUndos(
  events: readonly LineEvent[],
  without: ReadonlySet<LineEvent> = new Set(),
): HeldUndo[] {
  const named = new Set(without);
  const held: HeldUndo[] = [];
  for (const { at, undoes, redoes } of events.toReversed()) {
    const left = new Set([...(undoes ?? [])].filter(event => !named.has(event)));
    if (left.size > 0) held.push({ at, events: left });
    for (const event of [...(undoes ?? []), ...(redoes ?? [])]) named.add(event);
  }
  return held.reverse();
}

/** Undos by the events that they take back: each event is in one at most. */
type UndoOf = ReadonlyMap<LineEvent, HeldUndo>;

function byEvent(undos: readonly HeldUndo[]): UndoOf {
  return new Map(undos.flatMap(undo => [...undo.events].map(event => [event, undo] as const)));
}

/** Returns the flips of a row that are left where these undos hold. */
function flipsWith(row: Row, undoOf: UndoOf): readonly Flip[] {
  const undos = new Set(row.log.flatMap(({ event, as = event }) => [undoOf.get(event), undoOf.get(as)]));
  let log = withoutUndos(row);
  for (const undo of undos) {
    if (!undo) continue;
    const { at, events } = undo;
    const put = putBy(row);
    const isVoid = put.at < at && events.has(put);
    log = log.filter(flip => flip.event.at > at || !(isVoid || isOf(flip, events)));
  }
  return log;
}

/** The text of each row where these undos hold: what is in the file, as long as no other step comes; `null`: it is out. */
function heldTexts(rows: readonly Row[], undoOf: UndoOf): Map<Row, Token | null> {
  return new Map(rows.map(row => [row, flipsWith(row, undoOf).at(-1)?.text ?? null]));
}

/** Does what an undo or a redo does to a file. `held`: the undos that hold after it. No row changes that it does not name. */
export function flipNamed(weave: Weave, event: LineEvent, held: readonly HeldUndo[]): void {
  const about = new Set([...(event.undoes ?? []), ...(event.redoes ?? [])]);
  const rows = weave.rows().filter(row => row.log.some(flip => isOf(flip, about)));
  weave.flip(event, heldTexts(rows, byEvent(held)));
}

/** The flips that are not an undo's. What came back after an undo, and went again, has not been. */
function withoutUndos({ log }: Row): readonly Flip[] {
  const flips: Flip[] = [];
  const before = new Map<LineEvent, number>();
  for (const flip of log) {
    if (flip.event.kind === 'undo') before.set(flip.event, flips.length);
    else if (flip.as?.kind === 'undo') flips.length = before.get(flip.as) ?? flips.length;
    else flips.push(flip);
  }
  return flips;
}

export interface WayBack {
  /** The text of each row afterwards; `null`: it is out. */
  readonly texts: ReadonlyMap<Row, Token | null>;
  /** Later events that build on what is taken back: with any of them, the way back is refused. */
  readonly conflicts: readonly Conflict[];
}

/** A row that a later event holds: one that it took out, or that stands where others come back. */
export interface Conflict {
  readonly row: Row;
  readonly by: LineEvent;
  /** The event that cannot be taken back, or put back. */
  readonly of: LineEvent;
}

/** The events that a way back names. */
export interface Named {
  /** To be taken back. */
  undo: ReadonlySet<LineEvent>;
  /** To be put back. */
  redo: ReadonlySet<LineEvent>;
}

/**
 * Names events for a way back. To undo an undo is to put back what it took, and the other way round. The first word on an event
 * counts: of events in order, the oldest tells what was before them.
 */
export function named(events: Iterable<LineEvent>, direction: 'out' | 'again'): Named {
  const [out, again] = [new Set<LineEvent>(), new Set<LineEvent>()];
  const say = (event: LineEvent, side: Set<LineEvent>): void => {
    if (!out.has(event) && !again.has(event)) side.add(event);
  };
  for (const event of events) {
    if (event.kind !== 'undo') say(event, out);
    for (const one of event.undoes ?? []) say(one, again);
    for (const one of event.redoes ?? []) say(one, out);
  }
  return direction === 'out' ? { undo: out, redo: again } : { undo: again, redo: out };
}

/** Plans taking events back, and putting others back: what it does to a file beside the undos that `events` hold. */
export function planBack(weave: Weave, events: readonly LineEvent[], { undo, redo }: Named): WayBack {
  const about = new Set([...undo, ...redo]);
  const held = heldUndos(events, about);
  const rows = weave.rows();
  const after = heldTexts(rows, byEvent([...held, { at: Number.POSITIVE_INFINITY, events: undo }]));
  const undoneAt = newestUndo(events, redo);
  // What the edits took out is theirs to take again: whoever took it since stands in the way.
  const isAbout = (row: Row): boolean =>
    textOf(row) !== after.get(row) || row.log.some(flip => flip.text === null && redo.has(byOf(flip)));
  const changed = redo.size > 0 ? rows.filter(isAbout) : [];
  const conflicts = [
    ...takenBy(rows, byEvent(held), undo),
    ...changed.flatMap(row => builtSince(row, redo, undoneAt).map(by => ({ row, by, of: ofRow(row, redo) }))),
    ...standingIn(rows, after, about),
  ];
  return { texts: after, conflicts: whereChanged(rows, after, conflicts) };
}

/** The place of the newest undo that holds of any of the events. */
function newestUndo(events: readonly LineEvent[], redo: ReadonlySet<LineEvent>): number {
  const undos = redo.size === 0 ? [] : heldUndos(events);
  return Math.max(
    -1,
    ...undos.filter(one => [...one.events].some(event => redo.has(event))).map(({ at }) => at),
  );
}

/** Leaves out what is in places that are already as they shall be: of those nothing is left to do. */
function whereChanged(
  rows: readonly Row[],
  after: ReadonlyMap<Row, Token | null>,
  conflicts: readonly Conflict[],
): Conflict[] {
  const changes = (place: readonly Row[]): boolean => place.some(row => after.get(row) !== textOf(row));
  const changed = new Set(heldPlaces(rows, after, conflicts).filter(changes).flat());
  return conflicts.filter(({ row }) => changed.has(row));
}

/** The places of conflicts: each as far as rows around it go, come, or are those of who holds it. */
export function heldPlaces(
  rows: readonly Row[],
  after: ReadonlyMap<Row, Token | null>,
  conflicts: readonly Conflict[],
): Row[][] {
  const [held, holders] = [new Set(conflicts.map(({ row }) => row)), new Set(conflicts.map(({ by }) => by))];
  const isStill = (row: Row): boolean => isIn(row) && after.get(row) === textOf(row);
  const isFixed = (row: Row): boolean => isStill(row) && !held.has(row) && !holders.has(putBy(row));
  return runsBetween(rows, isFixed).filter(place => place.some(row => held.has(row)));
}

/** Finds who took out rows that the events put in, or brought back, and still holds them out. */
function takenBy(rows: readonly Row[], held: UndoOf, events: ReadonlySet<LineEvent>): Conflict[] {
  return rows.flatMap(row => {
    const brought = row.log.findIndex(({ event, text }) => text !== null && events.has(event));
    const since = brought < 0 ? [] : row.log.slice(brought + 1);
    const log = events.has(putBy(row)) ? flipsWith(row, held) : since;
    const takers = [...laterTaking(log, events), ...replacedByHead(row, log)];
    return takers.map(by => ({ row, by, of: ofRow(row, events) }));
  });
}

/** Finds whose taking the last flip by anybody but HEAD is, where it is another event's. */
function laterTaking(log: readonly Flip[], events: ReadonlySet<LineEvent>): LineEvent[] {
  const last = log.findLast(({ event }) => event.kind !== 'head');
  const isTaking = last && last.text === null && !last.into && last.event.kind !== 'undo';
  return isTaking && !isOf(last, events) ? [byOf(last)] : [];
}

/** The newest of the events that did anything to a row. */
function ofRow(row: Row, events: ReadonlySet<LineEvent>): LineEvent {
  const flip = row.log.findLast(one => isOf(one, events));
  if (!flip) return [...events][0]!;
  return events.has(flip.event) ? flip.event : byOf(flip);
}

/** Finds HEAD's step that took a row out and put other text there, as somebody's commit does: that text stays. */
function replacedByHead(row: Row, log: readonly Flip[]): LineEvent[] {
  const last = log.at(-1);
  const isHeads = last !== undefined && last.event.kind === 'head' && last.text === null;
  return isHeads && isTypedOver(row, last.event) ? [last.event] : [];
}

/** Finds who, since these events were undone, took a row out that they put in or left, or brought back one that they took. */
function builtSince({ log }: Row, events: ReadonlySet<LineEvent>, undoneAt: number): LineEvent[] {
  const since = log.filter(({ event }) => event.at > undoneAt);
  const broughtBack = since.findLast(({ event }) => isAuthored(event));
  const wasTaken = log.some(flip => flip.text === null && events.has(byOf(flip)));
  const isBack = broughtBack && broughtBack.text !== null && log[log.indexOf(broughtBack) - 1]?.text === null;
  return isBack && wasTaken ? [byOf(broughtBack)] : laterTaking(since, events);
}

/**
 * Finds whose text stands now where lines come back. One place: between rows that are there before and after, and were there
 * before the events; a row that is no line has its place by what it stands for.
 */
function standingIn(
  rows: readonly Row[],
  after: ReadonlyMap<Row, Token | null>,
  events: ReadonlySet<LineEvent>,
): Conflict[] {
  const oldest = Math.min(...[...events].map(({ at }) => at));
  const stays = (row: Row): boolean => isIn(row) && after.get(row) !== null;
  const isFixed = (row: Row): boolean => stays(row) && putBy(row).at <= oldest;
  const lines = rows.filter(row => kindOf(row) === null);
  return [...marksByKind(rows), ...runsBetween(lines, isFixed)].flatMap(place => {
    const comesBack = place.some(row => !isIn(row) && after.get(row) !== null);
    if (!comesBack || place.some(row => events.has(putBy(row)))) return [];
    const standing = place.filter(row => stays(row) && !isFixed(row) && isAuthored(putBy(row)));
    const about = place.find(row => row.log.some(flip => isOf(flip, events)));
    const of = ofRow(about ?? place[0]!, events);
    return standing.map(row => ({ row, by: putBy(row), of }));
  });
}

/** Returns what a row that is no line stands for; `null` for a line. */
function kindOf(row: Row): string | null {
  const text = lastText(row);
  return isLine(text) ? null : text.split(' ')[0]!;
}

function marksByKind(rows: readonly Row[]): Iterable<Row[]> {
  const kinds = new Map<string, Row[]>();
  for (const row of rows) {
    const kind = kindOf(row);
    if (kind !== null) kinds.set(kind, [...(kinds.get(kind) ?? []), row]);
  }
  return kinds.values();
}
