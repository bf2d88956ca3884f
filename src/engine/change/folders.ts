/** Folders that a change empties, so that a file can stand in their place, and those of submodules. */

import { type EditError, isEditError } from '../../errors.ts';
import { ensureFolder } from '../../fs/durable.ts';
import { orNull } from '../../fs/fs.ts';
import { assertNoSymlinks } from '../../fs/no-symlinks.ts';
import type { StoredFile } from '../../stores/store.ts';
import type { Context } from '../context.ts';
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
export async function isCleared(
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

/** The modes of a path before and after a change. */
interface RecordedChange {
  path: string;
  recorded: Record<'before' | 'after', Pick<StoredFile, 'mode'> | null>;
}

/**
 * Makes the empty folders of submodules; `null` where none comes or goes. Nothing depends on them: one that cannot be made is made
 * by `git submodule update`.
 */
export function placeSubmodules(context: Context, changes: readonly RecordedChange[]): Promise<void> | null {
  if (context.repo.workDir === null || !context.store.separate) return null;
  const moved = changes.filter(
    ({ recorded: { before, after } }) => (before?.mode === '160000') !== (after?.mode === '160000'),
  );
  return moved.length === 0 ? null : place(context, moved);
}

async function place({ fs, root }: Context, changes: readonly RecordedChange[]): Promise<void> {
  for (const { path, recorded } of changes) {
    const place = async (): Promise<void> => {
      await assertNoSymlinks(fs, root, `${root}/${path}`);
      if (recorded.after?.mode === '160000') await ensureFolder(fs, `${root}/${path}`);
      else if (!recorded.after) await orNull(fs.rmdir(`${root}/${path}`));
    };
    await place().catch(() => {});
  }
}
