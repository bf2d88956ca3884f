/**
 * Rows that are one line to whoever reads the texts: an agent that puts in again what went makes a new row of it. They have the
 * same text in the same place, and never stood there at once.
 */

import { isLine } from '../history/file-rows.ts';
import type { Token } from '../text/diff/alignment.ts';
import { hasWord } from '../text/format.ts';
import { isIn, lastText, type Row, runsBetween, textAfter, textOf } from './row.ts';

/** The most equal rows of one place that tell anything of each other. */
const MOST = 20;

/** By row, its twins between rows that are file's and HEAD's at once. */
export function twinsIn(rows: readonly Row[]): Map<Row, Row[]> {
  const found = new Map<Row, Row[]>();
  for (const run of runsBetween(rows, row => isIn(row) && textOf(row) === row.head))
    for (const equal of byText(run)) {
      if (equal.length > MOST) continue;
      for (const row of equal) {
        const twins = equal.filter(one => one !== row && !stoodAtOnce(row, one));
        if (twins.length > 0) found.set(row, twins);
      }
    }
  return found;
}

function byText(rows: readonly Row[]): Iterable<Row[]> {
  const found = new Map<Token, Row[]>();
  for (const row of rows) {
    const text = lastText(row);
    if (isLine(text) && !hasWord(text)) continue;
    const known = found.get(text);
    if (known) known.push(row);
    else found.set(text, [row]);
  }
  return found.values();
}

/** True where the file had two rows at one time. */
export function stoodAtOnce(one: Row, other: Row): boolean {
  return [...one.log, ...other.log].some(
    ({ event: { at } }) => textAfter(one, at) !== null && textAfter(other, at) !== null,
  );
}
