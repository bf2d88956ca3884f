/** Git keeps refs as files, so there is no ref `a` beside a ref `a/b`. */

import { type Fs, isMissing } from '../../fs/fs.ts';
import type { Repository } from '../repository/repository.ts';
import { listRefs } from './ref-list.ts';
import { readRef, refPath } from './refs.ts';

/**
 * The ref that keeps a new one from being made, or `null`. Folders without refs, as a deleted ref leaves them behind,
 * are removed. Throws CORRUPT, STORE_FAILED.
 */
export async function refInTheWay(repository: Repository, name: string): Promise<string | null> {
  const parts = name.split('/');
  for (let count = 2; count < parts.length; count++) {
    const above = parts.slice(0, count).join('/');
    if ((await readRef(repository, above)) !== null) return above;
  }
  const [below] = await listRefs(repository, `${name}/`);
  if (!below) await removeFolders(repository.fs, refPath(repository, name));
  return below?.name ?? null;
}

async function removeFolders(fs: Fs, path: string): Promise<void> {
  try {
    if ((await fs.lstat(path)).type !== 'directory') return;
    for (const name of await fs.readdir(path)) await removeFolders(fs, `${path}/${name}`);
    await fs.rmdir(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
