/** The check of the reviews of a trail: each commit is one of a review, readable, and changes what it says. */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import { listRefs } from '../../git/refs/ref-list.ts';
import type { Repository } from '../../git/repository/repository.ts';
import { isAccept, isReviewed } from '../../operations.ts';
import { type Fault, fault, faultsOf } from '../../trail/verify/faults.ts';
import { readEntry, readEntryOrNull, type TrailEntry } from '../../trail/walk.ts';

/** The refs of reviews; see accepted-text.ts. */
export const REVIEW_PREFIX = 'refs/vedit-review/';

/** `objects` should read from the disk. */
export async function reviewFaults(
  objects: ObjectDatabase,
  repo: Repository,
  trail: string,
): Promise<Fault[]> {
  const end = `/${trail.replace(/^refs\//, '')}`;
  const faults: Fault[] = [];
  for (const { name, oid } of await listRefs(repo, REVIEW_PREFIX)) {
    if (!name.endsWith(end)) continue;
    const found = await faultsOf(oid, null, () => checkReview(objects, name, oid));
    faults.push(...found.map(one => ({ ...one, message: `${name}: ${one.message}` })));
  }
  return faults;
}

/** Yields the commits of a review, newest first. `read`: what to do where one is not there. */
export async function* reviewCommits(
  objects: ObjectDatabase,
  tip: string | null,
  read: (objects: ObjectDatabase, oid: string) => Promise<TrailEntry | null> = readEntryOrNull,
): AsyncGenerator<TrailEntry> {
  for (let next = tip; next !== null; ) {
    const entry = await read(objects, next);
    if (!entry || !isReviewed(entry.meta?.op)) return;
    yield entry;
    next = entry.parents[0] ?? null;
  }
}

async function checkReview(objects: ObjectDatabase, name: string, oid: string): Promise<Fault[]> {
  const faults: Fault[] = [];
  let above: TrailEntry | null = null;
  for await (const entry of reviewCommits(objects, oid, readEntry)) {
    if (above) faults.push(...(await checkStep(objects, above, entry)));
    above = entry;
  }
  if (!above) return [fault('review', oid, 'it does not lead to a commit of a review.')];
  if (!isAccept(above.meta!.op))
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
