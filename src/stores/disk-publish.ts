/** Making staged contents visible, each file in one step, and only where the file still is what was read. */

import { EditError } from '../errors.ts';
import { allDone } from '../git/all-done.ts';
import { removeIfThere, syncFile } from '../git/durable.ts';
import { errno, orNull } from '../git/fs.ts';
import { below, type Disk, type Folder, onDisk, splitPath } from './disk-contract.ts';
import { entriesIn } from './disk-list.ts';
import { stillHolds } from './disk-read.ts';
import {
  besideName,
  type DiskRecord,
  isDeleted,
  removeStaged,
  type StagedFile,
  syncStaged,
  writeContent,
} from './disk-stage.ts';
import { inDeepest, inFolder, inMadeFolder } from './disk-walk.ts';
import type { Staged, StoreChange } from './store.ts';

/** Staged files on their way to their targets. */
export class StagedOnDisk implements Staged {
  readonly record: DiskRecord;
  readonly #disk: Disk;
  readonly #files: readonly StagedFile[];
  readonly #changes: readonly StoreChange[];
  /** The folders in which a name was added or removed. */
  readonly #touched = new Set<string>();

  constructor(disk: Disk, files: readonly StagedFile[]) {
    this.#disk = disk;
    this.#files = files;
    this.#changes = files.map(file => file.change);
    this.record = { files: files.map(file => file.record) };
  }

  sync(): Promise<void> {
    const paths = this.#changes.map(change => change.path).join(', ');
    return onDisk('Writing', paths, () => syncStaged(this.#disk, this.#files));
  }

  async verify(): Promise<string[]> {
    const changed: string[] = [];
    for (const change of this.#changes) {
      const holds = await onDisk('Reading', change.path, () => this.#holdsBefore(change));
      if (!holds) changed.push(change.path);
    }
    return changed;
  }

  async #holdsBefore(change: StoreChange): Promise<boolean> {
    const { folder, name } = splitPath(change.path);
    try {
      return await inDeepest(this.#disk, folder, open => this.#holdsIn(open, name, change));
    } catch (error) {
      // A folder, link, pipe or huge file where the file was: whatever it is, it is not what was read.
      if (error instanceof EditError && error.code !== 'STORE_FAILED') return false;
      throw error;
    }
  }

  async #holdsIn(open: Folder, name: string, change: StoreChange): Promise<boolean> {
    if (open.rest.length > 0) {
      return !change.before && (!open.blocked || isDeleted(this.#changes, below(open.path, open.rest[0]!)));
    }
    if (change.before) return stillHolds(this.#disk, open, name, change.before);
    const stat = await orNull(this.#disk.fs.lstat(`${open.at}/${name}`));
    return stat === null || (stat.type === 'directory' && (await this.#isEmptied(change.path)));
  }

  /** True when this change deletes every file in the folder, which then goes too. */
  async #isEmptied(path: string): Promise<boolean> {
    const entries = (await inFolder(this.#disk, path, open => entriesIn(this.#disk, open))) ?? [];
    for (const { name, type } of entries) {
      const at = below(path, name);
      if (type === 'directory' ? !(await this.#isEmptied(at)) : !isDeleted(this.#changes, at)) return false;
    }
    return true;
  }

  /** Goes on when one file fails, and throws the first error at the end. */
  async publish(): Promise<void> {
    const errors: unknown[] = [];
    for (const file of inOrder(this.#files)) {
      await onDisk('Writing', file.change.path, () => this.#publishOne(file)).catch(error =>
        errors.push(error),
      );
    }
    if (errors.length > 0) throw errors[0];
  }

  async #publishOne(file: StagedFile): Promise<void> {
    const { folder, name } = splitPath(file.change.path);
    if (!file.change.after) return this.#remove(folder, name, file.change);
    const made = (path: string): void => void this.#touched.add(splitPath(path).folder);
    await inMadeFolder(this.#disk, folder, made, async open => {
      if (!(await this.#isUntouched(open, name, file.change))) return;
      this.#touched.add(folder);
      await this.#place(open, name, file);
    });
  }

  /** The last look, right before the file is replaced: what a person saved since stays, and is recorded later. */
  async #isUntouched(open: Folder, name: string, change: StoreChange): Promise<boolean> {
    if (change.before) return stillHolds(this.#disk, open, name, change.before);
    return (await orNull(this.#disk.fs.lstat(`${open.at}/${name}`))) === null;
  }

  async #place(open: Folder, name: string, file: StagedFile): Promise<void> {
    const target = `${open.at}/${name}`;
    try {
      await this.#move(`${this.#disk.stageFolder}/${file.record.staged}`, target, file);
      file.isStaged = false;
    } catch (error) {
      if (errno(error) !== 'EXDEV') throw error;
      await this.#placeFromBeside(open, target, file);
    }
  }

  /** No rename leads from one device to another, so the content is written once more, into the target's folder. */
  async #placeFromBeside(open: Folder, target: string, file: StagedFile): Promise<void> {
    const beside = `${open.at}/${besideName(file.record)}`;
    await writeContent(this.#disk, file, beside);
    await syncFile(this.#disk.fs, beside);
    try {
      await this.#move(beside, target, file);
    } catch (error) {
      await removeIfThere(this.#disk.fs, beside);
      throw error;
    }
  }

  #move(source: string, target: string, file: StagedFile): Promise<void> {
    return file.change.before ? this.#disk.fs.rename(source, target) : this.#placeNew(source, target);
  }

  /** A link, unlike a rename, never replaces a file that somebody made a moment ago. */
  async #placeNew(source: string, target: string): Promise<void> {
    const { fs } = this.#disk;
    try {
      await fs.link(source, target);
    } catch (error) {
      if (LINKS_UNKNOWN.has(errno(error) ?? '')) return fs.rename(source, target);
      if (errno(error) !== 'EEXIST') throw error;
    }
    await fs.unlink(source);
  }

  async #remove(folder: string, name: string, change: StoreChange): Promise<void> {
    const removed = await inFolder(this.#disk, folder, async open => {
      if (!(await this.#isUntouched(open, name, change))) return false;
      await this.#disk.fs.unlink(`${open.at}/${name}`);
      return true;
    });
    if (!removed) return;
    this.#touched.add(folder);
    await this.prune(folder);
  }

  /** Removes the folder, and those above it, as long as they are empty; never the root. */
  async prune(path: string): Promise<void> {
    for (let at = path; at !== ''; at = splitPath(at).folder) {
      const { folder, name } = splitPath(at);
      try {
        await inFolder(this.#disk, folder, open => orNull(this.#disk.fs.rmdir(`${open.at}/${name}`)));
      } catch (error) {
        if (KEPT.has(errno(error) ?? '')) return;
        throw error;
      }
      this.#touched.add(folder);
    }
  }

  /** Also syncs `more` folders. */
  async settle(more: Iterable<string> = []): Promise<void> {
    const folders = [...new Set([...this.#touched, ...more])];
    const sync = (path: string): Promise<unknown> =>
      onDisk('Syncing', path, () => inFolder(this.#disk, path, open => open.sync()));
    await allDone(folders.map(sync));
  }

  async discard(): Promise<void> {
    await onDisk('Cleaning up in', 'the stage folder', () => removeStaged(this.#disk, this.#files));
  }
}

/** What link(2) says where the file system has no hard links, or no more of this file. */
const LINKS_UNKNOWN: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EACCES',
]);

/** What rmdir(2) says of a folder that has entries, is in use, or may not be removed: it stays, which harms nobody. */
const KEPT: ReadonlySet<string> = new Set([
  'ENOTEMPTY',
  'EEXIST',
  'EBUSY',
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
]);

/** Deletes last, so that a moved file is always somewhere; but first where a file makes way for a folder, or back. */
function inOrder(files: readonly StagedFile[]): StagedFile[] {
  const writes = files.filter(file => file.change.after);
  const clashes = (file: StagedFile): boolean =>
    writes.some(({ change: { path } }) => {
      return path.startsWith(`${file.change.path}/`) || file.change.path.startsWith(`${path}/`);
    });
  const deletes = files.filter(file => !file.change.after);
  return [...deletes.filter(clashes), ...writes, ...deletes.filter(file => !clashes(file))];
}
