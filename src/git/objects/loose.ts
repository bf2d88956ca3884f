/**
 * Writing loose objects, which isomorphic-git puts into the repository, as gitformat-loose(5) lays them out.
 */

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
    git!.writeObject({ fs: files as never, gitdir: OBJECTS_GIT_DIR, oid, object, format: 'deflated' }),
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

/** `objects/ab/cdef...` */
export function loosePath(objectsDir: string, oid: string): string {
  return `${objectsDir}/${oid.slice(0, 2)}/${oid.slice(2)}`;
}

interface ObjectFilesOptions {
  fs: Fs;
  /** The `objects` folder of the common git directory. */
  objectsDir: string;
  /** Where temporaries are written; on the same device, so that a crash leaves nothing in `objects/`. */
  tempDir: string;
}

/** The git folder to give to isomorphic-git. */
const OBJECTS_GIT_DIR = '/git';

/** Objects are read-only files, as git makes them; the umask applies. */
const OBJECT_MODE = 0o444;

/**
 * A file system as isomorphic-git wraps those that it is given, with what it asks for when it writes an object: it takes an
 * object that has `_original_unwrapped_fs` as it is, and would look for the methods of any other with each object anew.
 */
class ObjectFiles {
  readonly _original_unwrapped_fs = null;
  /** The folders in which a name was added. */
  readonly folders: Set<string> = new Set();
  readonly #options: ObjectFilesOptions;
  readonly #sync: boolean;

  constructor(options: ObjectFilesOptions, sync: boolean) {
    this.#options = options;
    this.#sync = sync;
  }

  /** Asked for the git folder alone. */
  async _stat(): Promise<typeof FOLDER> {
    return FOLDER;
  }

  /** No object is there, so that each is written: one that is there may be damaged, or be old enough for a git gc to prune. */
  async exists(): Promise<boolean> {
    return false;
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    const target = this.#options.objectsDir + path.slice(`${OBJECTS_GIT_DIR}/objects`.length);
    const temp = `${this.#options.tempDir}/object-${path.slice(-41).replace('/', '')}`;
    await this.#create(temp, bytes);
    try {
      await this.#move(temp, target);
    } catch (error) {
      await removeIfThere(this.#options.fs, temp).catch(() => {});
      throw error;
    }
  }

  async #create(temp: string, bytes: Uint8Array): Promise<void> {
    const { fs } = this.#options;
    const options = { umasked: OBJECT_MODE, sync: this.#sync };
    try {
      await createFile(fs, temp, bytes, options);
    } catch (error) {
      if (errno(error) !== 'EEXIST') throw error;
      await removeIfThere(fs, temp);
      await createFile(fs, temp, bytes, options);
    }
  }

  /** The folder is there as a rule. A git gc removes empty ones at any moment, also right after one was made. */
  async #move(temp: string, target: string): Promise<void> {
    const folder = parentOf(target);
    for (let tries = 1; ; tries++) {
      try {
        await moveFile(this.#options.fs, temp, target);
        this.folders.add(folder);
        return;
      } catch (error) {
        if (errno(error) !== 'ENOENT' || tries === 5) throw error;
      }
      for (const made of await ensureFolder(this.#options.fs, folder)) this.folders.add(parentOf(made));
    }
  }
}

const FOLDER = { isDirectory: () => true, isFile: () => false };
