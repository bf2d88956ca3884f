/**
 * Finds what a rollback is about: the paths that the engine touched since a commit, and the way back to what they held.
 */

import { EditError } from '../../errors.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { isAncestor } from '../../git/rev-list.ts';
import { isHead, isWork } from '../../operations.ts';
import { shortId, toolName } from '../../wording.ts';
import { changedPaths, isBelow } from '../changed-paths.ts';
import type { TrailHead } from '../head.ts';
import { fileAt, fileAtCommit, type Step, undoSteps } from '../steps.ts';
import { type TrailEntry, walkTrail } from '../walk.ts';
import { UndoState } from './undo.ts';

export interface RollbackPlan {
  steps: Step[];
  /** Paths whose text others changed too since then: there the engine's edits are taken back one by one. */
  outside: string[];
  /** The edits that this takes back, newest first; those that were taken back before are not among them. */
  edits: TrailEntry[];
}

/** The part of the trail that a rollback needs. */
export type Rolled = Pick<TrailHead, 'ref' | 'checkedOut' | 'tip' | 'parent' | 'tree'>;

/** Plans the way from the trail's head back to `target`; see placeOnTrail. Throws INVALID_INPUT when it is not on the trail. */
export async function planRollback(
  objects: ObjectDatabase,
  trail: Rolled,
  target: string,
  only?: readonly string[],
): Promise<RollbackPlan> {
  const since = await entriesSince(objects, trail, target);
  if (!since) throw notOnTrail(target, trail);
  const wanted = (path: string): boolean => !only || only.some(one => isBelow(path, one));
  const touched = [...new Set(since.filter(isOwn).flatMap(entry => entry.meta!.paths))].filter(wanted).sort();
  const others = new Set<string>();
  for (const entry of since.filter(one => !isOwn(one)))
    for (const path of await changedPaths(objects, entry, touched)) others.add(path);
  const steps: Step[] = [];
  for (const path of touched.filter(one => !others.has(one))) {
    const from = trail.tree ? await fileAt(objects, trail.tree, path) : null;
    steps.push({ path, from, to: await fileAtCommit(objects, target, path), commit: target });
  }
  for (const entry of since.filter(isOwn))
    steps.push(...(await undoSteps(objects, entry)).filter(step => others.has(step.path)));
  return { steps, outside: [...others], edits: openSince(since, touched) };
}

/** The edits since then that still stand, as far as they are about the paths. */
function openSince(since: readonly TrailEntry[], paths: readonly string[]): TrailEntry[] {
  const wanted = new Set(paths);
  const state = new UndoState();
  const found: TrailEntry[] = [];
  const undone = new Set<string>();
  for (const entry of since) {
    state.note(entry);
    if (!isOwn(entry) || !entry.meta!.paths.some(path => wanted.has(path))) continue;
    if (state.isUndone(entry.commit)) undone.add(entry.commit);
    else found.push(entry);
  }
  // What takes back or puts back only edits that do not stand brings nothing besides.
  return found.filter(({ meta }) => {
    const named = [...(meta!.undoes ?? []), ...(meta!.redoes ?? [])];
    return named.length === 0 || !named.every(commit => undone.has(commit));
  });
}

/** A commit that holds what the engine did, not what it found. */
function isOwn(entry: TrailEntry): boolean {
  return isWork(entry.meta?.op);
}

/**
 * The trail's commits after `target`, newest first. The target may be the commit that the trail began on; `null` where it
 * is neither that nor on the trail.
 */
export async function entriesSince(
  objects: ObjectDatabase,
  trail: Pick<Rolled, 'checkedOut' | 'tip' | 'parent'>,
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
  trail: Pick<Rolled, 'checkedOut' | 'tip' | 'parent'>,
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

function notOnTrail(target: string, trail: Rolled): EditError {
  return new EditError(
    'INVALID_INPUT',
    `${shortId(target)} is not a commit of this history, nor one of the branch that it was brought up to. ${toolName('log')} lists its commits; the one below its first takes back all of them.`,
    { commit: target, trail: trail.ref },
  );
}
