/** Folders, for stores that know only the paths of files. */

import type { StoreEntry } from './store.ts';

/** The entries of a folder ('' is the root), sorted by name, out of the paths of all files; `null` when there are none. */
export function entriesBelow(paths: readonly string[], folder: string): StoreEntry[] | null {
  const prefix = folder === '' ? '' : `${folder}/`;
  const found = new Map<string, StoreEntry>();
  for (const path of paths.filter(one => one.startsWith(prefix))) {
    const [name, ...deeper] = path.slice(prefix.length).split('/');
    found.set(name!, { name: name!, type: deeper.length > 0 ? 'directory' : 'file' });
  }
  if (found.size === 0 && folder !== '') return null;
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
