/** Edits applied to the branch that they land on, in the form that fits. Nothing is written. */

import { CherryPicker, type PathContents, type Pick } from '../../trail/history/cherry-pick.ts';
import type { PendingEntry } from '../../trail/open-edits.ts';
import { sameRecorded } from '../../trail/steps.ts';
import type { TrailEntry } from '../../trail/walk.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { type Hands, ownSteps, picksByHand, type RevisedPlace, revisedConflict } from './by-hand.ts';
import { landConflict } from './conflict.ts';
import { rowsOf } from './rows.ts';
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
  picker: CherryPicker;
  parts: AppliedPart[];
  revised: RevisedPlace[];
}

/** One edit of them. */
export interface AppliedPart {
  entry: TrailEntry;
  /** True when it changes something here. */
  brings: boolean;
  /** What its paths hold after it; without those that were applied in a row with other edits. */
  changes: PathContents;
}

/**
 * As the edits were made; or without those that were taken back, which is the cleaner history, where both come to the same
 * or the first does not fit. `each`: they become a commit each, so that the cleaner one comes first, and of each edit it is
 * asked what it leaves.
 */
export async function applyBest(
  work: Work,
  chosen: readonly PendingEntry[],
  each: boolean,
): Promise<Applied> {
  const straight = await applyPicks(work, straightPicks(chosen), each);
  if (fits(straight) && !each) return straight;
  const compact = await applyPicks(work, compactPicks(chosen), each);
  if (fits(compact) && (!fits(straight) || isSame(straight, compact))) return compact;
  if (fits(straight)) return straight;
  const { picker, revised } = each ? compact : straight;
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

/** `each`: one edit after another, so that each part has all of its changes; else in rows where they follow each other. */
export async function applyPicks(work: Work, picks: readonly Pick[], each: boolean): Promise<Applied> {
  const { snapshot, target, entries, hands, takesOwn } = work;
  const { objects } = snapshot.context;
  const picker = new CherryPicker(objects, target.tree);
  const byHand = takesOwn
    ? { picks, revised: [] }
    : await picksByHand(snapshot, picker, picks, entries, hands);
  const done = new Set<string>();
  await picker.lookUp(new Set(byHand.picks.flatMap(({ paths }) => paths)));
  for (const row of each ? [] : await rowsOf(objects, entries, byHand.picks))
    if (await picker.pickRow(row)) done.add(row.path);
  const parts: AppliedPart[] = [];
  for (const pick of byHand.picks) parts.push(await applyRest(picker, pick, done));
  if (takesOwn) await applyOwn(work, picker, parts);
  return { picker, parts, revised: byHand.revised };
}

/** What of an edit was not applied in a row. */
async function applyRest(picker: CherryPicker, pick: Pick, done: ReadonlySet<string>): Promise<AppliedPart> {
  const paths = pick.paths.filter(path => !done.has(path));
  const changes: PathContents = paths.length > 0 ? await picker.pick({ ...pick, paths }) : new Map();
  return { entry: pick.entry, brings: changes.size > 0 || paths.length < pick.paths.length, changes };
}

/** The person's own changes land with the last edit. */
async function applyOwn(
  { snapshot, hands }: Work,
  picker: CherryPicker,
  parts: AppliedPart[],
): Promise<void> {
  const last = parts.at(-1)!;
  const changes = new Map(last.changes);
  for (const [path, step] of await ownSteps(snapshot, picker, hands)) {
    const isDone = await picker.apply({ ...step, path, commit: last.entry.commit });
    if (isDone) changes.set(path, picker.now(path));
    last.brings ||= isDone;
  }
  last.changes = changes;
}
