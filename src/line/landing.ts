/**
 * What of one file lands. The rows that one event flipped in one place belong together, and so do the places that share a
 * row: such a part lands as the file has it, or stays as HEAD has it. Where a recorded version had each row of it as HEAD or
 * the file has it, it may land as in that, so that a person's line stays out. So nothing lands that the file lacks, and no
 * text that nobody had. What HEAD has of it already binds nothing.
 */

import type { Token } from '../text/diff/alignment.ts';
import { isLine } from '../trail/history/file-rows.ts';
import type { LineEvent } from './event.ts';
import { LandedPlaces, type Place, placesIn } from './places.ts';
import { type Flip, isIn, lastText, type Row, runsBetween, textAfter, textOf } from './row.ts';
import type { Weave } from './weave.ts';

/** What is asked for. */
export interface LandingWish {
  takes(event: LineEvent): boolean;
  /** Also what no edit wrote. */
  outside: boolean;
  /** True for a row that stays out as the file has it, as rejected text that is there again. */
  leavesOut?(row: Row): boolean;
}

/** What is known besides of the rows' past. */
export interface LandingPast {
  /** True for an event that is somebody's work with the engine, or a tool's; the others are from outside. */
  isWork(event: LineEvent): boolean;
  /** True for a row that HEAD had once. */
  wasHeads(row: Row): boolean;
}

/** Whose doing a difference is; none: it is from outside. */
type Owners = readonly LineEvent[];

/** A part in which file and HEAD differ, and what of it lands. */
export interface ChosenPart {
  readonly rows: readonly Row[];
  /** The texts that its rows would have in HEAD; `null`: none. */
  readonly texts: ReadonlyMap<Row, Token | null>;
  /** Wanted events of which something stands in the file and does not land. */
  readonly missing: readonly LineEvent[];
  /** Events of the same rows that are not wanted, oldest first. */
  readonly needs: readonly LineEvent[];
  /** Rows from outside that do not land. */
  readonly outside: readonly Row[];
  /** True where all that is in the way of the missing ones was put there from outside after them. */
  readonly isRevised: boolean;
  /** Wanted events of which something stays out, because it is together with text that is left out. */
  readonly leftOut: readonly LineEvent[];
}

/** The texts of some rows. */
type Version = (row: Row) => Token | null;

const ofHead: Version = row => row.head;

export const differs = (row: Row): boolean => textOf(row) !== row.head;

export class LandingParts {
  readonly rows: readonly Row[];
  readonly #past: LandingPast;
  readonly #parts: ReadonlyArray<readonly Row[]>;
  readonly #landed: LandedPlaces;

  constructor(weave: Weave, past: LandingPast) {
    this.rows = weave.rows();
    this.#past = past;
    const isChanged = this.rows.some(differs);
    const places = isChanged ? placesIn(this.rows) : [];
    this.#landed = new LandedPlaces(places);
    const joined = isChanged ? [...places.filter(one => !this.#landed.has(one)), ...unseenIn(this.rows)] : [];
    this.#parts = joinedRows(joined, this.rows).filter(rows => rows.some(differs));
  }

  /** Chooses what of each part lands. */
  choose(wish: LandingWish): ChosenPart[] {
    return this.#parts.map(rows => this.#chosen(rows, wish));
  }

  /** The text that HEAD would have. */
  result(chosen: readonly ChosenPart[]): Token[] {
    const texts = new Map(chosen.flatMap(one => [...one.texts]));
    return this.rows.flatMap(row => (texts.has(row) ? texts.get(row)! : row.head) ?? []);
  }

  /** The work that gave a row its text, or took it out. */
  ownersOf(row: Row, text: Token | null): Owners {
    const since = row.head === null || text === null ? 0 : row.log.findLastIndex(flip => flip.text === row.head);
    const flips = since < 0 ? [] : row.log.slice(since);
    const own = flips.filter(flip => (flip.text === null) === (text === null) && flip.text !== row.head);
    return unique(own.flatMap(flip => this.doersOf(row, flip)));
  }

  /** The work that a flip is: none for what came from outside, and where a way back brought back what was a person's. */
  doersOf(row: Row, { event, as, text }: Flip): LineEvent[] {
    const doers = [event, ...(as ? [as] : [])].filter(one => this.#past.isWork(one));
    return doers.filter(one => !this.#isStillPersons(row, one, text));
  }

  /** True where a way back only did again what a person did last to the row, and HEAD was not so since. */
  #isStillPersons(row: Row, event: LineEvent, text: Token | null): boolean {
    if (!bringsBack(event) || (text !== null && this.#past.wasHeads(row))) return false;
    const did = row.log.filter(flip => flip.event.at < event.at && flip.event.at >= 0 && !bringsBack(flip.event));
    const last = did.findLast(flip => (flip.text === null) === (text === null))?.event;
    return last !== undefined && last.kind === 'outside' && !this.#past.isWork(last);
  }

  #chosen(rows: readonly Row[], wish: LandingWish): ChosenPart {
    const isLeftOut = rows.some(row => wish.leavesOut?.(row));
    const version = this.#newest(rows, wish, isLeftOut) ?? ofHead;
    const left = new Map(
      rows
        .filter(row => differs(row) && version(row) !== textOf(row))
        .map(row => [row, this.ownersOf(row, textOf(row))] as const),
    );
    const wanted = unique([...left.values()].flat()).filter(
      one => wish.takes(one) && this.#stands(one, rows, left),
    );
    const outside = [...left.keys()].filter(row => left.get(row)!.length === 0);
    const events = eventsOf(rows).filter(one => this.#past.isWork(one) && !wish.takes(one));
    return {
      rows,
      texts: new Map(rows.map(row => [row, version(row)])),
      missing: isLeftOut ? [] : wanted,
      needs: events.reverse(),
      outside: isLeftOut ? [] : outside,
      isRevised: events.length === 0 && isSince(outside, wanted),
      leftOut: isLeftOut ? wanted : [],
    };
  }

  /**
   * The newest version in which all that HEAD has otherwise is wanted. `isLeftOut`: of those without the text that is left
   * out, the newest alone.
   */
  #newest(rows: readonly Row[], wish: LandingWish, isLeftOut: boolean): Version | null {
    for (const version of this.#versions(rows)) {
      if (isLeftOut && rows.some(row => wish.leavesOut!(row) && version(row) === textOf(row))) continue;
      if (this.#fits(rows, version, wish)) return version;
      if (isLeftOut) return null;
    }
    return null;
  }

  /** The file, and then recorded versions that have nothing but HEAD's and the file's, newest first. */
  *#versions(rows: readonly Row[]): Generator<Version> {
    yield textOf;
    const since = this.#landed.since(rows);
    const places = [...eventsOf(rows).map(({ at }) => at), -1];
    for (const at of new Set(places)) {
      const version: Version = row => textAfter(row, at);
      if (!rows.every(row => version(row) === row.head || version(row) === textOf(row))) continue;
      if (at >= Math.max(0, since) || this.#isWithoutPersons(rows, version)) yield version;
    }
  }

  /** True where a version has HEAD's rows in place of what a way back brought back of a person's. */
  #isWithoutPersons(rows: readonly Row[], version: Version): boolean {
    const differing = rows.filter(row => version(row) !== textOf(row));
    const isBrought = (row: Row): boolean => {
      const last = row.log.findLast(({ event }) => event.id !== '');
      return last !== undefined && this.#isStillPersons(row, last.event, last.text);
    };
    return differing.every(row => version(row) === row.head) && differing.some(isBrought);
  }

  /** True for a version in which all that HEAD has otherwise is wanted. */
  #fits(rows: readonly Row[], version: Version, { takes, outside }: LandingWish): boolean {
    const changed = rows.filter(row => version(row) !== row.head);
    return (
      changed.length > 0 &&
      changed.every(row => {
        const owners = this.ownersOf(row, version(row));
        if (owners.length > 0 && !owners.some(takes)) return false;
        return owners.length > 0 || (outside && version === textOf) || this.#isModeOfNew(row);
      })
    );
  }

  /** True for the mode of a file that HEAD lacks: it lands with the file, whoever set it. */
  #isModeOfNew(row: Row): boolean {
    return lastText(row).startsWith('\0mode ') && !this.rows.some(({ head }) => head?.startsWith('\0name '));
  }

  /** True where a row that decides what is said of an event is in the file as it left it, and does not land. */
  #stands(event: LineEvent, rows: readonly Row[], left: ReadonlyMap<Row, Owners>): boolean {
    const done = rows.flatMap(row =>
      row.log
        .filter(flip => flip.event === event || flip.as === event)
        .map(({ text }) => ({ row: placeOf(row), isPut: text !== null })),
    );
    return deciding(done).some(({ row, isPut }) => isIn(row) === isPut && left.has(row));
  }
}

/** The row that a formatter joined a row to, or itself. */
export function placeOf(row: Row): Row {
  return row.log.at(-1)?.into ?? row;
}

function bringsBack({ kind, byAgent }: LineEvent): boolean {
  return kind === 'undo' || kind === 'back' || (kind === 'outside' && byAgent);
}

/** The recorded events of rows, newest first. */
function eventsOf(rows: readonly Row[]): LineEvent[] {
  const all = unique(rows.flatMap(({ log }) => log.map(({ event }) => event)));
  return all.filter(({ id, at }) => id !== '' && at >= 0).sort((a, b) => b.at - a.at);
}

function isSince(rows: readonly Row[], events: Owners): boolean {
  const newest = events.reduce((most, { at }) => Math.max(most, at), -1);
  return rows.every(({ log }) => log.at(-1)!.event.at > newest);
}

/**
 * Rows of another branch that no event brought into the file, with what stands in their place: whether one is to replace the
 * other nobody said.
 */
function unseenIn(rows: readonly Row[]): Array<Pick<Place, 'rows'>> {
  const isUnseen = (row: Row): boolean =>
    differs(row) && row.head !== null && row.log.every(({ event, as }) => event.kind === 'head' && !as);
  const runs = runsBetween(rows, row => isIn(row) && !differs(row));
  return runs.filter(run => run.some(isUnseen)).map(run => ({ rows: run.filter(differs) }));
}

/** Joins the rows that belong together, in order. */
function joinedRows(places: ReadonlyArray<Pick<Place, 'rows'>>, all: readonly Row[]): Row[][] {
  const above = new Map<Row, Row>();
  const top = (row: Row): Row => {
    let at = row;
    for (let next = above.get(at); next && next !== at; next = above.get(at)) at = next;
    above.set(row, at);
    return at;
  };
  for (const { rows } of places) for (const row of rows) above.set(top(row), top(rows[0]!));
  const groups = new Map<Row, Row[]>();
  for (const row of all) {
    if (!above.has(row) && !differs(row)) continue;
    const group = groups.get(top(row));
    if (group) group.push(row);
    else groups.set(top(row), [row]);
  }
  return [...groups.values()];
}

/**
 * Of what an event did, the rows that decide what is said of it: lines that it put in; else marks that it put in, such as a
 * mode; of a file that it deleted the name; else the lines that it took out.
 */
export function deciding<Done extends { row: Row; isPut: boolean }>(done: readonly Done[]): Done[] {
  const put = done.filter(({ isPut }) => isPut);
  const all = put.length > 0 ? put : done;
  const marks = all.filter(({ row }) => !isLine(lastText(row)));
  if (put.length === 0 && marks.some(({ row }) => lastText(row).startsWith('\0name '))) return marks;
  return marks.length < all.length ? all.filter(({ row }) => isLine(lastText(row))) : marks;
}

function unique<Value>(values: Iterable<Value>): Value[] {
  return [...new Set(values)];
}
