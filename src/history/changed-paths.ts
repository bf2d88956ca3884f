/** Finds the paths that one commit of the trail changes. */

import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { lookup } from '../git/objects/tree.ts';
import { isHead } from '../operations.ts';
import type { TrailMeta } from './message.ts';
import { type Recorded, sameRecorded } from './steps.ts';
import { readEntry, type TrailEntry } from './walk.ts';

/**
 * Those of the files and folders that the commit changes, or changes something in. The engine's own commits say so; one
 * of a person, and one that joins two histories, is compared with its first parent.
 */
export async function changedPaths(
  objects: ObjectDatabase,
  entry: TrailEntry,
  paths: readonly string[],
): Promise<string[]> {
  if (namesPaths(entry))
    return paths.filter(path => entry.meta.paths.some(changed => isBelow(changed, path)));
  const { parents, tree } = entry;
  const before = parents[0] ? (await readEntry(objects, parents[0])).tree : null;
  const at = async (root: string | null, path: string): Promise<Recorded> =>
    // A folder is a tree, which differs where something below it does.
    root ? lookup(objects, root, path) : null;
  const changed: string[] = [];
  for (const path of paths)
    if (!sameRecorded(await at(before, path), await at(tree, path))) changed.push(path);
  return changed;
}

export function namesPaths(entry: TrailEntry): entry is TrailEntry & { meta: TrailMeta } {
  return entry.meta !== null && !isHead(entry.meta.op);
}

/** True for the path itself and for everything in the folder of that name; without `folder`, for every path. */
export function isBelow(path: string, folder: string | undefined): boolean {
  return folder === undefined || path === folder || path.startsWith(`${folder}/`);
}
