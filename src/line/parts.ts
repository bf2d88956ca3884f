/** The difference between two states of a file in parts, each of which is taken or left as a whole. */

import type { Token } from '../text/diff/alignment.ts';
import { isAuthored, type LineEvent } from './event.ts';
import { byOf, putBy, type Row, runsBetween, textOf } from './row.ts';
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

export interface Landing {
  /** The text that HEAD would hold. */
  readonly text: Token[];
  /** Other edits without which a part cannot land. */
  readonly needs: ReadonlySet<LineEvent>;
  /** The events of what was typed in the parts that land, and comes along. */
  readonly typed: ReadonlySet<LineEvent>;
}

/**
 * Plans what HEAD would hold with the parts of the chosen events. A part lands whole, as the file has it. `withNobodys`:
 * those too that no event made, such as where a branch moved and the files did not.
 */
export function planLanding(weave: Weave, chosen: ReadonlySet<LineEvent>, withNobodys = false): Landing {
  const [needs, typed, taken] = [new Set<LineEvent>(), new Set<LineEvent>(), new Set<Row>()];
  for (const { rows, events } of partsOf(weave, 'head')) {
    const edits = [...events].filter(({ kind }) => kind === 'edit');
    const others = [...events].filter(({ kind }) => kind !== 'edit');
    const missing = edits.filter(event => !chosen.has(event));
    const isOthers = others.some(event => chosen.has(event)) || (withNobodys && events.size === 0);
    const isChosen = edits.length > missing.length || (edits.length === 0 && isOthers);
    if (!isChosen) continue;
    for (const event of missing) needs.add(event);
    for (const event of others) if (!chosen.has(event)) typed.add(event);
    if (missing.length === 0) for (const row of rows) taken.add(row);
  }
  for (const event of surrounding(weave.live, taken)) needs.add(event);
  const landed = (row: Row): Token | null => (taken.has(row) ? textOf(row) : row.head);
  const text = weave.rows().flatMap(row => landed(row) ?? []);
  return { text, needs, typed };
}

/** Edits that HEAD lacks, of which two lines stand around lines of another that would land: these are nothing without them. */
function surrounding(live: readonly Row[], taken: ReadonlySet<Row>): LineEvent[] {
  const isAlone = (row: Row): boolean => row.head === null && !taken.has(row);
  const found: LineEvent[] = [];
  for (let start = 0, end = 0; start < live.length; start = end) {
    const by = putBy(live[start]!);
    while (end < live.length && putBy(live[end]!) === by) end++;
    const [before, after] = [live[start - 1], live[end]];
    if (!before || !after || putBy(before) !== putBy(after) || putBy(before).kind !== 'edit') continue;
    const lands = live.slice(start, end).some(row => taken.has(row) && row.head === null);
    if (lands && isAlone(before) && isAlone(after)) found.push(putBy(before));
  }
  return found;
}
