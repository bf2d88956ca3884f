/** Lists refs: the files below a folder, and the lines of `packed-refs` that no file overrides. */

import { fromLatin1, fromUtf8 } from '../../bytes.ts';
import { reading } from '../../fs/failures.ts';
import { orNull } from '../../fs/fs.ts';
import type { Repository } from '../repository/repository.ts';
import { checkRefName, damagedPackedRefs, followRef, packedRefs, refFolder } from './refs.ts';

export interface NamedRef {
  name: string;
  oid: string;
}

/**
 * Every ref below `prefix` (`refs/heads/`, `refs/vedit/`; it ends with `/`), sorted by name. Symbolic refs show what
 * they lead to, and are left out when that does not exist; so is what is no ref by its name. Throws CORRUPT, STORE_FAILED.
 */
export async function listRefs(repository: Repository, prefix: string): Promise<NamedRef[]> {
  const loose = new Map<string, string | null>();
  for (const name of await listLoose(repository, prefix.replace(/\/$/, '')))
    loose.set(name, (await followRef(repository, name)).oid);
  // After the files: `git pack-refs` writes the line first and then removes the file.
  const found = new Map((await listPacked(repository, prefix)).map(({ name, oid }) => [name, oid]));
  for (const [name, oid] of loose) {
    if (oid === null) found.delete(name);
    else found.set(name, oid);
  }
  return [...found].map(([name, oid]) => ({ name, oid })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function listLoose(repository: Repository, folder: string): Promise<string[]> {
  const { fs } = repository;
  const pathOf = (name: string): string => `${refFolder(repository, `${name}/`)}/${name}`;
  const names = await reading(`the refs below ${folder}`, orNull(fs.readdir(pathOf(folder))));
  const listed = (names ?? []).map(async name => {
    const path = `${folder}/${name}`;
    if (!checkRefName(path)) return [];
    const stat = await reading(`the ref ${path}`, fs.lstat(pathOf(path)));
    return stat?.type === 'directory' ? await listLoose(repository, path) : [path];
  });
  return (await Promise.all(listed)).flat();
}

/** Reads `packed-refs`: `<id> <name>` a line; `^<id>` below it is what a tag leads to, `#` begins the header. */
async function listPacked(repository: Repository, prefix: string): Promise<NamedRef[]> {
  const refs: NamedRef[] = [];
  for (const line of (await packedRefs(repository)).split('\n')) {
    if (line === '' || line.startsWith('#') || line.startsWith('^')) continue;
    const [, oid, bytes] = /^([0-9a-f]{40}) (.+)$/s.exec(line) ?? [];
    if (oid === undefined || bytes === undefined) throw damagedPackedRefs();
    const name = fromUtf8(fromLatin1(bytes));
    if (name?.startsWith(prefix)) refs.push({ name, oid });
  }
  return refs;
}
