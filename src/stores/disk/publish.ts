/** Making staged contents visible, each file in one step, and only where the file still is what was read. */

import { nameOf } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import { removeIfThere } from '../../fs/durable.ts';
import { cannotLink, errno, orNull, type Stat } from '../../fs/fs.ts';
import { foldersAbove } from '../paths.ts';
import type { Staged, StoreChange, StoredFile } from '../store.ts';
import { below, type Disk, diskFailure, type Folder, onDisk, splitPath } from './contract.ts';
import { checkBeside, dropKept, isUnchanged, type Kept, putBack } from './keep.ts';
import { entriesIn } from './list.ts';
import { sameContent, stillHolds } from './read.ts';
import { isDeleted, removeStaged, syncStaged, writeContent } from './stage.ts';
import {
  besideName,
  type DiskRecord,
  keptName,
  LINK,
  type RecordedFile,
  type StagedFile,
} from './staged-file.ts';
import { inDeepest, inFolder, inMadeFolder } from './walk.ts';

export class StagedOnDisk implements Staged {
  readonly record: DiskRecord;
  readonly skipped: string[] = [];
  readonly #disk: Disk;
  readonly #files: readonly StagedFile[];
  readonly #changes: readonly StoreChange[];
  /** The files that are replaced, by their second names. */
  readonly #kept = new Map<StoreChange, Kept>();

  constructor(disk: Disk, files: readonly StagedFile[]) {
    const [changes, records]: [StoreChange[], RecordedFile[]] = [[], []];
    for (const { change, record, stat, kept } of files) {
      changes.push(change);
      records.push(record);
      if (kept === 'here') this.#kept.set(change, { change, name: keptName(record), ours: stat });
    }
    this.#disk = disk;
    this.#files = files;
    this.#changes = changes;
    this.record = { files: records };
  }

  statOf(path: string): Stat | null {
    return this.#files.find(file => file.change.path === path)?.stat ?? null;
  }

  async sync(): Promise<void> {
    try {
      await syncStaged(this.#disk, this.#files);
    } catch (error) {
      throw diskFailure('Writing', this.#changes.map(change => change.path).join(', '), error);
    }
  }

  async verify(): Promise<string[]> {
    const changed: string[] = [];
    for (const file of this.#files) if (!(await this.#holdsBefore(file))) changed.push(file.change.path);
    return changed;
  }

  async #holdsBefore(file: StagedFile): Promise<boolean> {
    const { folder } = splitPath(file.change.path);
    try {
      const { open } = file;
      if (open) return open.isAt(await this.#disk.folders.look(folder)) && (await this.#holdsIn(open, file));
      return await inDeepest(this.#disk, folder, found => this.#holdsIn(found, file), 'block');
    } catch (error) {
      // A folder, link, pipe or huge file where the file was: whatever it is, it is not what was read.
      if (error instanceof EditError && error.code !== 'STORE_FAILED') return false;
      throw diskFailure('Reading', file.change.path, error);
    }
  }

  async #holdsIn(open: Folder, file: StagedFile): Promise<boolean> {
    const { change, kept } = file;
    const { name } = splitPath(change.path);
    if (open.rest.length > 0) {
      return !change.before && (!open.blocked || isDeleted(this.#changes, below(open.path, open.rest[0]!)));
    }
    if (change.before) {
      if (!(await this.#looksAsRead(open, name, change.before))) return false;
      if (kept === 'elsewhere') await checkBeside(this.#disk, open, file);
      return true;
    }
    const stat = await this.#disk.fs.lstat(`${open.at}/${name}`);
    return stat === null || (stat.type === 'directory' && (await this.#isEmptied(change.path)));
  }

  /**
   * Compares stats, but for the time that its second name changed. A write in the same tick of the clock does not show here;
   * `settle` finds it under that name.
   */
  async #looksAsRead(open: Folder, name: string, before: StoredFile): Promise<boolean> {
    const seen = this.#disk.seen.get(before);
    if (!seen) return stillHolds(this.#disk, open, name, before);
    const now = await this.#disk.fs.lstat(`${open.at}/${name}`);
    return now !== null && sameContent(now, seen.stat);
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
      try {
        await this.#publishOne(file);
      } catch (error) {
        errors.push(diskFailure('Writing', file.change.path, error));
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  /** Puts one file in place. A text that somebody saved since the last look stays, and is recorded later. */
  async #publishOne(file: StagedFile): Promise<void> {
    const { open, change } = file;
    const { folder } = splitPath(change.path);
    const placed = change.after
      ? await (open
          ? this.#place(open, file)
          : inMadeFolder(this.#disk, folder, made => this.#place(made, file)))
      : await (open
          ? this.#remove(open, file)
          : inFolder(this.#disk, folder, one => this.#remove(one, file)));
    if (!placed) this.skipped.push(change.path);
    else if (!change.after) await this.prune(folder);
  }

  /** Answers false when somebody else changed the file or made one. */
  async #place(open: Folder, file: StagedFile): Promise<boolean> {
    const { name } = splitPath(file.change.path);
    const source = `${this.#disk.stageFolder}/${file.record.staged}`;
    try {
      return await this.#placeFrom(source, open, name, file);
    } catch (error) {
      if (errno(error) !== 'EXDEV') throw error;
      return this.#placeFromBeside(open, name, file);
    }
  }

  /** No rename leads from one device to another, so the content is written once more, into the target's folder. */
  async #placeFromBeside(open: Folder, name: string, file: StagedFile): Promise<boolean> {
    const beside = `${open.at}/${besideName(file.record)}`;
    const handle = await writeContent(this.#disk, file, beside);
    try {
      await handle?.sync().finally(() => handle.close());
      const placed = await this.#placeFrom(beside, open, name, file);
      if (placed) await removeStaged(this.#disk, [file]);
      return placed;
    } finally {
      await removeIfThere(this.#disk.fs, beside);
    }
  }

  /**
   * A rename replaces the file in one step. Between the last look and the rename only a file that is itself renamed
   * into the place could be lost; what is written into the old file is found under its second name.
   */
  async #placeFrom(source: string, open: Folder, name: string, file: StagedFile): Promise<boolean> {
    const { fs } = this.#disk;
    if (!file.change.before) return this.#placeNew(source, `${open.at}/${name}`, file.change);
    const kept = this.#kept.get(file.change);
    // A cheap last look: `settle` finds what is written into the old file, before or after, under its second name.
    const isUntouched = await (kept
      ? this.#looksAsRead(open, name, file.change.before!)
      : stillHolds(this.#disk, open, name, file.change.before!));
    if (isUntouched) await fs.rename(source, `${open.at}/${name}`);
    if (isUntouched && source.startsWith(`${this.#disk.stageFolder}/`)) file.isStaged = false;
    // The file never lost its place.
    if (!isUntouched && kept) await dropKept(this.#disk, kept);
    if (!isUntouched) this.#kept.delete(file.change);
    return isUntouched;
  }

  /** A link, unlike a rename, never replaces a file that somebody made a moment ago. */
  async #placeNew(source: string, target: string, change: StoreChange): Promise<boolean> {
    const { fs } = this.#disk;
    const again = async (): Promise<boolean> =>
      (await this.#removeEmpty(change.path)) && (await this.#placeNew(source, target, change));
    try {
      if (change.after!.mode === LINK) await fs.symlink!(nameOf(change.after!.bytes), target);
      else await fs.link(source, target);
    } catch (error) {
      if (errno(error) === 'EEXIST') return again();
      if (!cannotLink(error)) throw error;
      if (await fs.lstat(target)) return again();
      await fs.rename(source, target);
      return true;
    }
    await fs.unlink(source);
    return true;
  }

  /** Removes a folder that holds nothing but such folders; git knows of none of them. False where it is no such folder. */
  async #removeEmpty(path: string): Promise<boolean> {
    const entries = await inFolder(this.#disk, path, open => entriesIn(this.#disk, open));
    if (!entries?.every(({ type }) => type === 'directory')) return false;
    for (const { name } of entries) if (!(await this.#removeEmpty(below(path, name)))) return false;
    const { folder, name } = splitPath(path);
    try {
      await inFolder(this.#disk, folder, open => orNull(this.#disk.fs.rmdir(`${open.at}/${name}`)));
      return true;
    } catch (error) {
      if (KEPT.has(errno(error) ?? '')) return false;
      throw error;
    }
  }

  /** The file is moved away and then looked at, so that what is removed is what was looked at. */
  async #remove(open: Folder, file: StagedFile): Promise<boolean> {
    const { name } = splitPath(file.change.path);
    if (!(await stillHolds(this.#disk, open, name, file.change.before!, 'elsewhere'))) return false;
    const kept: Kept = { change: file.change, name: keptName(file.record), ours: null };
    try {
      await this.#disk.fs.rename(`${open.at}/${name}`, `${this.#disk.stageFolder}/${kept.name}`);
    } catch (error) {
      if (errno(error) === 'ENOENT') return true;
      if (errno(error) !== 'EXDEV') throw error;
      await this.#disk.fs.unlink(`${open.at}/${name}`);
      await removeStaged(this.#disk, [file]);
      return true;
    }
    await removeStaged(this.#disk, [file]);
    if (await isUnchanged(this.#disk, kept)) {
      this.#kept.set(file.change, kept);
      return true;
    }
    await putBack(this.#disk, kept);
    return false;
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
    }
  }

  /** If someone wrote through an open descriptor, restores that file: its text is newer. */
  async settle(): Promise<void> {
    try {
      for (const [change, kept] of this.#kept) {
        this.#kept.delete(change);
        if (await isUnchanged(this.#disk, kept)) await dropKept(this.#disk, kept);
        else {
          await putBack(this.#disk, kept);
          this.skipped.push(change.path);
        }
      }
    } catch (error) {
      throw diskFailure('Writing', 'the workspace', error);
    }
  }

  async discard(): Promise<void> {
    let isLeft = this.#kept.size > 0;
    for (const file of this.#files) {
      await file.open?.close();
      file.open = null;
      if (file.isStaged || file.handle) isLeft = true;
    }
    if (!isLeft) return;
    await onDisk('Cleaning up in', 'the stage folder', async () => {
      await removeStaged(this.#disk, this.#files);
      await this.settle();
    });
  }
}

/** Error codes of rmdir(2) for a folder that has entries, is in use, or may not be removed: it stays, which harms nobody. */
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
function inOrder(files: readonly StagedFile[]): readonly StagedFile[] {
  if (files.length < 2) return files;
  const writes = files.filter(file => file.change.after);
  const written = new Set(writes.map(({ change }) => change.path));
  const above = new Set([...written].flatMap(foldersAbove));
  const clashes = ({ change: { path } }: StagedFile): boolean =>
    above.has(path) || foldersAbove(path).some(folder => written.has(folder));
  const deletes = files.filter(file => !file.change.after);
  return [...deletes.filter(clashes), ...writes, ...deletes.filter(file => !clashes(file))];
}
