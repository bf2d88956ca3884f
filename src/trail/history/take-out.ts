/**
 * Taking what a step did out of the present text, or putting it there again, by its own rows in the weave (weave.ts): rows
 * that it put in go, rows that it took out come back at their place. What was changed beside them stays, however near.
 *
 * It is refused only where a later step that still holds took out a row of it, put a row between two of its rows, or put
 * text where it only took text out.
 */

import { firstNotBefore } from '../../sorted.ts';
import type { TrailMeta } from '../message.ts';
import { isOlder, Places, wereTogether } from './places.ts';
import { isName } from './status.ts';
import type { Hunk, RowEvent, Weave, WeaveStep, WovenRow } from './weave.ts';

/** `again`: what was taken out before is put there again. */
export type Direction = 'out' | 'again';

export interface Holding {
  /** The hunk that was to be taken out, or put there again. */
  hunk: Hunk;
  step: WeaveStep;
  /** Rows of the present text that are in the way, in order; none where rows are gone. */
  rows: WovenRow[];
}

/** The result of taking one step out. Where something holds it, nothing was done. */
export interface Taken {
  changed: boolean;
  held: Holding[];
}

/** Says of rows that a step put in, or took out, which of them are meant. */
export type Within = (row: WovenRow, isPut: boolean) => boolean;

/** The present text of a weave, with steps taken out of it one after the other. The weave stays as it is. */
export class TakeOut {
  readonly #weave: Weave;
  readonly #order = new Map<WovenRow, number>();
  readonly #live: Set<WovenRow>;
  readonly #taken = new Set<number>();

  constructor(weave: Weave) {
    this.#weave = weave;
    for (const row of weave.rows()) this.#order.set(row, this.#order.size);
    this.#live = new Set(weave.live);
  }

  get rows(): WovenRow[] {
    return [...this.#order.keys()].filter(row => this.#live.has(row));
  }

  /** Takes out what the step with this id did; `null` where the weave has no such step. `within`: of these rows alone. */
  take(id: string, direction: Direction, within?: Within): Taken | null {
    const step = this.#weave.steps.findLastIndex(one => one.id === id);
    if (step < 0) return null;
    const own = this.#hunksOf(step);
    const hunks = (within ? own.map(hunk => partOf(hunk, within)) : own).filter(hasRows);
    const held = hunks.flatMap(hunk => this.#holding(hunk, direction));
    if (held.length > 0) return { changed: false, held };
    const before = new Set(this.#live);
    for (const hunk of hunks) this.#apply(hunk, direction);
    const left = this.#withoutName(hunks);
    if (left.length > 0) {
      this.#live.clear();
      for (const row of before) this.#live.add(row);
      return { changed: false, held: left };
    }
    if (direction === 'out') this.#taken.add(step);
    else this.#taken.delete(step);
    const changed = before.size !== this.#live.size || [...before].some(row => !this.#live.has(row));
    return { changed, held: [] };
  }

  /** Finds the place in `rows` that is held; end exclusive. */
  placeOf(hunk: Hunk, held: readonly Holding[]): { start: number; end: number } {
    const inWay = held.filter(one => one.hunk === hunk).flatMap(({ rows }) => rows);
    const order = [...hunk.fresh, ...hunk.returned, ...hunk.gone, ...inWay].map(row => this.#order.get(row)!);
    const [first, last] = [order.reduce((a, b) => Math.min(a, b)), order.reduce((a, b) => Math.max(a, b))];
    const all = this.rows.map(row => this.#order.get(row)!);
    return { start: all.filter(at => at < first).length, end: all.filter(at => at <= last).length };
  }

  /** Finds the hunks of one step; all hunks are in the order of the steps. */
  #hunksOf(step: number): Hunk[] {
    const { hunks } = this.#weave;
    const first = firstNotBefore(0, hunks.length, at => hunks[at]!.step < step);
    const found: Hunk[] = [];
    for (let at = first; hunks[at]?.step === step; at++) found.push(hunks[at]!);
    return found;
  }

  #apply(hunk: Hunk, direction: Direction): void {
    const { out, back } = this.sides(hunk, direction);
    for (const row of out) this.#live.delete(row);
    for (const row of back) this.#live.add(row);
  }

  /** The rows that shall go, and those that shall come back, in order. */
  sides({ fresh, returned, gone }: Hunk, direction: Direction): { out: WovenRow[]; back: WovenRow[] } {
    const put = this.#sorted([...fresh, ...returned]);
    return direction === 'out'
      ? { out: put, back: this.#sorted(gone) }
      : { out: this.#sorted(gone), back: put };
  }

  #holding(hunk: Hunk, direction: Direction): Holding[] {
    const { out, back } = this.sides(hunk, direction);
    const isSo = !out.some(row => this.#live.has(row)) && back.every(row => this.#live.has(row));
    if (isSo) return direction === 'out' ? this.#undoneByEdit(hunk, [...out, ...back]) : [];
    const lost = out.filter(row => !this.#live.has(row));
    const inWay =
      out.length > 0 ? this.#between(out) : runsOf(back).flatMap(run => this.#atPlace(hunk.step, run));
    return this.#by(hunk, [...lost, ...inWay]);
  }

  /** Finds the edits that made a place as it was before: they want it so. What was done by hand is what was asked for. */
  #undoneByEdit(hunk: Hunk, rows: readonly WovenRow[]): Holding[] {
    const byEdit = rows.filter(row => {
      const last = this.#lastEvent(row);
      return last && last.hunk.step > hunk.step && this.#weave.steps[last.hunk.step]!.kind === 'edit';
    });
    return this.#by(hunk, byEdit);
  }

  /** The steps that did last what became of these rows, and of what came in their place. */
  #by(hunk: Hunk, rows: readonly WovenRow[]): Holding[] {
    const found = new Map<number, Holding>();
    for (const row of rows) {
      const last = this.#doing(row) ?? hunk;
      const { step, fresh } = this.#live.has(row) ? last : this.#followed(last);
      const known = found.get(step)?.rows ?? [];
      const inWay = [row, ...fresh].filter(one => this.#live.has(one));
      const rows = this.#sorted([...new Set([...known, ...inWay])]);
      found.set(step, { hunk, step: this.#weave.steps[step]!, rows });
    }
    return [...found.values()];
  }

  /** The newest change that made the row what it is; where a way back did, the one that it brought back. */
  #doing(row: WovenRow): Hunk | undefined {
    const last = this.#lastEvent(row);
    const same = row.events.filter(
      ({ effect, hunk }) => effect === last?.effect && !this.#taken.has(hunk.step),
    );
    const work = same.findLast(({ hunk }) => this.#weave.steps[hunk.step]!.kind !== 'back');
    return (work ?? last)?.hunk;
  }

  /** Returns the newest hunk that replaced this one: what was put in place of a row may have been replaced in turn. */
  #followed(hunk: Hunk): Hunk {
    for (let now = hunk; ; ) {
      const last = now.fresh.at(-1);
      const next = last && !this.#live.has(last) ? this.#lastEvent(last)?.hunk : undefined;
      if (!next || next.step <= now.step) return now;
      now = next;
    }
  }

  /** The newest event of the row of a step that was not taken out. */
  #lastEvent({ events }: WovenRow): RowEvent | undefined {
    return events.findLast(({ hunk }) => !this.#taken.has(hunk.step));
  }

  #between(rows: readonly WovenRow[]): WovenRow[] {
    const own = new Set(rows);
    return this.#rowsBetween(rows[0]!, rows.at(-1)!).filter(row => !own.has(row));
  }

  #rowsBetween(first: WovenRow, last: WovenRow): WovenRow[] {
    const found: WovenRow[] = [];
    for (let row: WovenRow | null = first; row; row = row === last ? null : row.next)
      if (this.#live.has(row)) found.push(row);
    return found;
  }

  /** Text that came to where rows were that shall come back: between the nearest rows that are older. */
  #atPlace(step: number, rows: readonly WovenRow[]): WovenRow[] {
    const isAnchor = (row: WovenRow): boolean => this.#live.has(row) && isOlder(row, step);
    let [first, last] = [rows[0]!, rows.at(-1)!];
    while (first.previous && !isAnchor(first)) first = first.previous;
    while (last.next && !isAnchor(last)) last = last.next;
    const places = new Places(step, rows, this.#order);
    const own = new Set(rows);
    return this.#rowsBetween(first, last).filter(row => !own.has(row) && places.isAt(row));
  }

  /** Finds what holds the rest of a file that would lose its name alone: a file cannot go in part. */
  #withoutName(hunks: readonly Hunk[]): Holding[] {
    const hunk = hunks.find(({ fresh, returned, gone }) => [...fresh, ...returned, ...gone].some(isName));
    if (!hunk || this.#live.size === 0 || [...this.#live].some(isName)) return [];
    return this.#by(hunk, this.rows);
  }

  #sorted(rows: readonly WovenRow[]): WovenRow[] {
    return [...rows].sort((a, b) => this.#order.get(a)! - this.#order.get(b)!);
  }
}

/**
 * Returns the rows after a commit that takes edits back or puts them back: of equal ones, it takes those of the edit.
 * `null` for a commit that does neither.
 */
export function rowsTaken(
  weave: Weave,
  { undoes = [], redoes = [], unrejects }: Pick<TrailMeta, 'undoes' | 'redoes' | 'unrejects'>,
): WovenRow[] | null {
  const out = unrejects === undefined ? undoes : [unrejects, ...undoes];
  if (out.length + redoes.length === 0) return null;
  const takeOut = new TakeOut(weave);
  for (const id of out) takeOut.take(id, 'out');
  for (const id of redoes) takeOut.take(id, 'again');
  return takeOut.rows;
}

/** Parts rows, in order, where one stood in a text between two of them: text beside that one is at one of the places. */
function runsOf(rows: readonly WovenRow[]): WovenRow[][] {
  const runs: WovenRow[][] = [];
  for (const row of rows) {
    const last = runs.at(-1)?.at(-1);
    let between = last ? last.next : row;
    while (last && between !== row && !(wereTogether(last, between!) && wereTogether(between!, row)))
      between = between!.next;
    if (last && between === row) runs.at(-1)!.push(row);
    else runs.push([row]);
  }
  return runs;
}

function hasRows({ fresh, returned, gone }: Hunk): boolean {
  return fresh.length + returned.length + gone.length > 0;
}

function partOf(hunk: Hunk, within: Within): Hunk {
  const { fresh, returned, gone } = hunk;
  const put = (row: WovenRow): boolean => within(row, true);
  return {
    ...hunk,
    fresh: fresh.filter(put),
    returned: returned.filter(put),
    gone: gone.filter(row => within(row, false)),
  };
}
