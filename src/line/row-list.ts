/** The rows of a weave in their order, linked: a row is put in between two others without moving the rest. */

import type { Token } from '../text/diff/alignment.ts';
import { accepts, type LineEvent } from './event.ts';
import type { Flip, Row } from './row.ts';

export class RowList {
  first: Row | null = null;
  last: Row | null = null;

  /** All of them, or those between two rows; `null`: an end. */
  between(left: Row | null = null, right: Row | null = null): Row[] {
    const rows: Row[] = [];
    for (let row = left ? left.next : this.first; row && row !== right; row = row.next) rows.push(row);
    return rows;
  }

  /** Puts a new row behind another; `null`: at the beginning. */
  insert(previous: Row | null, log: Flip[]): Row {
    const next = previous ? previous.next : this.first;
    const row: Row = { log, head: null, headMoves: [], accepted: null, beforeHead: null, next, previous };
    if (previous) previous.next = row;
    else this.first = row;
    if (next) next.previous = row;
    else this.last = row;
    return row;
  }

  /** Puts in a row that an event made. What a person typed is accepted. */
  put(previous: Row | null, event: LineEvent, text: Token): Row {
    const row = this.insert(previous, [{ event, text }]);
    if (accepts(event)) row.accepted = text;
    return row;
  }
}
