/**
 * The file system on which isomorphic-git puts loose objects into a repository. isomorphic-git writes a file in place, and
 * leaves one alone that is there, whole or not; here a file is written under another name, synced if wanted, and renamed.
 */

import { createFile, ensureFolder, parentOf, removeIfThere } from '../../fs/durable.ts';
import { errno, type Fs } from '../../fs/fs.ts';

export interface ObjectFilesOptions {
  fs: Fs;
  /** The `objects` folder of the common git directory. */
  objectsDir: string;
  /** Where temporaries are written; on the same device, so that a crash leaves nothing in `objects/`. */
  tempDir: string;
}

/** The git folder to give to isomorphic-git. */
export const OBJECTS_GIT_DIR = '/git';

/** Objects are read-only files, as git makes them; the umask applies. */
const OBJECT_MODE = 0o444;

/** The part of node's `fs.promises` that isomorphic-git asks for when it writes an object. */
export class ObjectFiles {
  /** The folders in which a name was added. */
  readonly folders: Set<string> = new Set();
  readonly #options: ObjectFilesOptions;
  readonly #sync: boolean;

  constructor(options: ObjectFilesOptions, sync: boolean) {
    this.#options = options;
    this.#sync = sync;
  }

  /** No object is there, so that each is written: one that is there may be damaged, or be old enough for a git gc to prune. */
  stat = async (path: string): Promise<{ isDirectory(): boolean; isFile(): boolean }> => {
    if (path === OBJECTS_GIT_DIR) return FOLDER;
    throw MISSING;
  };

  writeFile = async (path: string, bytes: Uint8Array): Promise<void> => {
    const target = this.#real(path);
    const temp = `${this.#options.tempDir}/object-${path.slice(-41).replace('/', '')}`;
    await this.#create(temp, bytes);
    try {
      await this.#move(temp, target);
    } catch (error) {
      await removeIfThere(this.#options.fs, temp).catch(() => {});
      throw error;
    }
  };

  /** Asked for when a write failed: it is tried once more, and its own error is what counts. */
  mkdir = async (): Promise<void> => {};

  lstat: ObjectFiles['stat'] = this.stat;
  readFile: Refused = refuse;
  readdir: Refused = refuse;
  rmdir: Refused = refuse;
  unlink: Refused = refuse;
  readlink: Refused = refuse;
  symlink: Refused = refuse;

  #real(path: string): string {
    return this.#options.objectsDir + path.slice(`${OBJECTS_GIT_DIR}/objects`.length);
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
        await this.#options.fs.rename(temp, target);
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

/** Made once: to fill a stack trace costs more than to write the file. */
const MISSING: Error = Object.assign(new Error('ENOENT: no such object'), { code: 'ENOENT' });

type Refused = () => Promise<never>;

const REFUSED: Error = Object.assign(new Error('EROFS: only objects are written here'), { code: 'EROFS' });

async function refuse(): Promise<never> {
  throw REFUSED;
}
