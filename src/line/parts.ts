/** The difference between two states of a file in parts, each of which is taken or left as a whole. */

import { isAuthored, type LineEvent } from './event.ts';
import { byOf, type Row, runsBetween, textOf } from './row.ts';
import type { Weave } from './weave.ts';

/** The text that the file is compared with. */
export type Side = 'head' | 'accepted';

/** Rows of one place that hang together: those that one event flipped, and events that one row knows. */
export interface Part {
  readonly rows: readonly Row[];
  /** The authored events that the rows know. */
  readonly events: ReadonlySet<LineEvent>;
}

const isSame = (row: Row, side: Side): boolean => row[side] === textOf(row);

/** The parts in which the file differs from HEAD, or from what was accepted, in order. */
export function partsOf(weave: Weave, side: Side): Part[] {
  const runs = runsBetween(weave.rows(), row => isSame(row, side) && textOf(row) !== null);
  return runs.flatMap(joined).filter(({ rows }) => rows.some(row => !isSame(row, side)));
}

/** Groups of a run's rows that share an event, directly or by others. */
function joined(run: readonly Row[]): Part[] {
  let groups: Part[] = [];
  for (const row of run) {
    const flips = row.log.filter(({ event }) => event.kind !== 'undo');
    const own = new Set(flips.map(byOf).filter(isAuthored));
    const touches = ({ events }: Part): boolean => [...own].some(event => events.has(event));
    const touching = groups.filter(touches);
    const events = new Set([...touching.flatMap(group => [...group.events]), ...own]);
    const rows = [...touching.flatMap(group => group.rows), row];
    groups = [...groups.filter(group => !touches(group)), { rows, events }];
  }
  return groups;
}
