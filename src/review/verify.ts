/** The check of the reviews of a trail: each commit is one of a review, readable, and changes what it says. */

import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { diffTrees } from '../git/objects/tree-diff.ts';
import { listRefs } from '../git/refs/ref-list.ts';
import type { Repository } from '../git/repository/repository.ts';
import { type Fault, fault, faultsOf } from '../history/verify/faults.ts';
import { readEntry, type TrailEntry } from '../history/walk.ts';
import { isAccept, isUnaccept } from '../operations.ts';
import { isReviewOf, REVIEW_PREFIX, reviewCommits } from './review-ref.ts';

/** Checks every review of the trail. `objects` should read from the disk. */
export async function reviewFaults(
  objects: ObjectDatabase,
  repo: Repository,
  trail: string,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const { name, oid } of await listRefs(repo, REVIEW_PREFIX)) {
    if (!isReviewOf(trail, name)) continue;
    const found = await faultsOf(oid, null, () => checkReview(objects, name, oid));
    faults.push(...found.map(one => ({ ...one, message: `${name}: ${one.message}` })));
  }
  return faults;
}

async function checkReview(objects: ObjectDatabase, name: string, oid: string): Promise<Fault[]> {
  const faults: Fault[] = [];
  let above: TrailEntry | null = null;
  for await (const entry of reviewCommits(objects, oid, readEntry)) {
    if (above) faults.push(...(await checkStep(objects, above, entry)));
    above = entry;
  }
  if (!above) return [fault('review', oid, 'it does not lead to a commit of a review.')];
  if (isUnaccept(above.meta!.op))
    faults.push(fault('review', above.commit, `${name} begins with something taken back.`));
  return faults;
}

/** An acceptance changes the paths that it names, and no others; all that it holds there can be read. */
async function checkStep(
  objects: ObjectDatabase,
  { commit, tree, meta }: TrailEntry,
  below: TrailEntry,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  const named = new Set(meta!.paths);
  for (const { path, after } of await diffTrees(objects, below.tree, tree)) {
    if (after && after.mode !== '160000') await objects.read(after.oid);
    if (isAccept(meta!.op) && !named.has(path))
      faults.push(fault('review', commit, 'it accepts a file that it does not name.', path));
  }
  return faults;
}
