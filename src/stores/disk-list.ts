/** The entries of a folder. */

import { orNull } from '../git/fs.ts';
import type { Disk, Folder } from './disk-contract.ts';
import { inFolder } from './disk-walk.ts';
import { foldsTo } from './paths.ts';
import type { StoreEntry } from './store.ts';

/** Sorted by UTF-16 unit; without git's own folder. `null` when it is no folder. */
export function listStored(disk: Disk, path: string): Promise<StoreEntry[] | null> {
  return inFolder(disk, path, folder => entriesIn(disk, folder));
}

/** Names that vanish between the two calls are left out. */
export async function entriesIn(disk: Disk, folder: Folder): Promise<StoreEntry[]> {
  const entries: StoreEntry[] = [];
  for (const name of (await disk.fs.readdir(`${folder.at}/.`)).sort()) {
    if (foldsTo(name) === '.git') continue;
    const stat = await orNull(disk.fs.lstat(`${folder.at}/${name}`));
    if (stat) entries.push({ name, type: stat.type });
  }
  return entries;
}
