/**
 * Writing loose objects, which isomorphic-git puts into the repository, as gitformat-loose(5) lays them out.
 */

import { eachDone } from '../../fs/all-done.ts';
import { exists, syncFile, syncFolder } from '../../fs/durable.ts';
import { type Fs, orNull } from '../../fs/fs.ts';
import { isomorphicGit } from '../portable/isomorphic-git.ts';
import type { EncodedObject } from './object.ts';
import { OBJECTS_GIT_DIR, ObjectFiles, type ObjectFilesOptions } from './object-files.ts';

export type LooseOptions = ObjectFilesOptions;

/** The content of a loose object file, with its id. */
export type LooseObject = Pick<EncodedObject, 'oid' | 'deflated'>;

/** Paths that were written and still have to be synced: first the files, then the folders. */
export interface Unsynced {
  files: string[];
  folders: string[];
}

/**
 * Writes every object, and syncs it unless told otherwise. One that is there is written over: it may be damaged, and a git
 * gc must not take it for an old one that nobody needs. Answers what to sync before a ref may point here: the folders, and
 * without `sync` the files too.
 */
export async function writeObjects(
  options: LooseOptions,
  objects: readonly LooseObject[],
  sync = true,
): Promise<Unsynced> {
  const unique = [...new Map(objects.map(object => [object.oid, object])).values()];
  const git = unique.length > 0 ? await isomorphicGit() : null;
  const files = new ObjectFiles(options, sync);
  // Ids and deflated bytes are made by then, so that isomorphic-git has nothing to compute; see docs of the packages.
  await eachDone(unique, ({ oid, deflated: object }) =>
    git!.writeObject({ fs: { promises: files }, gitdir: OBJECTS_GIT_DIR, oid, object, format: 'deflated' }),
  );
  const written = sync ? [] : unique.map(({ oid }) => loosePath(options.objectsDir, oid));
  return { files: written, folders: [...files.folders] };
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
