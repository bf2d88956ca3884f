/** Tells which commits of the trail a landed commit names. */

import { isOutside } from '../../operations.ts';
import type { TrailRow } from '../walk.ts';
import type { Lands } from './lands-trailer.ts';

/**
 * As few trailers as name the `chosen` of these commits (oldest first) and none of the others. Outside changes are named
 * one by one; in a row they count for nothing.
 */
export function landsOf(chain: readonly Link[], chosen: ReadonlySet<string>): Lands[] {
  const named: Lands[] = [];
  let row: Link[] = [];
  const endRow = (): void => {
    named.push(...rowOf(row));
    row = [];
  };
  for (const entry of chain) {
    const isChosen = chosen.has(entry.commit);
    if (!isOutside(entry.op) && isChosen) row.push(entry);
    else if (isChosen) named.push({ after: null, last: entry.commit });
    else if (!isOutside(entry.op)) endRow();
  }
  endRow();
  return named;
}

type Link = Pick<TrailRow, 'commit' | 'op' | 'parent'>;

function rowOf(row: readonly Link[]): Lands[] {
  const [first, second] = row;
  if (first === undefined) return [];
  const last = row.at(-1)!.commit;
  const after = first.parent;
  if (second !== undefined && after !== null) return [{ after, last }];
  const alone = { after: null, last: first.commit };
  // Nothing is before a trail that began on a branch without a commit: its first edit is named by itself.
  return second === undefined ? [alone] : [alone, { after: first.commit, last }];
}
