/** A change that is made and not finished, where somebody removed the engine's folder with all that was staged. */

import { exists } from '../../fs/durable.ts';
import type { Staged, StoreChange } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { makeFolders } from './engine-folder.ts';

/**
 * Stages what is not in place yet once more: the record is gone too, so that nobody else could go on. Throws the error that
 * came of it where the folder is there.
 */
export async function stagedAgain(
  context: Context,
  changes: readonly StoreChange[],
  name: string,
  error: unknown,
): Promise<Staged> {
  const { fs, folder, store } = context;
  if (await exists(fs, `${folder}/tmp`)) throw error;
  await makeFolders(context);
  const left: StoreChange[] = [];
  for (const change of changes) {
    const now = await store.read(change.path);
    if (now?.version !== change.after?.version) left.push(change);
  }
  return store.stage(left, name);
}
