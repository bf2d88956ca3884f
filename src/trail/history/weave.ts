/**
 * All lines that one file ever had, in one order, each with who put it in and who took it out: the interleaved deltas of
 * SCCS (Rochkind, "The Source Code Control System", 1975). Any text can be placed in it, whether the history recorded it or
 * not: the file as it is now, HEAD's, a stash's. So what became of an edit is read from texts alone (status.ts).
 *
 * A text is a list of rows: its lines without their ends, and before them a row for the mode and one for the name; see
 * `rowsOf` in file-rows.ts. Rules for rows that are equal:
 *
 * - A row that returns between the rows it stood between is the old one, unless it is a lone bracket or blank among rows
 *   that are new.
 * - Of equal rows, those of the base come first, then those that stand, then older ones.
 * - Rows that are replaced stand before those that replace them, one by one where there are as many: somebody may take one
 *   of them back. Rows that are put in before them later stand before what they replaced.
 */

import { align, type Token } from '../../text/diff/alignment.ts';
import type { RowHunk } from '../changes.ts';
import {
  type Hunk,
  isBlank,
  isDistinctive,
  type Placement,
  RowList,
  type WeaveStep,
  type WovenRow,
} from './woven-row.ts';

export * from './woven-row.ts';

/** A weave is cut after so many comparisons of two rows: whoever asks what became of edits waits for seconds, not minutes. */
export const MOST_WORK = 100_000_000;

export class Weave {
  readonly steps: WeaveStep[] = [];
  readonly hunks: Hunk[] = [];
  readonly #most: number;
  #work = 0;
  #live: readonly WovenRow[];
  /** `null` until somebody asks. */
  #text: readonly Token[] | null;
  readonly #list = new RowList();
  readonly #base: { text: readonly Token[]; rows: readonly WovenRow[] };

  /** `base` is the text before the first step; `most` limits the work. */
  constructor(base: readonly Token[], most: number = MOST_WORK) {
    this.#most = most;
    this.#text = base;
    this.#live = base.map(token => this.#list.insertAfter(this.#list.last, token, true));
    this.#base = { text: base, rows: this.#live };
  }

  /** The rows of the present version, in order. To look at another one, it is set to what it was then. */
  get live(): readonly WovenRow[] {
    return this.#live;
  }

  get text(): readonly Token[] {
    this.#text ??= this.#live.map(({ token }) => token);
    return this.#text;
  }

  set live(rows: readonly WovenRow[]) {
    if (rows === this.#live) return;
    this.#live = rows;
    this.#text = null;
  }

  /** The work so far: about as many comparisons of two rows. */
  get work(): number {
    return this.#work;
  }

  /** True when there was too much to compare: steps since then have no hunks, and nothing can be said of any edit. */
  get isCut(): boolean {
    return this.#work > this.#most;
  }

  rows(): readonly WovenRow[] {
    return this.#list.all;
  }

  /** Makes the present version one with this text. `rows`: those that it should have. */
  step(step: WeaveStep, text: readonly Token[], rows: readonly WovenRow[] | null = null): void {
    const index = this.steps.push(step) - 1;
    if (this.isCut || (text === this.#text && !rows)) return;
    const isText = rows?.length === text.length && rows.every(({ token }, at) => token === text[at]);
    const known = isText ? rows : null;
    const live: WovenRow[] = new Array(text.length);
    const stays = (row: WovenRow, at: number): void => {
      live[at] = row;
    };
    const gaps = known
      ? gapsTo(this.#live, placesIn(this.#live, known), known.length, stays)
      : this.#compare(text, stays);
    for (const gap of gaps) {
      const back = known ? knownIn(gap, known) : this.#returning(gap, text);
      this.#fill(index, gap, text, back).forEach((row, at) => {
        live[gap.start + at] = row;
      });
    }
    this.#live = live;
    this.#text = text;
  }

  /**
   * As `step`, where it is known what changed (changes.ts). False, and nothing is done, where equal rows may be told apart in
   * other ways: then the texts have to be compared.
   */
  stepBy(step: WeaveStep, hunks: readonly RowHunk[]): boolean {
    const live = this.#live;
    if (hunks.length !== 1 || this.isCut) return false;
    const [start, count, ...put] = hunks[0]!;
    const end = start + count;
    const mayMove =
      count > 0 &&
      (live[start - 1]?.token === live[end - 1]!.token || live[start]!.token === live[end]?.token);
    if (mayMove) return false;
    const [left, right] = [live[start - 1] ?? null, live[end] ?? null];
    const gap = { left, right, gone: live.slice(start, end), start: 0, end: put.length };
    const rows = this.#fill(this.steps.push(step) - 1, gap, put, this.#returning(gap, put));
    this.#work += count + put.length;
    this.live = [...live.slice(0, start), ...rows, ...live.slice(end)];
    return true;
  }

  /** Puts rows of a text in a gap, and notes what went and came there. */
  #fill(step: number, gap: Gap, text: readonly Token[], back: ReadonlyMap<number, WovenRow>): WovenRow[] {
    const put = this.#putIn(gap, text, back);
    const returned = new Set(back.values());
    const fresh = returned.size > 0 ? put.filter(row => !returned.has(row)) : put;
    const { left, right, gone } = gap;
    this.#note({ step, fresh, returned: [...returned], gone, left, right });
    return put;
  }

  #note(hunk: Hunk): void {
    if (hunk.fresh.length + hunk.returned.length + hunk.gone.length === 0) return;
    this.hunks.push(hunk);
    for (const row of hunk.gone) row.events.push({ effect: 'taken out', hunk });
    for (const row of hunk.returned) row.events.push({ effect: 'put in', hunk });
    for (const row of hunk.fresh) row.events.push({ effect: 'put in', hunk });
  }

  /** Finds the rows that a text holds, which may be of no version. */
  place(text: readonly Token[]): Placement {
    const known = isSame(text, this.text)
      ? this.#live
      : isSame(text, this.#base.text)
        ? this.#base.rows
        : null;
    if (known) return { held: new Set(known), rows: known, own: [], replaced: NO_ROWS };
    const held = new Set<WovenRow>();
    const rows: Array<WovenRow | null> = new Array(text.length).fill(null);
    const own: Placement['own'] = [];
    const replaced = new Set<WovenRow>();
    const gaps = this.#compare(text, (row, at) => {
      rows[at] = row;
    });
    for (const gap of gaps) {
      const back = this.#returning(gap, text);
      for (const [at, row] of back) rows[at] = row;
      let isReplaced = false;
      let before = gap.right;
      const found: Placement['own'] = [];
      for (let index = gap.end - 1; index >= gap.start; index--) {
        const row = back.get(index);
        if (!row) found.push({ index, before });
        if (!row && !isBlank(text[index]!)) isReplaced = true;
        before = row ?? before;
      }
      for (const one of found.reverse()) own.push(one);
      if (isReplaced) for (const row of gap.gone) replaced.add(row);
    }
    for (const row of rows) if (row) held.add(row);
    return { held, rows, own, replaced };
  }

  /** Tells of the rows that stay, by their index in the text, and answers the places where it differs. */
  #compare(text: readonly Token[], stays: (row: WovenRow, at: number) => void): Gap[] {
    const live = this.#live;
    const { to, work } = align(this.text, text, at => live[at]!.inBase);
    this.#work += work;
    return gapsTo(live, to, text.length, stays);
  }

  /** The rows of the gap that return, by the index in the text. */
  #returning(gap: Gap, text: readonly Token[]): ReadonlyMap<number, WovenRow> {
    const put = text.slice(gap.start, gap.end);
    if (!this.#mayReturn(put)) return NONE;
    const found = new Map<number, WovenRow>();
    const [gone, wanted] = [new Set(gap.gone), new Set(put)];
    const dead = this.#inGap(gap).filter(row => wanted.has(row.token) && !gone.has(row));
    const tokens = dead.map(({ token }) => token);
    const { to, work } = align(tokens, put, at => dead[at]!.inBase);
    this.#work += work;
    for (const [at, partner] of to.entries()) if (partner >= 0) found.set(gap.start + partner, dead[at]!);
    const isAll = found.size === put.length;
    return isAll || [...found.keys()].some(at => isDistinctive(text[at]!)) ? found : NONE;
  }

  #mayReturn(put: readonly Token[]): boolean {
    if (put.length === 0) return false;
    const known = put.filter(token => this.#list.tokens.has(token));
    return known.length === put.length || known.some(isDistinctive);
  }

  #inGap({ left, right }: Gap): WovenRow[] {
    const rows = this.#list.between(left, right);
    this.#work += rows.length;
    return rows;
  }

  /** Answers the rows of the gap's new text, in order: those that return, and new ones after those that they replace. */
  #putIn(gap: Gap, text: readonly Token[], back: ReadonlyMap<number, WovenRow>): WovenRow[] {
    const gone: ReadonlySet<WovenRow> = back.size > 0 ? new Set(gap.gone) : NO_ROWS;
    const all = back.size > 0 ? this.#inGap(gap) : [];
    let at = back.size > 0 ? gap.left : (gap.gone.at(-1) ?? this.#beforeReplaced(gap));
    const isLineByLine = back.size === 0 && gap.end - gap.start >= gap.gone.length;
    const returning: ReadonlySet<WovenRow> = back.size > 0 ? new Set(back.values()) : NO_ROWS;
    let next = 0;
    const put: WovenRow[] = [];
    for (let index = gap.start; index < gap.end; index++) {
      const known = back.get(index);
      // Up to the next row that returns: a text has its rows in the order of the weave.
      for (; next < all.length && !returning.has(all[next]!); next++)
        if (gone.has(all[next]!)) at = all[next]!;
      if (known) next++;
      if (isLineByLine) at = gap.gone[index - gap.start] ?? at;
      const row: WovenRow = known ?? this.#list.insertAfter(at, text[index]!, false);
      put.push(row);
      at = row;
    }
    return put;
  }

  /** The row after which rows are put in before `right`: all that this replaced stays with it. */
  #beforeReplaced({ left, right }: Gap): WovenRow | null {
    let found = right ? right.previous : this.#list.last;
    const followers = new Set<WovenRow | null>([right]);
    for (let at = found; right && at && at !== left && !this.isCut; at = at.previous) {
      this.#work += 1;
      const replacing = at.events.flatMap(({ effect, hunk }) => (effect === 'taken out' ? hunk.fresh : []));
      if (!replacing.some(row => followers.has(row))) continue;
      followers.add(at);
      found = at.previous;
    }
    return found;
  }
}

function isSame(one: readonly Token[], other: readonly Token[]): boolean {
  return one === other || (one.length === other.length && one.every((row, at) => row === other[at]));
}

const NONE: ReadonlyMap<number, WovenRow> = new Map();
const NO_ROWS: ReadonlySet<WovenRow> = new Set();

/** One place where two texts differ: the rows between two rows that both have. */
interface Gap {
  left: WovenRow | null;
  right: WovenRow | null;
  gone: WovenRow[];
  /** Indexes in the new text; end exclusive. */
  start: number;
  end: number;
}

/** Finds the same rows in the present version: for each of it, the index in `rows`, or -1. */
function placesIn(live: readonly WovenRow[], rows: readonly WovenRow[]): Int32Array {
  const places = new Map(rows.map((row, at) => [row, at]));
  return Int32Array.from(live, row => places.get(row) ?? -1);
}

/**
 * `to`: for each row of the present version its index in the text of `length` rows, or -1. Tells of the rows that stay, by
 * their index in the text, and answers the places where it differs.
 */
function gapsTo(
  live: readonly WovenRow[],
  to: Int32Array,
  length: number,
  stays: (row: WovenRow, at: number) => void,
): Gap[] {
  const gaps: Gap[] = [];
  let [from, start] = [0, 0];
  for (let at = 0; at <= to.length; at++) {
    const end = at === to.length ? length : to[at]!;
    if (end < 0) continue;
    if (at > from || end > start)
      gaps.push({
        left: live[from - 1] ?? null,
        right: live[at] ?? null,
        gone: live.slice(from, at),
        start,
        end,
      });
    [from, start] = [at + 1, end + 1];
    if (at < to.length) stays(live[at]!, end);
  }
  return gaps;
}

/** The rows of a text that are known, by their index in it. */
function knownIn({ start, end }: Gap, rows: readonly WovenRow[]): Map<number, WovenRow> {
  return new Map(rows.slice(start, end).map((row, at) => [start + at, row]));
}
