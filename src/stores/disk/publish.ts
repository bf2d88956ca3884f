/** Staged contents of a change on the disk: looked at once more, made visible, and cleared away. */

import { EditError } from '../../errors.ts';
import type { Stat } from '../../fs/fs.ts';
import { foldersAbove } from '../paths.ts';
import type { Staged, StoreChange } from '../store.ts';
import { checkBeside, dropBackup, isUnchanged, putBack } from './backup.ts';
import { assertReal, below, type Disk, diskFailure, type Folder, onDisk, splitPath } from './contract.ts';
import { looksAsRead, publishFile } from './put-in-place.ts';
import { entriesIn } from './read.ts';
import { isDeleted, removeStaged, stageFiles, syncStaged } from './stage.ts';
import type { DiskRecord, RecordedFile, StagedFile } from './staged-file.ts';
import { inDeepest, inFolder } from './walk.ts';

/**
 * Stages changes under names that begin with `name`, or that the records of a run have that was cut short. Throws as
 * `stageFiles`.
 */
export async function stageOnDisk(
  disk: Disk,
  changes: readonly StoreChange[],
  name: string,
  earlier: readonly RecordedFile[] = [],
): Promise<Staged> {
  for (const { path } of changes) assertReal(path, false);
  return new StagedOnDisk(disk, changes, await stageFiles(disk, changes, name, earlier));
}

/** Returns the paths of changes for a message. */
export function pathsOf(changes: readonly StoreChange[]): string {
  return changes.length === 1 ? changes[0]!.path : changes.map(({ path }) => path).join(', ');
}

class StagedOnDisk implements Staged {
  readonly record: DiskRecord;
  readonly skipped: string[] = [];
  readonly #disk: Disk;
  readonly #files: readonly StagedFile[];
  readonly #changes: readonly StoreChange[];

  constructor(disk: Disk, changes: readonly StoreChange[], files: readonly StagedFile[]) {
    this.#disk = disk;
    this.#files = files;
    this.#changes = changes;
    const records: RecordedFile[] = [];
    for (const { record } of files) records.push(record);
    this.record = { files: records };
  }

  statOf(path: string): Stat | null {
    return this.#files.find(file => file.change.path === path)?.stat ?? null;
  }

  async sync(): Promise<void> {
    try {
      await syncStaged(this.#disk, this.#files);
    } catch (error) {
      throw diskFailure('Writing', pathsOf(this.#changes), error);
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
      if (open) return open.isAt(await this.#disk.folders.lstat(folder)) && (await this.#holdsIn(open, file));
      return await inDeepest(this.#disk, folder, found => this.#holdsIn(found, file), 'block');
    } catch (error) {
      // A folder, link, pipe or huge file where the file was: whatever it is, it is not what was read.
      if (error instanceof EditError && error.code !== 'STORE_FAILED') return false;
      throw diskFailure('Reading', file.change.path, error);
    }
  }

  async #holdsIn(open: Folder, file: StagedFile): Promise<boolean> {
    const { before, path } = file.change;
    if (open.rest.length > 0)
      return !before && (!open.blocked || isDeleted(this.#changes, below(open.path, open.rest[0]!)));
    const { name } = splitPath(path);
    if (before) {
      if (!(await looksAsRead(this.#disk, open, name, before))) return false;
      if (file.kept === 'elsewhere') await checkBeside(this.#disk, open, file);
      return true;
    }
    const stat = await this.#disk.fs.lstat(`${open.at}/${name}`);
    return stat === null || (stat.type === 'directory' && (await this.#isEmptied(path)));
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
    for (const file of this.#files.length < 2 ? this.#files : inOrder(this.#files))
      try {
        if (!(await publishFile(this.#disk, file))) this.skipped.push(file.change.path);
      } catch (error) {
        errors.push(diskFailure('Writing', file.change.path, error));
      }
    if (errors.length > 0) throw errors[0];
  }

  /** If someone wrote through an open descriptor, restores that file: its text is newer. */
  async settle(): Promise<void> {
    try {
      for (const file of this.#files) {
        if (file.kept !== 'here') continue;
        file.kept = null;
        if (await isUnchanged(this.#disk, file)) await dropBackup(this.#disk, file.record);
        else {
          await putBack(this.#disk, file);
          this.skipped.push(file.change.path);
        }
      }
    } catch (error) {
      throw diskFailure('Writing', 'the workspace', error);
    }
  }

  async discard(): Promise<void> {
    let isLeft = false;
    for (const file of this.#files) {
      await file.open?.close();
      file.open = null;
      isLeft ||= file.isStaged || file.handle !== null || file.kept === 'here';
    }
    if (!isLeft) return;
    await onDisk('Cleaning up in', 'the stage folder', async () => {
      await removeStaged(this.#disk, this.#files);
      await this.settle();
    });
  }
}

/** Deletes last, so that a moved file is always somewhere; but first where a file makes way for a folder, or back. */
export function inOrder<T extends { change: StoreChange }>(files: readonly T[]): readonly T[] {
  const writes = files.filter(file => file.change.after);
  const written = new Set(writes.map(({ change }) => change.path));
  const above = new Set([...written].flatMap(foldersAbove));
  const clashes = ({ change: { path } }: T): boolean =>
    above.has(path) || foldersAbove(path).some(folder => written.has(folder));
  const deletes = files.filter(file => !file.change.after);
  return [...deletes.filter(clashes), ...writes, ...deletes.filter(file => !clashes(file))];
}
