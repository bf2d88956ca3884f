/** Reads what commits and trees hold at single paths. */

import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { lookup } from '../git/objects/tree.ts';
import { isTree } from '../git/objects/tree-entries.ts';
import { treeOf } from './walk.ts';

/** The entry of a tree at a path; `null` is nothing. */
export type Recorded = { mode: string; oid: string } | null;

/** A file as git would record it. `content`: `null` for what is no regular file. */
export type FileContent = NonNullable<Recorded> & { content: Uint8Array | null };

/** A change of one file. */
export interface FileStep {
  path: string;
  from: Recorded;
  to: Recorded;
}

/** Returns what a commit holds at a path; `null` is a commit that is not there yet. */
export async function fileAtCommit(
  objects: ObjectDatabase,
  commit: string | null | undefined,
  path: string,
): Promise<Recorded> {
  return commit ? fileAt(objects, await treeOf(objects, commit), path) : null;
}

/** Returns what a tree holds at the path of a file: a folder there, which may have made room for it, is nothing. */
export async function fileAt(objects: ObjectDatabase, tree: string, path: string): Promise<Recorded> {
  const ref = await lookup(objects, tree, path);
  return ref && isTree(ref.mode) ? null : ref;
}

export function sameRecorded(a: Recorded, b: Recorded): boolean {
  return a?.oid === b?.oid && a?.mode === b?.mode;
}

/** Old repositories hold 100664: to the engine, and to git's index, that is a regular file like any other. */
export function plainEntry(recorded: Recorded): Recorded {
  return recorded?.mode.startsWith('1006') ? { ...recorded, mode: '100644' } : recorded;
}
