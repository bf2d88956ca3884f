/**
 * The one formula of ways back: the file without the events S is what is left of each row's flips without those of S. Of a
 * row whose own first flip is S's, whatever came after counts no more.
 */

import type { Token } from '../text/diff/alignment.ts';
import { isAuthored, type LineEvent } from './event.ts';
import { byOf, type Flip, isIn, putBy, type Row, textOf } from './row.ts';
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
    if (left.size > 0) held.unshift({ at, events: left });
    for (const event of [...(undoes ?? []), ...(redoes ?? [])]) named.add(event);
  }
  return held;
}

/** The text of a row where these undos hold; `null`: it is out. */
function textWith(row: Row, undos: readonly HeldUndo[]): Token | null {
  const log = flipsWith(row, undos);
  return log.length > 0 ? log[log.length - 1]!.text : null;
}

/** Returns the flips of a row that are left where these undos hold. */
function flipsWith(row: Row, undos: readonly HeldUndo[]): readonly Flip[] {
  let log = withoutUndos(row);
  for (const { at, events } of undos) {
    const put = putBy(row);
    const isVoid = put.at < at && events.has(put);
    log = log.filter(
      flip => flip.event.at > at || !(isVoid || events.has(flip.event) || events.has(byOf(flip))),
    );
  }
  return log;
}

/** The text of each row of a file where these undos hold: what is in the file, as long as no other step comes. */
export function heldTexts(weave: Weave, undos: readonly HeldUndo[]): Map<Row, Token | null> {
  return new Map(weave.rows().map(row => [row, textWith(row, undos)]));
}

/** The flips that are not an undo's. What came back after an undo, and went again, has not been. */
function withoutUndos({ log }: Row): readonly Flip[] {
  const flips: Flip[] = [];
  for (const flip of log) {
    if (flip.event.kind === 'undo') continue;
    if (flip.as?.kind === 'undo') flips.pop();
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
}

/** Plans taking back `events`: what it does to a file, beside the undos that hold already (`heldUndos` without these events). */
export function planUndo(weave: Weave, held: readonly HeldUndo[], events: ReadonlySet<LineEvent>): WayBack {
  const undos = [...held, { at: Number.POSITIVE_INFINITY, events }];
  const rows = weave.rows();
  const after = heldTexts(weave, undos);
  const conflicts = [...takenBy(rows, held, events), ...standingIn(rows, after, events)];
  return { texts: after, conflicts };
}

/** Plans putting events back: what it does to a file. `held`: the undos that hold without these events. */
export function planRedo(weave: Weave, held: readonly HeldUndo[], events: ReadonlySet<LineEvent>): WayBack {
  const rows = weave.rows();
  const after = heldTexts(weave, held);
  const changed = rows.filter(row => textOf(row) !== after.get(row));
  const conflicts = [
    ...changed.flatMap(row => builtSince(row, events).map(by => ({ row, by }))),
    ...standingIn(rows, after, events),
  ];
  return { texts: after, conflicts };
}

/** Finds who took out rows that the events put in, or brought back, and still holds them out. */
function takenBy(
  rows: readonly Row[],
  held: readonly HeldUndo[],
  events: ReadonlySet<LineEvent>,
): Conflict[] {
  return rows.flatMap(row => {
    const brought = row.log.findIndex(({ event, text }) => text !== null && events.has(event));
    const since = brought < 0 ? [] : row.log.slice(brought + 1);
    const log = events.has(putBy(row)) ? flipsWith(row, held) : since;
    return laterTaking(log, events).map(by => ({ row, by }));
  });
}

/** The last flip by anybody but HEAD, where it is a taking of another event that is no way back. */
function laterTaking(log: readonly Flip[], events: ReadonlySet<LineEvent>): LineEvent[] {
  const last = log.findLast(({ event }) => event.kind !== 'head');
  const isTaking = last && last.text === null && !last.into && last.event.kind !== 'undo';
  if (!isTaking || last.event.kind === 'back') return [];
  return events.has(last.event) || events.has(byOf(last)) ? [] : [byOf(last)];
}

/** Finds who took out, since, a row that an undo of these events brought back. */
function builtSince(row: Row, events: ReadonlySet<LineEvent>): LineEvent[] {
  const undone = row.log.findLastIndex(
    ({ event }) => event.kind === 'undo' && [...(event.undoes ?? [])].some(one => events.has(one)),
  );
  return row.log
    .slice(undone + 1)
    .filter(({ event }) => isAuthored(event) && !events.has(event))
    .map(byOf);
}

/**
 * Finds whose text stands now where lines come back. One place: between rows that are there before and after, and were there
 * before the events.
 */
function standingIn(
  rows: readonly Row[],
  after: ReadonlyMap<Row, Token | null>,
  events: ReadonlySet<LineEvent>,
): Conflict[] {
  const oldest = Math.min(...[...events].map(({ at }) => at));
  const stays = (row: Row): boolean => isIn(row) && after.get(row) !== null;
  const isFixed = (row: Row): boolean => stays(row) && putBy(row).at <= oldest;
  const found: Conflict[] = [];
  for (let at = 0; at < rows.length; at++) {
    if (isFixed(rows[at]!)) continue;
    let end = at;
    while (end < rows.length && !isFixed(rows[end]!)) end++;
    const place = rows.slice(at, end);
    const comesBack = place.some(row => !isIn(row) && after.get(row) !== null);
    const isReplaced = place.some(row => events.has(putBy(row)));
    const standing = place.filter(row => stays(row) && isAuthored(putBy(row)));
    if (comesBack && !isReplaced) found.push(...standing.map(row => ({ row, by: putBy(row) })));
    at = end;
  }
  return found;
}
