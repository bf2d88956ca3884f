/**
 * All lines that one file ever had, in one order, each with who put it in and who took it out: the interleaved deltas of
 * SCCS (Rochkind, "The Source Code Control System", 1975). A text is a list of rows (file-rows.ts): its lines without their
 * ends, and before them a row for the name and one for the mode.
 */

import { align, type Token } from '../text/diff/alignment.ts';
import { changesOf } from '../text/diff/line-diff.ts';
import { type LineEvent, takesBack } from './event.ts';
import { fill } from './gap.ts';
import { byOf, isIn, type Row, textAfter, textOf } from './row.ts';
import { RowList } from './row-list.ts';

/** Where rows of a text went, and what came there. */
export interface ChangedPlace {
  start: number;
  gone: number;
  put: readonly Token[];
}

const MOST_AT_ONCE = 10_000;

/** Where one event changed more rows, nobody waits for what became of each. */
export const MOST_CHANGED = 200_000;

export class Weave {
  list: RowList = new RowList();
  #live: Row[] = [];
  /** The events of a file of which one changed too many rows, so that it has none; `null`: it has. */
  #lost: Set<LineEvent> | null = null;
  readonly #most: number;

  /** `most`: the most rows that one event may change. */
  constructor(most: number = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  get lost(): ReadonlySet<LineEvent> | null {
    return this.#lost;
  }

  /** The rows of the file, in order. */
  get live(): readonly Row[] {
    return this.#live;
  }

  /** The text of the file. */
  get text(): Token[] {
    return this.#live.map(row => textOf(row)!);
  }

  /** True where the file has these rows. */
  isText(rows: readonly Token[]): boolean {
    return rows.length === this.#live.length && this.#live.every((row, at) => textOf(row) === rows[at]);
  }

  /** All rows that the file, HEAD or a text of before has. */
  rows(): Row[] {
    return this.list.between();
  }

  /** The step of an event to another text, which is compared with the one before. */
  step(event: LineEvent, text: readonly Token[]): void {
    if (!this.#lost && this.isText(text)) return;
    const changes = this.#lost ? [] : changesOf(align(this.text, text).to, text.length);
    this.change(
      event,
      changes.map(({ oldStart, oldEnd, newStart, newEnd }) => ({
        start: oldStart,
        gone: oldEnd - oldStart,
        put: text.slice(newStart, newEnd),
      })),
    );
  }

  /** The step of an event that says itself where it changed the text; in order, by the rows before it. */
  change(event: LineEvent, places: readonly ChangedPlace[]): void {
    const changed = places.reduce((sum, { gone, put }) => sum + gone + put.length, 0);
    if (this.#lost || changed > this.#most) this.#lose(event);
    else for (const place of places.toReversed()) this.#fill(event, place);
  }

  #fill(event: LineEvent, { start, gone, put }: ChangedPlace): void {
    const live = this.#live;
    const [left, right] = [live[start - 1] ?? null, live[start + gone] ?? null];
    const rows = fill(this.list, { left, right, gone: live.slice(start, start + gone), put }, event);
    // No call takes any number of arguments.
    if (rows.length < MOST_AT_ONCE) live.splice(start, gone, ...rows);
    else this.#live = [...live.slice(0, start), ...rows, ...live.slice(start + gone)];
  }

  #lose(event: LineEvent): void {
    this.#lost ??= new Set(this.rows().flatMap(({ log }) => log.map(one => one.event)));
    this.#lost.add(event);
    [this.list, this.#live] = [new RowList(), []];
  }

  /** Gives rows the texts that a way back says; `null` takes them out. What a redo does again is the doing of the edit. */
  flip(event: LineEvent, texts: ReadonlyMap<Row, Token | null>): void {
    for (const [row, text] of texts) {
      if (textOf(row) === text && !isAboutUndo(row, event)) continue;
      const again = row.log.findLast(flip => flip.text === text && event.redoes?.has(byOf(flip)));
      row.log.push({ event, text, ...(again && { as: byOf(again) }) });
    }
    this.refresh();
  }

  /**
   * Brings the very rows back that were there after the event at a place of the line, where the text is of them, and beside
   * them of rows that stay, as a person's; else nothing.
   */
  restore(event: LineEvent, at: number, text: readonly Token[]): void {
    const then = new Map(this.rows().map(row => [row, textAfter(row, at)]));
    const there = [...then.values()].filter(one => one !== null);
    const isSame = there.length === text.length && there.every((one, n) => one === text[n]);
    const texts = isSame ? then : this.#amongThen(then, text);
    if (texts) this.flip(event, texts);
  }

  #amongThen(then: ReadonlyMap<Row, Token | null>, text: readonly Token[]): Map<Row, Token | null> | null {
    const rows = this.rows().filter(row => isIn(row) || then.get(row) !== null);
    const { to } = align(
      rows.map(row => then.get(row) ?? textOf(row)!),
      text,
      n => then.get(rows[n]!) !== null,
    );
    if (to.filter(n => n >= 0).length < text.length) return null;
    return new Map(rows.map((row, n) => [row, to[n]! < 0 ? null : text[to[n]!]!]));
  }

  /** After rows were flipped by others. */
  refresh(): void {
    this.#live = this.rows().filter(isIn);
  }
}

/** True for a redo of an edit of the row, which is in: whatever brought it back meanwhile, an undo of the edit is over. */
function isAboutUndo(row: Row, { redoes }: LineEvent): boolean {
  if (!redoes?.size || !isIn(row) || !row.log.some(flip => redoes.has(byOf(flip)))) return false;
  return row.log.some(({ event }) => takesBack(event));
}
