/** Sums up what became of the rows of an edit in one word, with how many lines have which. */

import { isLine } from '../trail/history/file-rows.ts';
import { lastText } from './row.ts';
import type { Fate, Word } from './words.ts';

/** Besides the words of rows: nobody can tell. */
export type StatusWord = Word | 'unknown';

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

/** What became of a row, with who did that in words: a commit, `hand`, or where the row is. */
export type ToldFate = Omit<Fate, 'by'> & { readonly by: string | null };

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
  if (put.length === 0 && marks.some(({ row }) => lastText(row).startsWith('\0name '))) return marks;
  return marks.length < all.length ? all.filter(({ row }) => isLine(lastText(row))) : marks;
}
