/** Measures how much room the objects of a repository take: they are counted, but not weighed one by one. */

import { reading } from '../../fs/failures.ts';
import { type Fs, orNull } from '../../fs/fs.ts';
import { loosePath } from './loose.ts';

export interface RepositorySize {
  loose_objects: number;
  /** Bytes on disk, in whole blocks; from a sample where there are many. */
  loose_bytes: number;
  packs: number;
  pack_bytes: number;
}

/** Bytes that the smallest file takes on most disks. */
const BLOCK = 4096;

/** The most loose objects that are weighed; the others are taken to be like them. Ids are random, so the sample is fair. */
const SAMPLE = 200;

/** Counts and weighs what is in `objectsDir`, without what it borrows. Throws STORE_FAILED. */
export async function repositorySize(fs: Fs, objectsDir: string): Promise<RepositorySize> {
  const loose = await looseObjects(fs, objectsDir);
  const step = Math.max(1, Math.ceil(loose.length / SAMPLE));
  const sample = loose.filter((_, index) => index % step === 0).map(oid => loosePath(objectsDir, oid));
  const { bytes, count } = await weigh(fs, sample);
  const names = (await reading('objects/pack', orNull(fs.readdir(`${objectsDir}/pack`)))) ?? [];
  const files = names.filter(name => /^pack-.*\.(pack|idx|rev|bitmap)$/.test(name));
  const paths = files.map(name => `${objectsDir}/pack/${name}`);
  const packed = await weigh(fs, paths);
  return {
    loose_objects: loose.length,
    loose_bytes: count === 0 ? 0 : Math.round((bytes / count) * loose.length),
    packs: names.filter(name => name.endsWith('.pack')).length,
    pack_bytes: packed.bytes,
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
async function weigh(fs: Fs, paths: readonly string[]): Promise<{ bytes: number; count: number }> {
  const stats = await reading('objects', Promise.all(paths.map(path => fs.lstat(path))));
  const blocks = stats.flatMap(stat => (stat ? [Math.ceil(stat.size / BLOCK)] : []));
  return { bytes: BLOCK * blocks.reduce((sum, one) => sum + one, 0), count: blocks.length };
}
