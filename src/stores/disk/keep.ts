/**
 * The file that a change replaces or deletes keeps a name in the stage folder until the change is durable. What a
 * person's editor writes in that moment into the file that was there is then found, and put back.
 */

import { EditError } from '../../errors.ts';
import { removeIfThere } from '../../fs/durable.ts';
import { cannotLink, errno, type Stat } from '../../fs/fs.ts';
import type { StoreChange } from '../store.ts';
import { type Disk, type Folder, splitPath } from './contract.ts';
import { stillHolds } from './read.ts';
import { inMadeFolder } from './walk.ts';

/** A file that lost its place. */
export interface Kept {
  change: StoreChange;
  /** Its name in the stage folder. */
  name: string;
  /** The stat of the file that took its place; `null` when none did. */
  ours: Stat | null;
}

/** True when the kept file still is what the change was made for. */
export async function isUnchanged(disk: Disk, { name, change }: Kept): Promise<boolean> {
  try {
    return await stillHolds(disk, { at: disk.stageFolder, path: '' }, name, change.before!, 'elsewhere');
  } catch (error) {
    // Something that is no file, or that is written right now.
    if (error instanceof EditError) return false;
    throw error;
  }
}

export async function dropKept(disk: Disk, { name }: Pick<Kept, 'name'>): Promise<void> {
  await removeIfThere(disk.fs, `${disk.stageFolder}/${name}`);
}

/** Puts the kept file back where it was, unless somebody else took the place. */
export async function putBack(disk: Disk, kept: Kept): Promise<void> {
  const { folder, name } = splitPath(kept.change.path);
  await inMadeFolder(disk, folder, async open => {
    if (kept.ours) await putOver(disk, open, name, kept);
    else await putInGap(disk, open, name, kept.name);
  });
  await dropKept(disk, kept);
}

/** A later save went over the text of whoever made it. */
async function putOver(disk: Disk, open: Folder, name: string, kept: Kept): Promise<void> {
  const target = `${open.at}/${name}`;
  const now = await disk.fs.lstat(target);
  if (now && sameFile(now, kept.ours!)) await disk.fs.rename(`${disk.stageFolder}/${kept.name}`, target);
}

/** Puts a kept file where there is none now. */
async function putInGap(disk: Disk, open: Folder, name: string, kept: string): Promise<void> {
  const source = `${disk.stageFolder}/${kept}`;
  const target = `${open.at}/${name}`;
  if (await disk.fs.lstat(target)) return;
  try {
    await disk.fs.link(source, target);
  } catch (error) {
    if (cannotLink(error)) await disk.fs.rename(source, target);
    else if (errno(error) !== 'EEXIST') throw error;
  }
}

/** True when nobody wrote to the file, whatever became of its names. */
function sameFile(a: Stat, b: Stat): boolean {
  return a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtimeNs === b.mtimeNs;
}
