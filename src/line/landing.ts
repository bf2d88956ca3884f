/**
 * Chooses what of one file lands. The rows that one event flipped in one place belong together, and so do the places that share a
 * row: such a part lands as the file has it, or stays as HEAD has it. Where a recorded version had each row of it as HEAD or
 * the file has it, it may land as in that, so that a person's line stays out. So nothing lands that the file lacks, and no
 * text that nobody had. What HEAD has of it already binds nothing.
 */

import { isLine, isName } from '../history/file-rows.ts';
import type { Token } from '../text/diff/alignment.ts';
import { type EqualRows, equalRows } from './equal-rows.ts';
import type { LineEvent } from './event.ts';
import { LandedPlaces, type Place, placesIn } from './places.ts';
import { type Flip, isIn, lastText, type Row, runsBetween, textAfter, textOf } from './row.ts';
import { deciding } from './standing.ts';
import { twinsIn } from './twins.ts';
import type { Weave } from './weave.ts';

/** Says what is asked for. */
export interface LandingWish {
  takes(event: LineEvent): boolean;
  /** Also what no edit wrote. */
  outside: boolean;
  /** True for a row that stays out as the file has it, as rejected text that is there again. */
  leavesOut?(row: Row): boolean;
}

/** Tells what the events themselves do not. */
export interface LandingPast {
  /** True for an event that is somebody's work with the engine, or a tool's; the others are from outside. */
  isWork(event: LineEvent): boolean;
}

/** The events that made a difference; none: it is from outside. */
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

export class LandingParts {
  readonly rows: readonly Row[];
  readonly #equal: EqualRows;
  readonly #ofOthers: ReadonlySet<Row>;
  readonly #past: LandingPast;
  readonly #parts: ReadonlyArray<readonly Row[]>;
  readonly #landed: LandedPlaces;
  /** By row, others that were the same line before it or after it. */
  readonly #twins: ReadonlyMap<Row, readonly Row[]>;

  constructor(weave: Weave, past: LandingPast) {
    this.rows = weave.rows();
    this.#past = past;
    this.#equal = equalRows(this.rows);
    this.#ofOthers = new Set(this.#equal.headsOf.values());
    const differs = (row: Row): boolean => this.differs(row);
    const isChanged = this.rows.some(differs);
    const places = isChanged ? placesIn(this.rows) : [];
    this.#landed = new LandedPlaces(places, this.headOf);
    this.#twins = isChanged ? twinsIn(this.rows) : new Map();
    const pairs = [...this.#equal.headsOf, ...[...this.#twins].map(([row, twins]) => [row, ...twins])].map(
      rows => ({ rows }),
    );
    const bound = [
      ...places.filter(one => !this.#landed.has(one)),
      ...unseenIn(this.rows, differs),
      ...(isChanged ? this.#wrapped() : []),
      ...pairs,
    ];
    this.#parts = (isChanged ? joinedRows(bound, this.rows, differs) : []).filter(rows => rows.some(differs));
  }

  /** Lines that a person indented otherwise, with what the person put in or took out beside them: an `if` around an agent's lines. */
  #wrapped(): Array<Pick<Place, 'rows'>> {
    const isPersons = (row: Row): boolean =>
      this.differs(row) && !this.#isIndented(row) && this.ownersOf(row, textOf(row)).length === 0;
    // What work took out of HEAD's parts nothing, nor do empty lines.
    const isBeside = (row: Row): boolean => isIn(row) || (row.head !== null && isPersons(row));
    const lines = this.rows.filter(
      row => isLine(lastText(row)) && lastText(row).trim() !== '' && isBeside(row),
    );
    return runsBetween(lines, row => !this.#isIndented(row) && !isPersons(row))
      .filter(run => run.some(row => this.#isIndented(row)) && run.some(isPersons))
      .map(rows => ({ rows }));
  }

  /** True for a line that a person moved to the right or to the left since it was written, or since HEAD got it. */
  #isIndented({ log, head }: Row): boolean {
    const now = log.at(-1)?.text ?? null;
    const was = head ?? log.findLast(({ event }) => this.#past.isWork(event))?.text ?? null;
    if (now === null || was === null || now === was) return false;
    return (
      was.trim() !== '' && now.trimStart() === was.trimStart() && (now.endsWith(was) || was.endsWith(now))
    );
  }

  /** The text of a row in HEAD, which may have another row with that text there. */
  readonly headOf: Version = row =>
    this.#ofOthers.has(row) ? null : (this.#equal.headsOf.get(row) ?? row).head;

  /** True for a row that the file has otherwise than HEAD. */
  differs(row: Row): boolean {
    return textOf(row) !== this.headOf(row);
  }

  /** The row of the file that is the same line as one which went, put in again. */
  againOf(row: Row): Row | undefined {
    return isIn(row) ? undefined : this.#twins.get(row)?.find(isIn);
  }

  /** Chooses what of each part lands. */
  choose(wish: LandingWish): ChosenPart[] {
    return this.#parts.map(rows => this.#chosen(rows, wish));
  }

  /** The text that HEAD would have. */
  result(chosen: readonly ChosenPart[]): Token[] {
    const texts = new Map(chosen.flatMap(one => [...one.texts]));
    return this.#equal.order.flatMap(row => (texts.has(row) ? texts.get(row)! : this.headOf(row)) ?? []);
  }

  /** The work that gave a row its text, or took it out; of a line that was there before in that place, also who wrote it then. */
  ownersOf(row: Row, text: Token | null): Owners {
    const twins = this.#twins.get(row) ?? [];
    if (text === null)
      return unique([row, ...twins].flatMap(one => this.#doersOf(one, one.log.filter(isTaking), false)));
    const head = this.headOf(row);
    const since = head === null ? 0 : row.log.findLastIndex(flip => flip.text === head);
    const flips = since < 0 ? [] : row.log.slice(since);
    const own = flips.filter(flip => isPutting(row, flip) && (head === null || flip.text !== head));
    const before = (head === null ? twins : []).flatMap(one =>
      this.#doersOf(
        one,
        one.log.filter(flip => isPutting(one, flip)),
        true,
      ),
    );
    return unique([...this.#doersOf(row, own, true), ...before]);
  }

  /** The work among flips: none for what came from outside, and where a way back brought back what was a person's. */
  #doersOf(row: Row, flips: readonly Flip[], isPut: boolean): LineEvent[] {
    const twins = this.#twins.get(row) ?? [];
    // What put a row in the place of its twin did nothing to the text.
    const isSwap = (event: LineEvent): boolean =>
      twins.some(({ log }) => log.some(flip => flip.event === event && (flip.text === null) === isPut));
    const done = flips.filter(({ event }) => !isSwap(event));
    const doers = done.flatMap(({ event, as }) => [event, ...(as ? [as] : [])]);
    return doers.filter(one => this.#past.isWork(one) && !this.#isStillPersons(row, one, isPut));
  }

  /** True where a way back only did again what a person did last to the row, and HEAD had not followed what it takes back. */
  #isStillPersons(row: Row, event: LineEvent, isPut: boolean): boolean {
    if (!bringsBack(event)) return false;
    const same = [row, ...(this.#twins.get(row) ?? [])];
    const before = (isSide: boolean): LineEvent[] =>
      same
        .flatMap(one => one.log.filter(flip => (isSide ? isPutting(one, flip) : isTaking(flip))))
        .map(flip => flip.event)
        .filter(({ at }) => at < event.at)
        .sort((a, b) => a.at - b.at);
    const did = before(isPut).filter(one => !bringsBack(one) && (one.kind !== 'head' || one.at >= 0));
    const last = did.at(-1);
    if (last === undefined || last.kind !== 'outside' || this.#past.isWork(last)) return false;
    const since = before(!isPut).at(-1)?.at ?? last.at;
    return !same.some(({ headMoves }) => headMoves.some(at => at > since && at <= event.at));
  }

  #chosen(rows: readonly Row[], wish: LandingWish): ChosenPart {
    const isLeftOut = rows.some(row => wish.leavesOut?.(row));
    const version = this.#newest(rows, wish, isLeftOut) ?? this.headOf;
    const left = new Map(
      rows
        .filter(row => this.differs(row) && version(row) !== textOf(row))
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
      const version = this.#after(at);
      if (!rows.every(row => version(row) === this.headOf(row) || version(row) === textOf(row))) continue;
      if (at >= Math.max(0, since) || this.#isWithoutPersons(rows, version)) yield version;
    }
  }

  /** The texts after the event at a place of the line, of equal rows as of one. */
  #after(at: number): Version {
    const { headsOf } = this.#equal;
    const then = (row: Row): Token | null => textAfter(row, at);
    return row => {
      if (this.#ofOthers.has(row)) return null;
      const head = headsOf.get(row);
      return then(row) ?? (head ? then(head) : null);
    };
  }

  /** True where a version has HEAD's rows in place of what a way back brought back of a person's. */
  #isWithoutPersons(rows: readonly Row[], version: Version): boolean {
    const differing = rows.filter(row => version(row) !== textOf(row));
    const isBrought = (row: Row): boolean => {
      const last = row.log.findLast(({ event }) => event.id !== '');
      return last !== undefined && this.#isStillPersons(row, last.event, last.text !== null);
    };
    return differing.every(row => version(row) === this.headOf(row)) && differing.some(isBrought);
  }

  /** True for a version in which all that HEAD has otherwise is wanted. */
  #fits(rows: readonly Row[], version: Version, { takes, outside }: LandingWish): boolean {
    const changed = rows.filter(row => version(row) !== this.headOf(row));
    // A file that is to land under a new name lands under the one that it has, whoever gave it that.
    const isNamed = rows.some(row => isName(lastText(row)) && this.ownersOf(row, lastText(row)).some(takes));
    return (
      changed.length > 0 &&
      changed.every(row => {
        const owners = this.ownersOf(row, version(row));
        if (owners.length > 0 && !owners.some(takes)) return false;
        if (owners.length > 0 || (outside && version === textOf)) return true;
        return isName(lastText(row)) ? isNamed : this.#isModeOfNew(row, changed);
      })
    );
  }

  /** True for the mode of a file that HEAD lacks: it lands with the file, whoever set it. */
  #isModeOfNew(row: Row, changed: readonly Row[]): boolean {
    const hasName = (one: Row): boolean => isName(lastText(one));
    return (
      lastText(row).startsWith('\0mode ') &&
      changed.some(hasName) &&
      !this.rows.some(one => one.head !== null && hasName(one))
    );
  }

  /** True where a row that decides what is said of an event is in the file as it left it, and does not land. */
  #stands(event: LineEvent, rows: readonly Row[], left: ReadonlyMap<Row, Owners>): boolean {
    const done = rows.flatMap(row =>
      row.log
        .filter(flip => flip.event === event || flip.as === event)
        .map(flip => ({ row: placeOf(row), isPut: isPutting(row, flip) })),
    );
    return deciding(done).some(({ row, isPut }) => isIn(row) === isPut && left.has(row));
  }
}

/** A line that a formatter split off another one has no text at first. */
function isPutting({ log }: Row, flip: Flip): boolean {
  return flip.text !== null || flip === log[0];
}

function isTaking({ text, into }: Flip): boolean {
  return text === null && !into;
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
function unseenIn(rows: readonly Row[], differs: (row: Row) => boolean): Array<Pick<Place, 'rows'>> {
  const isUnseen = ({ log, head }: Row): boolean =>
    head !== null && log.length === 2 && log[0]!.event === log[1]!.event && !log[1]!.as;
  // What stands behind rows that it replaced is not in the place before them.
  const isReplaced = (row: Row): boolean => row.head !== null && !isIn(row) && !isUnseen(row);
  const runs = runsBetween(rows, row => isReplaced(row) || (isIn(row) && !differs(row)));
  return runs.filter(run => run.some(isUnseen)).map(run => ({ rows: run.filter(differs) }));
}

/** Joins the rows that belong together, in order. */
function joinedRows(
  places: ReadonlyArray<Pick<Place, 'rows'>>,
  all: readonly Row[],
  differs: (row: Row) => boolean,
): Row[][] {
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

function unique<Value>(values: Iterable<Value>): Value[] {
  return [...new Set(values)];
}
