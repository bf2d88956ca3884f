/**
 * Writing loose objects: temporary name, sync, rename, as gitformat-loose(5) lays them out. The temporaries lie in
 * the engine's own folder, so that a crash leaves nothing in `objects/`.
 */

import { eachDone } from '../all-done.ts';
import { createFile, ensureFolder, exists, parentOf, syncFile, syncFolder } from '../durable.ts';
import { errno, type Fs, orNull } from '../fs.ts';
import { type Codec, type EncodedObject, parseObject } from './object.ts';

export interface LooseOptions {
  fs: Fs;
  codec: Codec;
  /** The `objects` folder of the common git directory. */
  objectsDir: string;
  /** Where temporaries are written; on the same device. */
  tempDir: string;
}

/** Objects are read-only files, as git makes them. */
const OBJECT_MODE = 0o444;

/** What a loose object file holds, under its id. */
export type LooseObject = Pick<EncodedObject, 'oid' | 'deflated'>;

/** What was written and still has to be synced: first the files, then the folders. */
export interface Unsynced {
  files: string[];
  folders: string[];
}

/**
 * Writes every object that is not there yet, and syncs it unless told otherwise. One that is there is verified and its
 * time refreshed, else a git gc may prune it before the commit that needs it. Answers what to sync before a ref may
 * point here: the folders, and without `sync` the files too.
 */
export async function writeObjects(
  options: LooseOptions,
  objects: readonly LooseObject[],
  sync = true,
): Promise<Unsynced> {
  const unique = [...new Map(objects.map(object => [object.oid, object])).values()];
  const written = await eachDone(unique, object => writeObject(options, object, sync));
  const folders = new Set(written.flatMap(one => one.folders));
  return { files: sync ? [] : written.flatMap(one => one.files), folders: [...folders] };
}

/** Where loose objects are, and the folders that name them. */
export function objectPlaces({ objectsDir }: Pick<LooseOptions, 'objectsDir'>, objects: readonly LooseObject[]): Unsynced {
  const files = [...new Set(objects.map(({ oid }) => loosePath(objectsDir, oid)))];
  return { files, folders: [...new Set([...files.map(parentOf), objectsDir])] };
}

/** Makes durable what was written without a sync. What a git gc took or packed meanwhile is passed over. */
export async function syncObjects(fs: Fs, { files, folders }: Unsynced): Promise<void> {
  await eachDone(files, file => orNull(syncFile(fs, file)));
  await syncFolders(fs, folders);
}

/** Syncs folders together; one that a git gc removed meanwhile needs no sync, its objects are looked for later. */
export async function syncFolders(fs: Fs, folders: Iterable<string>): Promise<void> {
  await eachDone([...new Set(folders)], folder => orNull(syncFolder(fs, folder)));
}

/** Writes again what a git gc removed between the writing and the commit. Answers how many were gone. */
export async function rewriteMissing(
  options: LooseOptions,
  objects: readonly LooseObject[],
  isPacked: (oid: string) => Promise<boolean>,
): Promise<number> {
  const missing: LooseObject[] = [];
  for (const object of objects) {
    if (!(await exists(options.fs, loosePath(options.objectsDir, object.oid)))) missing.push(object);
  }
  const gone: LooseObject[] = [];
  for (const object of missing) if (!(await isPacked(object.oid))) gone.push(object);
  if (gone.length > 0) await syncObjects(options.fs, await writeObjects(options, gone));
  return gone.length;
}

/** `objects/ab/cdef...` */
export function loosePath(objectsDir: string, oid: string): string {
  return `${objectsDir}/${oid.slice(0, 2)}/${oid.slice(2)}`;
}

/** Where an object is written before it gets to its place. */
export function objectTemp({ tempDir }: Pick<LooseOptions, 'tempDir'>, oid: string): string {
  return `${tempDir}/object-${oid}`;
}

async function writeObject(options: LooseOptions, object: LooseObject, sync: boolean): Promise<Unsynced> {
  const target = loosePath(options.objectsDir, object.oid);
  if (await isWhole(options, target, object.oid)) return { files: [], folders: [] };
  const temp = objectTemp(options, object.oid);
  await createFile(options.fs, temp, object.deflated, { mode: OBJECT_MODE, sync });
  return { files: [target], folders: await moveIntoPlace(options.fs, temp, target) };
}

/** The folder is there as a rule. A git gc removes empty ones at any moment, also right after one was made. */
async function moveIntoPlace(fs: Fs, temp: string, target: string): Promise<string[]> {
  const folder = parentOf(target);
  const made: string[] = [];
  for (let tries = 1; ; tries++) {
    try {
      await fs.rename(temp, target);
      return [folder, ...made.map(parentOf)];
    } catch (error) {
      if (errno(error) !== 'ENOENT' || tries === 5) throw error;
    }
    made.push(...(await ensureFolder(fs, folder)));
  }
}

/** True when the object is there, reads back as itself, and now looks fresh to a git gc. */
async function isWhole(options: LooseOptions, path: string, oid: string): Promise<boolean> {
  const bytes = await orNull(options.fs.readFile(path));
  if (!bytes) return false;
  try {
    const object = parseObject(await options.codec.inflate(bytes));
    if (!object || (await options.codec.hash(object.type, object.content)) !== oid) return false;
    await options.fs.touch(path);
    return true;
  } catch {
    return false;
  }
}
