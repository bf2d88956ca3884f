/** What a rollback is about: the paths that the engine touched since a commit, and what they held then. */

import { EditError } from '../errors.ts';
import type { ObjectDatabase } from '../git/object-database.ts';
import { lookup } from '../git/tree.ts';
import type { TrailHead } from './head.ts';
import type { Step } from './steps.ts';
import { readEntry, type TrailEntry, walkTrail } from './walk.ts';

export interface RollbackPlan {
  steps: Step[];
  /** Paths whose text somebody changed outside the engine since then, by the commit that recorded it. */
  outside: Map<string, string>;
}

/** Plans the way from the trail's head back to `target`. Throws INVALID_INPUT when it is not on the trail. */
export async function planRollback(
  objects: ObjectDatabase,
  trail: TrailHead,
  target: string,
  only?: readonly string[],
): Promise<RollbackPlan> {
  const since = await entriesSince(objects, trail, target);
  const then = (await readEntry(objects, target)).tree;
  const outside = new Map<string, string>();
  const touched = new Set<string>();
  for (const entry of since) {
    for (const path of entry.meta?.paths ?? []) {
      if (entry.meta?.op === 'outside') outside.set(path, entry.commit);
      else if (entry.meta?.op !== 'sync') touched.add(path);
    }
  }
  const paths = [...touched].filter(
    path => !only || only.some(one => path === one || path.startsWith(`${one}/`)),
  );
  const steps: Step[] = [];
  for (const path of paths.sort()) {
    const from = trail.tree ? await lookup(objects, trail.tree, path) : null;
    steps.push({ path, from, to: await lookup(objects, then, path), commit: target });
  }
  return { steps, outside };
}

/** The trail's commits after `target`, newest first. */
async function entriesSince(
  objects: ObjectDatabase,
  trail: TrailHead,
  target: string,
): Promise<TrailEntry[]> {
  const since: TrailEntry[] = [];
  for await (const entry of walkTrail(objects, trail.oid, { ownOnly: false })) {
    if (entry.commit === target) return since;
    since.push(entry);
    if (!trail.checkedOut && !entry.meta) break;
  }
  throw new EditError(
    'INVALID_INPUT',
    `${target.slice(0, 12)} is not a commit of this trail. \`log\` lists those that are.`,
    { commit: target, trail: trail.ref },
  );
}
