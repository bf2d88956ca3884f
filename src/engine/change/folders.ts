/** Folders that a change empties, so that a file can stand in their place. */

import { type EditError, isEditError } from '../../errors.ts';
import type { StoredFile } from '../../stores/store.ts';
import { namesIn } from '../files/listing.ts';
import type { Snapshot } from '../files/snapshot.ts';

/** Returns what `read` answers, or `null` for a folder: whether a file can come there is for `replacedFile` to say. */
export async function orNone<T>(
  read: () => Promise<T>,
  isFolder: (refusal: EditError) => void = () => {},
): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!isEditError(error, 'IS_DIRECTORY')) throw error;
    isFolder(error);
    return null;
  }
}

/**
 * The file that a target replaces; `null` where there is none, and where there is a folder of which the targets delete
 * all files. Throws IS_DIRECTORY for any other folder.
 */
export async function replacedFile(
  snapshot: Snapshot,
  path: string,
  targets: ReadonlyMap<string, unknown>,
): Promise<StoredFile | null> {
  try {
    return await snapshot.file(path);
  } catch (error) {
    if (!isEditError(error, 'IS_DIRECTORY')) throw error;
    if (targets.get(path) !== null && !(await isCleared(snapshot, path, targets))) throw error;
    snapshot.noFile(path);
    return null;
  }
}

/** True when the targets delete all files of the folder. */
async function isCleared(
  snapshot: Snapshot,
  folder: string,
  targets: ReadonlyMap<string, unknown>,
): Promise<boolean> {
  for (const name of await names(snapshot, folder)) {
    const path = `${folder}/${name.replace(/\/$/, '')}`;
    const isGone = name.endsWith('/') ? await isCleared(snapshot, path, targets) : targets.get(path) === null;
    if (!isGone) return false;
  }
  return true;
}

/** Lists the names in a folder, those that git ignores too: they would be lost with it. */
async function names(snapshot: Snapshot, folder: string): Promise<string[]> {
  const { store } = snapshot.context;
  if (!store.separate) return (await namesIn(snapshot, folder, null)) ?? [''];
  const entries = (await store.list(folder)) ?? [];
  return entries.map(({ name, type }) => (type === 'directory' ? `${name}/` : name));
}
