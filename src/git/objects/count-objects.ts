/** Measures how much room the objects of a repository take: they are counted, but not weighed one by one. */

import { reading } from '../../fs/failures.ts';
import { type Fs, orNull } from '../../fs/fs.ts';

export interface RepositorySize {
  loose_objects: number;
  /** Bytes on disk, in whole blocks; from a sample where there are many. */
  loose_bytes: number;
  packs: number;
  pack_bytes: number;
}

/** Bytes that the smallest file takes on most disks. */
const BLOCK = 4096;

/**
 * The most loose objects that are weighed; the others are taken to be like them. Ids are random, so the sample is fair.
 */
const SAMPLE = 200;

export interface SizeOptions {
  /** Where there are many loose objects, count them in a few folders: ids are random, so each holds the same share. */
  estimate?: boolean;
}

/** The folders that `estimate` looks at first, and how many objects must be there to stand for the others. */
const FEW_FOLDERS = ['17', '5a', '9d', 'e0'];
const MANY = 100;

/** `objectsDir` alone, without what it borrows. Throws STORE_FAILED. */
export async function repositorySize(
  fs: Fs,
  objectsDir: string,
  options: SizeOptions = {},
): Promise<RepositorySize> {
  const few = options.estimate ? await looseObjects(fs, objectsDir, FEW_FOLDERS) : [];
  const enough = few.length >= MANY;
  const loose = enough ? few : await looseObjects(fs, objectsDir);
  const count = enough ? few.length * (256 / FEW_FOLDERS.length) : loose.length;
  const step = Math.max(1, Math.ceil(loose.length / SAMPLE));
  const sample = loose.filter((_, index) => index % step === 0);
  const weighed = await sizes(
    fs,
    sample.map(oid => `${objectsDir}/${oid.slice(0, 2)}/${oid.slice(2)}`),
  );
  const names = (await reading('objects/pack', orNull(fs.readdir(`${objectsDir}/pack`)))) ?? [];
  const packs = names.filter(name => name.endsWith('.pack'));
  const files = names.filter(name => /^pack-.*\.(pack|idx|rev|bitmap)$/.test(name));
  return {
    loose_objects: count,
    loose_bytes: weighed.length === 0 ? 0 : Math.round((sum(weighed) / weighed.length) * count),
    packs: packs.length,
    pack_bytes: sum(
      await sizes(
        fs,
        files.map(name => `${objectsDir}/pack/${name}`),
      ),
    ),
  };
}

/** `1234 loose objects (5.1 MB), 2 packs (0.3 MB)` */
export function sizeWords({ loose_objects, loose_bytes, packs, pack_bytes }: RepositorySize): string {
  const loose = `${loose_objects} loose ${loose_objects === 1 ? 'object' : 'objects'} (${bytes(loose_bytes)})`;
  return `${loose}, ${packs} ${packs === 1 ? 'pack' : 'packs'} (${bytes(pack_bytes)})`;
}

function bytes(count: number): string {
  if (count < 1_000) return `${count} bytes`;
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)} kB` : `${(count / 1_000_000).toFixed(1)} MB`;
}

/** The ids of all loose objects, sorted, or of those in some of the folders. Throws STORE_FAILED. */
export async function looseObjects(fs: Fs, objectsDir: string, only?: readonly string[]): Promise<string[]> {
  const folders = only ?? (await reading('objects', orNull(fs.readdir(objectsDir)))) ?? [];
  const found: string[] = [];
  for (const folder of folders.filter(name => /^[0-9a-f]{2}$/.test(name)).sort()) {
    const names = (await reading('objects', orNull(fs.readdir(`${objectsDir}/${folder}`)))) ?? [];
    for (const name of names.sort()) if (/^[0-9a-f]{38}$/.test(name)) found.push(folder + name);
  }
  return found;
}

/** A file that a git gc takes away meanwhile counts for nothing. */
async function sizes(fs: Fs, paths: readonly string[]): Promise<number[]> {
  const stats = await reading('objects', Promise.all(paths.map(path => fs.lstat(path))));
  return stats.flatMap(stat => (stat ? [Math.ceil(stat.size / BLOCK) * BLOCK] : []));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
