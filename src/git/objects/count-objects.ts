/** Measures how much room the objects of a repository take. */

import { reading } from '../../fs/failures.ts';
import { type Fs, orNull } from '../../fs/fs.ts';
import { loosePath } from './loose.ts';

export interface RepositorySize {
  loose_objects: number;
  /** Bytes on disk, in whole blocks. */
  loose_bytes: number;
  packs: number;
  pack_bytes: number;
}

/** Bytes that the smallest file takes on most disks. */
const BLOCK = 4096;

/** Counts and weighs what is in `objectsDir`, without what it borrows. Throws STORE_FAILED. */
export async function repositorySize(fs: Fs, objectsDir: string): Promise<RepositorySize> {
  const loose = await looseObjects(fs, objectsDir);
  const names = (await reading('objects/pack', orNull(fs.readdir(`${objectsDir}/pack`)))) ?? [];
  const files = names.filter(name => /^pack-.*\.(pack|idx|rev|bitmap)$/.test(name));
  const paths = files.map(name => `${objectsDir}/pack/${name}`);
  return {
    loose_objects: loose.length,
    loose_bytes: await weigh(
      fs,
      loose.map(oid => loosePath(objectsDir, oid)),
    ),
    packs: names.filter(name => name.endsWith('.pack')).length,
    pack_bytes: await weigh(fs, paths),
  };
}

/** `1234 loose objects (5.1 MB), 2 packs (0.3 MB)` */
export function sizeWords({ loose_objects, loose_bytes, packs, pack_bytes }: RepositorySize): string {
  const loose = `${loose_objects} loose ${loose_objects === 1 ? 'object' : 'objects'} (${bytesWords(loose_bytes)})`;
  return `${loose}, ${packs} ${packs === 1 ? 'pack' : 'packs'} (${bytesWords(pack_bytes)})`;
}

function bytesWords(count: number): string {
  if (count < 1_000) return `${count} bytes`;
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)} kB` : `${(count / 1_000_000).toFixed(1)} MB`;
}

/** Lists the ids of all loose objects, sorted. Throws STORE_FAILED. */
export async function looseObjects(fs: Fs, objectsDir: string): Promise<string[]> {
  const folders = (await reading('objects', orNull(fs.readdir(objectsDir)))) ?? [];
  const found: string[] = [];
  for (const folder of folders.filter(name => /^[0-9a-f]{2}$/.test(name)).sort()) {
    const names = (await reading('objects', orNull(fs.readdir(`${objectsDir}/${folder}`)))) ?? [];
    for (const name of names.sort()) if (/^[0-9a-f]{38}$/.test(name)) found.push(folder + name);
  }
  return found;
}

/** Weighs files. One that a git gc takes away meanwhile counts for nothing. */
async function weigh(fs: Fs, paths: readonly string[]): Promise<number> {
  const stats = await reading('objects', Promise.all(paths.map(path => fs.lstat(path))));
  return BLOCK * stats.reduce((sum, stat) => sum + Math.ceil((stat?.size ?? 0) / BLOCK), 0);
}
