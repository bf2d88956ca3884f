/** Finds commits of a history by others: those since one, and the place of a commit of the branch. */

import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { isAncestor } from '../git/rev-list.ts';
import { isHead } from '../operations.ts';
import type { TrailHead } from './head.ts';
import { type TrailEntry, walkTrail } from './walk.ts';

type Walked = Pick<TrailHead, 'checkedOut' | 'tip' | 'parent'>;

/**
 * The trail's commits after `target`, newest first. The target may be the commit that the trail began on; `null` where it
 * is neither that nor on the trail.
 */
export async function entriesSince(
  objects: ObjectDatabase,
  trail: Walked,
  target: string,
): Promise<TrailEntry[] | null> {
  const since: TrailEntry[] = [];
  let below = trail.parent;
  for await (const entry of walkTrail(objects, trail.tip && trail.parent, { ownOnly: !trail.checkedOut })) {
    if (entry.commit === target) return since;
    since.push(entry);
    below = entry.parents[0] ?? null;
  }
  return below === target ? since : null;
}

/**
 * Finds the commit of the trail from which to count what was edited since `commit`: `commit` itself where it is on the
 * trail; for a commit of the branch, the newest commit that joined it into the trail, or the first one that has it in its
 * history. `null` where the trail knows nothing of it, or began above it.
 */
export async function placeOnTrail(
  objects: ObjectDatabase,
  trail: Walked,
  commit: string,
): Promise<string | null> {
  if (trail.parent === null) return null;
  const line: string[] = [];
  let below: string | null = trail.parent;
  for await (const entry of walkTrail(objects, trail.tip && trail.parent, { ownOnly: !trail.checkedOut })) {
    if (entry.commit === commit) return commit;
    if (isHead(entry.meta?.op) && entry.meta?.head === commit) return entry.commit;
    line.push(entry.commit);
    below = entry.parents[0] ?? null;
  }
  if (below === commit) return commit;
  const isOlder = below !== null && (await isAncestor(objects, commit, below));
  return isOlder ? null : oldestWith(objects, line, commit);
}

/** Returns the oldest one of a line of commits, newest first, that has `commit` in its history. */
async function oldestWith(
  objects: ObjectDatabase,
  line: readonly string[],
  commit: string,
): Promise<string | null> {
  let [low, high] = [0, line.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await isAncestor(objects, commit, line[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? null : line[low - 1]!;
}
