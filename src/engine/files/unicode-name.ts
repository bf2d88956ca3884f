/** Names that look the same and are not: NFC, which most programs write, and NFD, as some disks and archives have it. */

import { fromLatin1, nameOf } from '../../bytes.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { lookup } from '../../git/objects/tree.ts';
import { isTree, parseTree, type TreeEntry } from '../../git/objects/tree-entries.ts';
import { isAscii, isSameName } from '../../stores/paths.ts';
import { pathName } from '../../wording.ts';

/** Says that the file has its name in another Unicode form than the path that was given; `null` where it does not. */
export function otherFormNote(given: string, path: string): string | null {
  const isOther = !isAscii(path) && !given.endsWith(path);
  if (!isOther || !given.normalize('NFC').endsWith(path.normalize('NFC'))) return null;
  return `${pathName(path)} is the name on disk, in another Unicode form than the path that was given`;
}

/** The path of a tree that this is in another Unicode form; `null` where it has this one itself, or several, or none. */
export async function nameInTree(
  objects: ObjectDatabase,
  tree: string,
  path: string,
): Promise<string | null> {
  if (await lookup(objects, tree, path)) return null;
  let [at, folder]: [string, string | null] = ['', tree];
  for (const name of path.split('/')) {
    const entries: readonly TreeEntry[] =
      folder === null ? [] : parseTree((await objects.read(folder, 'tree')).content);
    const named = new Map(entries.map(one => [nameOf(fromLatin1(one.name)), one]));
    const fits = named.has(name) ? [name] : [...named.keys()].filter(one => isSameName(one, name));
    if (fits.length !== 1) return null;
    const { mode, oid } = named.get(fits[0]!)!;
    at = at === '' ? fits[0]! : `${at}/${fits[0]}`;
    folder = isTree(mode) ? oid : null;
  }
  return at;
}
