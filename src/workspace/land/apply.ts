/** Edits applied to the branch that they land on, in the form that fits. Nothing is written. */

import { type PathContents, type Pick, Picker } from '../../trail/history/pick.ts';
import type { PendingEntry } from '../../trail/open-edits.ts';
import { sameRecorded } from '../../trail/steps.ts';
import type { TrailEntry } from '../../trail/walk.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { type Hands, ownSteps, picksByHand, type RevisedPlace, revisedConflict } from './by-hand.ts';
import { landConflict } from './conflict.ts';
import { compactPicks, straightPicks } from './select.ts';
import type { LandTarget } from './target.ts';

/** What edits are applied with. */
export interface Work {
  snapshot: Snapshot;
  target: LandTarget;
  entries: readonly PendingEntry[];
  hands: Hands;
  /** True when what the person did by hand lands as well. */
  takesOwn: boolean;
}

export interface Applied {
  picker: Picker;
  parts: Array<{ entry: TrailEntry; changes: PathContents }>;
  revised: RevisedPlace[];
}

/**
 * As the edits were made; or without those that were taken back, which is the cleaner history, where both come to the same
 * or the first does not fit.
 */
export async function applyBest(
  work: Work,
  chosen: readonly PendingEntry[],
  compactFirst: boolean,
): Promise<Applied> {
  const straight = await applyPicks(work, straightPicks(chosen));
  if (fits(straight) && !compactFirst) return straight;
  const compact = await applyPicks(work, compactPicks(chosen));
  if (fits(compact) && (!fits(straight) || isSame(straight, compact))) return compact;
  if (fits(straight)) return straight;
  const { picker, revised } = compactFirst ? compact : straight;
  if (picker.conflicts.length > 0) throw landConflict(picker.conflicts, work.entries, chosen);
  throw revisedConflict(work.snapshot.context, revised);
}

function fits({ picker, revised }: Applied): boolean {
  return picker.conflicts.length + revised.length === 0;
}

function isSame(one: Applied, other: Applied): boolean {
  const [a, b] = [one.picker.changes(), other.picker.changes()];
  return a.size === b.size && [...a].every(([path, held]) => b.has(path) && sameRecorded(held, b.get(path)!));
}

async function applyPicks(work: Work, picks: readonly Pick[]): Promise<Applied> {
  const { snapshot, target, entries, hands, takesOwn } = work;
  const picker = new Picker(snapshot.context.objects, target.tree);
  const byHand = takesOwn
    ? { picks, revised: [] }
    : await picksByHand(snapshot, picker, picks, entries, hands);
  const parts: Applied['parts'] = [];
  for (const pick of byHand.picks) parts.push({ entry: pick.entry, changes: await picker.pick(pick) });
  if (takesOwn) await applyOwn(work, picker, parts);
  return { picker, parts, revised: byHand.revised };
}

/** The person's own changes land with the last edit. */
async function applyOwn({ snapshot, hands }: Work, picker: Picker, parts: Applied['parts']): Promise<void> {
  const last = parts.at(-1)!;
  const changes = new Map(last.changes);
  for (const [path, step] of await ownSteps(snapshot, picker, hands)) {
    const isDone = await picker.apply({ ...step, path, commit: last.entry.commit });
    if (isDone) changes.set(path, picker.now(path));
  }
  last.changes = changes;
}
