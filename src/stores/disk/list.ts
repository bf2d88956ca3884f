/** The entries of a folder. */

import { foldsTo } from '../paths.ts';
import type { StoreEntry } from '../store.ts';
import { assertReal, type Disk, type Folder } from './contract.ts';
import { inFolder } from './walk.ts';

/** Lists a folder, sorted by UTF-16 unit, without git's own folder. `null` when it is no folder. */
export async function listStored(disk: Disk, path: string, most?: number): Promise<StoreEntry[] | null> {
  assertReal(path, true);
  return inFolder(disk, path, folder => entriesIn(disk, folder, most));
}

/** Lists an open folder. Names that vanish between the two calls are left out. */
export async function entriesIn(
  disk: Disk,
  folder: Folder,
  most: number = Number.POSITIVE_INFINITY,
): Promise<StoreEntry[]> {
  // One more, for git's own folder is none of them.
  const names = (await disk.fs.readdir(`${folder.at}/.`)).slice(0, most + 1);
  const entries: StoreEntry[] = [];
  for (const name of names
    .filter(one => foldsTo(one) !== '.git')
    .slice(0, most)
    .sort()) {
    const stat = await disk.fs.lstat(`${folder.at}/${name}`);
    if (stat) entries.push({ name, type: stat.type });
  }
  return entries;
}
