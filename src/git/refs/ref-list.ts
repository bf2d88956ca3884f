/** Lists refs: the files below a folder, and the lines of `packed-refs` that no file overrides. */

import { fromLatin1, fromUtf8 } from '../../bytes.ts';
import { readFailed } from '../../fs/failures.ts';
import { isMissing } from '../../fs/fs.ts';
import type { Repository } from '../repository/repository.ts';
import { checkRefName } from './ref-name.ts';
import { damagedPackedRefs, followRef, packedRefs, refFolder } from './refs.ts';

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
  const names = await entriesOf(repository, folder);
  const below = await Promise.all(
    names.map(async name => {
      const path = `${folder}/${name}`;
      if (!checkRefName(path)) return [];
      return (await isFolder(repository, path)) ? await listLoose(repository, path) : [path];
    }),
  );
  return below.flat();
}

async function entriesOf(repository: Repository, folder: string): Promise<string[]> {
  try {
    return await repository.fs.readdir(`${refFolder(repository, `${folder}/`)}/${folder}`);
  } catch (error) {
    if (isMissing(error)) return [];
    throw readFailed(error, `the refs below ${folder}`);
  }
}

async function isFolder(repository: Repository, path: string): Promise<boolean> {
  try {
    return (await repository.fs.lstat(`${refFolder(repository, `${path}/`)}/${path}`))?.type === 'directory';
  } catch (error) {
    throw readFailed(error, `the ref ${path}`);
  }
}

/** `<id> <name>` a line; `^<id>` below it is what a tag leads to, `#` begins the header. */
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
