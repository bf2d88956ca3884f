/** What a rollback is about: the paths that the engine touched since a commit, and the way back to what they held. */

import { EditError } from '../errors.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { lookup } from '../git/objects/tree.ts';
import type { TrailHead } from './head.ts';
import { type Recorded, type Step, sameRecorded, undoSteps } from './steps.ts';
import { readEntry, type TrailEntry, walkTrail } from './walk.ts';

export interface RollbackPlan {
  steps: Step[];
  /** Paths whose text others changed too since then: there the engine's edits are taken back one by one. */
  outside: string[];
}

/** What a rollback needs to know of the trail. */
export type Rolled = Pick<TrailHead, 'ref' | 'checkedOut' | 'tip' | 'parent' | 'tree'>;

/** Plans the way from the trail's head back to `target`. Throws INVALID_INPUT when it is not on the trail. */
export async function planRollback(
  objects: ObjectDatabase,
  trail: Rolled,
  target: string,
  only?: readonly string[],
): Promise<RollbackPlan> {
  const since = await entriesSince(objects, trail, target);
  const wanted = (path: string): boolean =>
    !only || only.some(one => path === one || path.startsWith(`${one}/`));
  const touched = [...new Set(since.filter(isOwn).flatMap(entry => entry.meta!.paths))].filter(wanted).sort();
  const others = new Set<string>();
  for (const entry of since)
    for (const path of await changedByOthers(objects, entry, touched)) others.add(path);
  const steps = await straightSteps(
    objects,
    trail,
    target,
    touched.filter(path => !others.has(path)),
  );
  for (const entry of since.filter(isOwn)) {
    steps.push(...(await undoSteps(objects, entry)).filter(step => others.has(step.path)));
  }
  return { steps, outside: [...others] };
}

/** A commit that holds what the engine did, not what it found. */
function isOwn(entry: TrailEntry): boolean {
  return entry.meta !== null && entry.meta.op !== 'outside' && entry.meta.op !== 'sync';
}

/** Which of the paths a commit of others changed: outside changes, commits of the person, HEAD that moved. */
async function changedByOthers(
  objects: ObjectDatabase,
  entry: TrailEntry,
  paths: readonly string[],
): Promise<string[]> {
  if (isOwn(entry)) return [];
  if (entry.meta?.op === 'outside') return paths.filter(path => entry.meta!.paths.includes(path));
  const before = entry.parents[0] ? (await readEntry(objects, entry.parents[0])).tree : null;
  const changed: string[] = [];
  for (const path of paths) {
    if (!sameRecorded(await at(objects, before, path), await at(objects, entry.tree, path)))
      changed.push(path);
  }
  return changed;
}

async function straightSteps(
  objects: ObjectDatabase,
  trail: Rolled,
  target: string,
  paths: readonly string[],
): Promise<Step[]> {
  const then = (await readEntry(objects, target)).tree;
  const steps: Step[] = [];
  for (const path of paths) {
    steps.push({
      path,
      from: await at(objects, trail.tree, path),
      to: await at(objects, then, path),
      commit: target,
    });
  }
  return steps;
}

async function at(objects: ObjectDatabase, tree: string | null, path: string): Promise<Recorded> {
  return tree ? lookup(objects, tree, path) : null;
}

/** The trail's commits after `target`, newest first. The target may be the commit that the trail began on. */
async function entriesSince(objects: ObjectDatabase, trail: Rolled, target: string): Promise<TrailEntry[]> {
  const since: TrailEntry[] = [];
  let below = trail.parent;
  const newest = trail.tip && trail.parent;
  for await (const entry of walkTrail(objects, newest, { ownOnly: !trail.checkedOut })) {
    if (entry.commit === target) return since;
    since.push(entry);
    below = entry.parents[0] ?? null;
  }
  if (below === target) return since;
  throw new EditError(
    'INVALID_INPUT',
    `${target.slice(0, 12)} is not a commit of this trail. \`log\` lists those that are.`,
    { commit: target, trail: trail.ref },
  );
}
