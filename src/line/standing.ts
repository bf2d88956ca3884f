/** Sums up what became of the rows of an edit in one word, with how many lines have which. */

import { isLine, isName } from '../history/file-rows.ts';
import type { LineEvent } from './event.ts';
import { lastText, type Row } from './row.ts';
import type { Fate, StatusWord, Word } from './words.ts';

export interface EditStatus {
  now: StatusWord;
  /**
   * The commit that superseded, took back, rejected or changed it, or recorded that somebody did by hand; `hand` where that
   * is not recorded; of what is away, where it is; of what is unknown, why. `null`: nobody.
   */
  by: string | null;
  /** The commit of HEAD's history that brought it, also where it was replaced since; `null`: none was found. */
  landed_in: string | null;
  /** The number of deciding lines by their word; empty for `nothing left`. */
  lines: Partial<Record<StatusWord, number>>;
}

/** In the order in which they decide what is said of an edit. */
const WORDS: readonly Word[] = [
  'rejected',
  'open',
  'away',
  'taken out by hand',
  'rewritten',
  'taken back',
  'superseded',
  'changed',
  'landed',
];

/** A row and what became of it, with who did that in words: a commit, `hand`, or where the row is. */
export type ToldFate = Omit<Fate, 'by' | 'place'> & { readonly by: string | null };

/** The rows that a place beside the file and HEAD holds, and those of the text that it was made from, where that is known. */
export interface RowsElsewhere {
  /** `stash@{0}`, `branch topic`. */
  where: string;
  held: ReadonlySet<Row>;
  from?: ReadonlySet<Row>;
}

/** True for a row that vanished, of which nothing recorded says why: other places are asked for it. */
export function isVanished({ word }: Fate): boolean {
  return word === 'away' || word === 'taken out by hand';
}

/**
 * Says in words who undid what an edit did to a row; of one that vanished, where it is: in one of the places, or in the HEAD
 * that was there before it went.
 */
export function toldFate(
  fate: Fate,
  places: readonly RowsElsewhere[],
  headBefore: (by: LineEvent) => string | null,
): ToldFate {
  const { row, isPut, word, by } = fate;
  const where = isVanished(fate) ? places.find(place => hasIt(place, fate))?.where : undefined;
  if (where !== undefined) return { row, isPut, word: 'away', by: where };
  if (word !== 'away') return { row, isPut, word, by: by && doerOf(by) };
  const had = headBefore(by!);
  return { row, isPut, ...(had ? { word, by: had } : { word: 'taken out by hand', by: 'hand' }) };
}

/**
 * A text that lacks a row need not have taken it out: an older branch never had it. So of what was taken out, only places
 * count that say what they were made from; and what these have from there is not theirs.
 */
function hasIt({ held, from }: RowsElsewhere, { row, isPut }: Fate): boolean {
  return isPut ? held.has(row) && !from?.has(row) : from?.has(row) === true && !held.has(row);
}

/** The commit of an event; where nobody recorded that somebody did it, or HEAD came without what the file lacks, `hand`. */
function doerOf({ id, kind }: LineEvent): string {
  return kind === 'head' || id === '' ? 'hand' : id;
}

/** Sums up what became of an edit, in one file or several. */
export function statusOf(fates: readonly ToldFate[]): Omit<EditStatus, 'landed_in'> {
  const left = deciding(fates.filter(({ word }) => word !== 'nothing left'));
  const now = WORDS.find(word => left.some(one => one.word === word)) ?? 'nothing left';
  const lines: EditStatus['lines'] = {};
  for (const { word } of left) lines[word] = (lines[word] ?? 0) + 1;
  const by = left.findLast(one => one.word === now && one.by !== null)?.by ?? null;
  return { now, by, lines };
}

/**
 * The rows that decide what is said of an edit: lines that it put in; else marks that it put in, such as a mode; of a file
 * that it deleted the name; else the lines that it took out.
 */
export function deciding<Done extends Pick<Fate, 'row' | 'isPut'>>(fates: readonly Done[]): readonly Done[] {
  const put = fates.filter(({ isPut }) => isPut);
  const all = put.length > 0 ? put : fates;
  const marks = all.filter(({ row }) => !isLine(lastText(row)));
  if (put.length === 0 && marks.some(({ row }) => isName(lastText(row)))) return marks;
  return marks.length < all.length ? all.filter(({ row }) => isLine(lastText(row))) : marks;
}
