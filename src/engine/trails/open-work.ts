/** The edits of which something is in the files and not on the branch. Whoever counts them (status, sessions, trails) counts these. */

import { diffTrees } from '../../git/objects/tree-diff.ts';
import { isWork } from '../../operations.ts';
import type { EditStatus } from '../../trail/history/status.ts';
import { type TrailEntry, treeOf } from '../../trail/walk.ts';
import { type Context, toTrail } from '../context.ts';
import { type OutsideChange, outsideChanges } from '../files/outside.ts';
import { Snapshot } from '../files/snapshot.ts';
import { EditStatuses } from '../status/edit-status.ts';

export interface OpenWork {
  /** Oldest first. */
  edits: TrailEntry[];
  /** The number of edits of the same files the person took back by hand. */
  takenBack: number;
  /** True when there are older commits that were not looked at. */
  more: boolean;
}

const NONE: OpenWork = { edits: [], takenBack: 0, more: false };

/**
 * Returns the open work of the trail beside the branch that is checked out, brought up to HEAD. `statuses` and `outside`: what
 * is known of it already.
 */
export async function openWork(
  snapshot: Snapshot,
  statuses: EditStatuses = new EditStatuses(snapshot),
  outside?: readonly OutsideChange[],
): Promise<OpenWork> {
  const { context, trail } = snapshot;
  if (trail.checkedOut || !trail.tip) return NONE;
  const changes = outside ?? (await outsideChanges(snapshot)).changes;
  return openIn(statuses, [
    ...(await differing(snapshot)),
    ...changes.map(({ path }) => toTrail(context, path)),
  ]);
}

/**
 * Returns the open work of a trail beside a branch whose files are not here. `target`: the newest commit of that
 * branch.
 */
export async function openWorkOf(
  context: Context,
  ref: string,
  tip: string,
  target: string | null,
): Promise<OpenWork> {
  const trail = {
    ref,
    checkedOut: false,
    oid: tip,
    tip,
    parent: tip,
    tree: await treeOf(context.objects, tip),
    head: target,
    branch: null,
    seen: target,
  };
  const snapshot = new Snapshot(context, trail);
  return openIn(new EditStatuses(snapshot, { files: false }), await differing(snapshot));
}

/** The paths that the trail holds otherwise than HEAD. */
async function differing({ context: { objects }, trail }: Snapshot): Promise<string[]> {
  const head = trail.head && (await treeOf(objects, trail.head));
  return (await diffTrees(objects, head, trail.tree)).map(({ path }) => path);
}

async function openIn(statuses: EditStatuses, paths: readonly string[]): Promise<OpenWork> {
  if (paths.length === 0) return NONE;
  const { rows: newest, more } = await statuses.newest();
  const about = await statuses.inFiles(paths);
  const edits: TrailEntry[] = [];
  for (const row of newest) if (about.has(row.commit) && isWork(row.op)) edits.push(await row.entry());
  const found = await statuses.of(edits.reverse());
  const words = (entry: TrailEntry): EditStatus => found.get(entry.commit)!;
  const open: TrailEntry[] = [];
  for (const entry of edits) {
    const isOpen = words(entry).landed_in === null || words(entry).now !== 'landed';
    if (isOpen && (await statuses.isOpen(entry))) open.push(entry);
  }
  return {
    edits: open,
    takenBack: edits.filter(entry => words(entry).now === 'taken back by hand').length,
    more,
  };
}
