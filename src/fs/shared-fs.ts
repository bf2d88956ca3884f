/**
 * A file system on which everything that is made in a repository has the mode that core.sharedRepository wants, as git
 * gives it to every file and folder of its own. Files of the work tree are not git's: those are staged in the engine's
 * folder, and keep the mode that they have.
 */

import { errno, type FileHandle, type Fs, type OpenHow, type Stat } from './fs.ts';
import { type SharedMode, sharedBits, shareFolder } from './shared-mode.ts';

interface SharedOptions {
  shared: SharedMode;
  /** Absolute: all below them is the repository's. */
  folders: readonly string[];
  /** True for the name of a file that only waits there for its place in the work tree. */
  isForWorkTree: (name: string) => boolean;
}

/** Wraps a file system. The same file system and repository give the same wrapper, so that wrappers can be compared. */
export function sharedFs(fs: Fs, options: SharedOptions): Fs {
  if (options.shared === null) return fs;
  const known = wrapped.get(fs) ?? new Map<string, Fs>();
  wrapped.set(fs, known);
  const key = JSON.stringify([options.shared, options.folders]);
  const made = known.get(key) ?? new SharedFs(fs, options);
  known.set(key, made);
  return made;
}

const wrapped = new WeakMap<Fs, Map<string, Fs>>();

class SharedFs implements Fs {
  readonly descriptorPaths: boolean;
  readonly volatile: boolean;
  readonly watch?: NonNullable<Fs['watch']>;
  readonly symlink?: NonNullable<Fs['symlink']>;
  readonly #fs: Fs;
  readonly #options: SharedOptions;

  constructor(fs: Fs, options: SharedOptions) {
    this.#fs = fs;
    this.#options = options;
    this.descriptorPaths = fs.descriptorPaths;
    this.volatile = fs.volatile;
    if (fs.symlink) this.symlink = (target, path) => fs.symlink!(target, path);
    if (fs.watch) this.watch = (path, changed) => fs.watch!(path, changed);
  }

  async open(path: string, how: OpenHow, mode?: number): Promise<FileHandle> {
    const handle = await this.#fs.open(path, how, mode);
    if ((how !== 'create' && how !== 'append') || !this.#isOurs(path)) return handle;
    try {
      await this.#share(handle, how);
      return handle;
    } catch (error) {
      await handle.close().catch(() => {});
      if (how === 'create') await this.#fs.unlink(path).catch(() => {});
      throw error;
    }
  }

  async mkdir(path: string): Promise<void> {
    await this.#fs.mkdir(path);
    if (this.#isOurs(path)) await shareFolder(this.#fs, path, this.#options.shared);
  }

  /** A log that somebody began has its mode. */
  async #share(handle: FileHandle, how: OpenHow): Promise<void> {
    const { mode, size } = await handle.stat();
    if (how === 'append' && size > 0) return;
    const [was, wanted] = [mode & 0o7777, sharedBits(mode & 0o7777, this.#options.shared)];
    if (wanted !== was) await handle.chmod(wanted).catch(whereModesAre);
  }

  #isOurs(path: string): boolean {
    const { folders, isForWorkTree } = this.#options;
    return (
      folders.some(one => path.startsWith(`${one}/`)) && !isForWorkTree(path.slice(path.lastIndexOf('/') + 1))
    );
  }

  readFile(path: string): Promise<Uint8Array> {
    return this.#fs.readFile(path);
  }
  readdir(path: string): Promise<string[]> {
    return this.#fs.readdir(path);
  }
  lstat(path: string): Promise<Stat | null> {
    return this.#fs.lstat(path);
  }
  readlink(path: string): Promise<string> {
    return this.#fs.readlink(path);
  }
  realpath(path: string): Promise<string> {
    return this.#fs.realpath(path);
  }
  rename(from: string, to: string): Promise<void> {
    return this.#fs.rename(from, to);
  }
  link(from: string, to: string): Promise<void> {
    return this.#fs.link(from, to);
  }
  unlink(path: string): Promise<void> {
    return this.#fs.unlink(path);
  }
  rmdir(path: string): Promise<void> {
    return this.#fs.rmdir(path);
  }
  checkWritable(folder: string): Promise<void> {
    return this.#fs.checkWritable(folder);
  }
  touch(path: string): Promise<void> {
    return this.#fs.touch(path);
  }
}

/** Somebody else's file, or a file system without modes. */
function whereModesAre(error: unknown): void {
  if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EINVAL'].includes(errno(error) ?? '')) throw error;
}
