/** The edits that have not landed. Whoever counts them (status, trails, land) counts these. */

import { readPending } from '../../trail/history/pending.ts';
import { openEdits, type PendingEntry } from '../../trail/open-edits.ts';
import type { Context } from '../context.ts';
import { tellsByHand } from '../files/by-hand.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { handsOf } from '../land/by-hand.ts';
import { findDiscarded, withoutDiscarded } from '../land/discarded.ts';

/** So far back a trail is read where edits are only counted. */
export const COUNTED_COMMITS = 1_000;

export interface OpenWork {
  /** Oldest first. */
  edits: PendingEntry[];
  /** How many edits are open besides that the person took back by hand. */
  takenBack: number;
  /** True when there are older commits that were not read. */
  more: boolean;
}

/** Of the trail beside the branch that is checked out, among its newest commits. */
export async function openWork(snapshot: Snapshot): Promise<OpenWork> {
  const { context, trail } = snapshot;
  if (trail.checkedOut || !trail.tip) return { edits: [], takenBack: 0, more: false };
  const { entries, more } = await readPending(context.objects, {
    tip: trail.parent,
    checkedOut: false,
    head: trail.head,
    target: trail.head,
    limit: COUNTED_COMMITS,
  });
  const edits = await openHere(snapshot, entries);
  return { edits, takenBack: openEdits(entries).length - edits.length, more };
}

/** Of a trail beside a branch whose files are not here. `target`: the newest commit of that branch. */
export async function openElsewhere(
  { objects }: Context,
  tip: string,
  target: string | null,
): Promise<OpenWork> {
  const query = { tip, checkedOut: false, head: target, target, limit: COUNTED_COMMITS };
  const { entries, more } = await readPending(objects, query);
  return { edits: openEdits(entries), takenBack: 0, more };
}

/** Of pending entries of the trail, those that still have something to bring: not what the person took back by hand. */
export async function openHere(
  snapshot: Snapshot,
  entries: readonly PendingEntry[],
): Promise<PendingEntry[]> {
  const open = openEdits(entries);
  if (!(await tellsByHand(snapshot.context, snapshot.trail))) return open;
  const hands = await handsOf(snapshot, entries, open);
  const kept = withoutDiscarded(open, await findDiscarded(snapshot, hands, open));
  return kept.filter(({ paths, void: gone, held }) => paths.some(path => !gone.has(path) && !held.has(path)));
}
