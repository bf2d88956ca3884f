/** Making one staged file visible in one step, and only where the file that it replaces still is what was read. */

import { removeIfThere } from '../../fs/durable.ts';
import { cannotLink, errno, orNull } from '../../fs/fs.ts';
import type { StoredFile } from '../store.ts';
import { dropBackup, isUnchanged, putBack } from './backup.ts';
import { below, type Disk, type Folder, splitPath } from './contract.ts';
import { entriesIn, sameContent, stillHolds } from './read.ts';
import { removeStaged, writeContent } from './stage.ts';
import { backupName, besideName, type StagedFile } from './staged-file.ts';
import { inFolder, inMadeFolder } from './walk.ts';

/** Puts one file in place, or removes it. False when somebody else changed the file or made one: their text stays. */
export function publishFile(disk: Disk, file: StagedFile): Promise<boolean> {
  const { open, change } = file;
  if (!change.after) return takeAway(disk, file);
  if (open) return place(disk, open, file);
  return inMadeFolder(disk, splitPath(change.path).folder, made => place(disk, made, file));
}

/** Removes a file, and the folders that are empty then. */
async function takeAway(disk: Disk, file: StagedFile): Promise<boolean> {
  const { open, change } = file;
  const { folder } = splitPath(change.path);
  const isRemoved = await (open
    ? remove(disk, open, file)
    : inFolder(disk, folder, found => remove(disk, found, file)));
  if (isRemoved) await pruneFolders(disk, folder);
  return isRemoved === true;
}

async function place(disk: Disk, open: Folder, file: StagedFile): Promise<boolean> {
  try {
    const isPlaced = await placeFrom(disk, `${disk.stageFolder}/${file.record.staged}`, open, file);
    if (isPlaced) file.isStaged = false;
    return isPlaced;
  } catch (error) {
    if (errno(error) !== 'EXDEV') throw error;
    return placeFromBeside(disk, open, file);
  }
}

/** Writes the content once more, into the target's folder, since no rename leads from one device to another. */
async function placeFromBeside(disk: Disk, open: Folder, file: StagedFile): Promise<boolean> {
  const beside = `${open.at}/${besideName(file.record)}`;
  const handle = await writeContent(disk, file, beside);
  try {
    await handle.sync().finally(() => handle.close());
    const isPlaced = await placeFrom(disk, beside, open, file);
    if (isPlaced) await removeStaged(disk, [file]);
    return isPlaced;
  } finally {
    await removeIfThere(disk.fs, beside);
  }
}

/**
 * A rename replaces the file in one step. Between the last look and the rename only a file that is itself renamed
 * into the place could be lost; what is written into the old file is found under its second name.
 */
async function placeFrom(disk: Disk, source: string, open: Folder, file: StagedFile): Promise<boolean> {
  const { change } = file;
  const { name } = splitPath(change.path);
  if (!change.before) return placeNew(disk, source, `${open.at}/${name}`, change.path);
  // With a second name a cheap look is enough: what is written into the old file, before or after, is found there.
  const look = file.kept === 'here' ? looksAsRead : stillHolds;
  if (await look(disk, open, name, change.before)) {
    await disk.fs.rename(source, `${open.at}/${name}`);
    return true;
  }
  // The file never lost its place.
  if (file.kept === 'here') await dropBackup(disk, file.record);
  file.kept = null;
  return false;
}

/**
 * Compares stats, but for the time that its second name changed. A write in the same tick of the clock does not show here;
 * it is found under that name.
 */
export async function looksAsRead(
  disk: Disk,
  open: Folder,
  name: string,
  before: StoredFile,
): Promise<boolean> {
  const seen = disk.seen.get(before);
  if (!seen) return stillHolds(disk, open, name, before);
  const now = await disk.fs.lstat(`${open.at}/${name}`);
  return now !== null && sameContent(now, seen.stat);
}

/** Places a new file by a link, which unlike a rename never replaces a file that somebody made a moment ago. */
async function placeNew(disk: Disk, source: string, target: string, path: string): Promise<boolean> {
  const { fs } = disk;
  const again = async (): Promise<boolean> =>
    (await removeEmpty(disk, path)) && (await placeNew(disk, source, target, path));
  try {
    await fs.link(source, target);
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

/** Removes a file: it is moved away and then looked at, so that what is removed is what was looked at. */
async function remove(disk: Disk, open: Folder, file: StagedFile): Promise<boolean> {
  const { name } = splitPath(file.change.path);
  const target = `${open.at}/${name}`;
  if (!(await stillHolds(disk, open, name, file.change.before!, 'elsewhere'))) return false;
  try {
    await disk.fs.rename(target, `${disk.stageFolder}/${backupName(file.record)}`);
  } catch (error) {
    if (errno(error) === 'ENOENT') return true;
    if (errno(error) !== 'EXDEV') throw error;
    await disk.fs.unlink(target);
    await removeStaged(disk, [file]);
    return true;
  }
  await removeStaged(disk, [file]);
  if (await isUnchanged(disk, file)) {
    file.kept = 'here';
    return true;
  }
  await putBack(disk, file);
  return false;
}

/** Removes the folder, and those above it, as long as they are empty; never the root. */
export async function pruneFolders(disk: Disk, path: string): Promise<void> {
  for (let at = path; at !== ''; at = splitPath(at).folder) if (!(await removeFolder(disk, at))) return;
}

/** Removes a folder that holds nothing but such folders; git knows of none of them. False where it is no such folder. */
async function removeEmpty(disk: Disk, path: string): Promise<boolean> {
  const entries = await inFolder(disk, path, open => entriesIn(disk, open));
  if (!entries?.every(({ type }) => type === 'directory')) return false;
  for (const { name } of entries) await removeEmpty(disk, below(path, name));
  return removeFolder(disk, path);
}

/** Removes an empty folder. False where it stays; one that is gone counts as removed. */
async function removeFolder(disk: Disk, path: string): Promise<boolean> {
  const { folder, name } = splitPath(path);
  try {
    await inFolder(disk, folder, open => orNull(disk.fs.rmdir(`${open.at}/${name}`)));
    return true;
  } catch (error) {
    if (STAYS.has(errno(error) ?? '')) return false;
    throw error;
  }
}

/** Error codes of rmdir(2) for a folder that has entries, is in use, or may not be removed: it stays, which harms nobody. */
const STAYS: ReadonlySet<string> = new Set([
  'ENOTEMPTY',
  'EEXIST',
  'EBUSY',
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
]);
