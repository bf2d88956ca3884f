/** Writing loose objects, which isomorphic-git puts into the repository, as gitformat-loose(5) lays them out. */

import { eachDone } from '../../fs/all-done.ts';
import {
  createFile,
  ensureFolder,
  moveFile,
  parentOf,
  removeIfThere,
  syncFile,
  syncFolder,
} from '../../fs/durable.ts';
import { errno, type Fs, orNull } from '../../fs/fs.ts';
import { isomorphicGit } from '../portable/isomorphic-git.ts';
import type { EncodedObject } from './object.ts';

/** The content of a loose object file, with its id. */
export type LooseObject = Pick<EncodedObject, 'oid' | 'deflated'>;

/** Paths that were written and still have to be synced: first the files, then the folders. */
export interface Unsynced {
  readonly files: string[];
  readonly folders: Set<string>;
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
  const unsynced: Unsynced = { files: [], folders: new Set() };
  if (objects.length === 0) return unsynced;
  const git = await isomorphicGit();
  const fs = objectFiles(options, unsynced, sync) as never;
  const unique = new Map<string, LooseObject>();
  for (const object of objects) unique.set(object.oid, object);
  // Ids and deflated bytes are made by then, so that isomorphic-git has nothing to compute; see docs of the packages.
  await eachDone([...unique.values()], ({ oid, deflated: object }) =>
    git.writeObject({ fs, gitdir: OBJECTS_GIT_DIR, oid, object, format: 'deflated' }),
  );
  return unsynced;
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

export function loosePath(objectsDir: string, oid: string): string {
  return `${objectsDir}/${oid.slice(0, 2)}/${oid.slice(2)}`;
}

export interface LooseOptions {
  fs: Fs;
  /** The `objects` folder of the common git directory. */
  objectsDir: string;
  /** Where temporaries are written; on the same device, so that a crash leaves nothing in `objects/`. */
  tempDir: string;
}

/** The git folder to give to isomorphic-git. */
const OBJECTS_GIT_DIR = '/git';

const FOLDER = Promise.resolve({ isDirectory: () => true, isFile: () => false });
const ABSENT = Promise.resolve(false);

/**
 * Makes a file system as isomorphic-git wraps those that it is given, with what it asks for when it writes an object: it takes
 * an object that has `_original_unwrapped_fs` as it is, and would look for the methods of any other with each object anew.
 */
function objectFiles({ fs, objectsDir, tempDir }: LooseOptions, unsynced: Unsynced, sync: boolean): object {
  return {
    _original_unwrapped_fs: null,
    /** Asked for the git folder alone. */
    _stat: () => FOLDER,
    /** No object is there, so that each is written: one that is there may be damaged, or be old enough for a git gc to prune. */
    exists: () => ABSENT,
    write: async (path: string, bytes: Uint8Array): Promise<void> => {
      const target = objectsDir + path.slice(`${OBJECTS_GIT_DIR}/objects`.length);
      const temp = `${tempDir}/object-${path.slice(-41).replace('/', '')}`;
      // Objects are read-only files, as git makes them; the umask applies.
      const made = { umasked: 0o444, sync };
      try {
        await createFile(fs, temp, bytes, made);
      } catch (error) {
        if (errno(error) !== 'EEXIST') throw error;
        // A crash left it.
        await removeIfThere(fs, temp);
        await createFile(fs, temp, bytes, made);
      }
      if (!sync) unsynced.files.push(target);
      unsynced.folders.add(parentOf(target));
      try {
        await fs.rename(temp, target);
      } catch (error) {
        await moveAgain(fs, temp, target, unsynced, error);
      }
    },
  };
}

/**
 * Moves a file that no rename took there: its folder was missing, since a git gc removes empty ones at any moment, also right
 * after one was made, or is on another mount.
 */
async function moveAgain(
  fs: Fs,
  temp: string,
  target: string,
  { folders }: Unsynced,
  first: unknown,
): Promise<void> {
  let failure = first;
  for (let tries = 1; ['ENOENT', 'EXDEV'].includes(errno(failure) ?? '') && tries < 5; tries++) {
    try {
      if (errno(failure) === 'ENOENT')
        for (const made of await ensureFolder(fs, parentOf(target))) folders.add(parentOf(made));
      return await moveFile(fs, temp, target);
    } catch (error) {
      failure = error;
    }
  }
  await removeIfThere(fs, temp).catch(() => {});
  throw failure;
}
