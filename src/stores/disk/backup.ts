/**
 * The file that a change replaces or deletes keeps a name in the stage folder until the change is durable. What a
 * person's editor writes in that moment into the file that was there is then found, and put back. Whether a file can be
 * replaced at all shows in that it gets this name, before anything of the change is recorded.
 */

import { EditError, ifRefused } from '../../errors.ts';
import { removeIfThere } from '../../fs/durable.ts';
import { cannotLink, errno, isMissing, type Stat } from '../../fs/fs.ts';
import { pathName } from '../../wording.ts';
import { type Disk, type Folder, splitPath } from './contract.ts';
import { stillHolds } from './read.ts';
import { backupName, besideName, type RecordedFile, type StagedFile } from './staged-file.ts';
import { inMadeFolder } from './walk.ts';

/** True when the kept file still is what the change was made for. */
export async function isUnchanged(disk: Disk, { change, record }: StagedFile): Promise<boolean> {
  const stageFolder = { at: disk.stageFolder, path: '' };
  const holds = stillHolds(disk, stageFolder, backupName(record), change.before!, 'elsewhere');
  // Something that is no file, or that is written right now.
  return holds.catch(ifRefused(false));
}

export function dropBackup(disk: Disk, record: RecordedFile): Promise<boolean> {
  return removeIfThere(disk.fs, `${disk.stageFolder}/${backupName(record)}`);
}

/** Puts the kept file back where it was, unless somebody else took the place. */
export async function putBack(disk: Disk, { change, record, stat }: StagedFile): Promise<void> {
  const { folder, name } = splitPath(change.path);
  const kept = `${disk.stageFolder}/${backupName(record)}`;
  await inMadeFolder(disk, folder, async open => {
    const target = `${open.at}/${name}`;
    const now = await disk.fs.lstat(target);
    if (!stat && !now) await putInGap(disk, kept, target);
    // A later save went over the text of whoever made it.
    if (stat && now && sameFile(now, stat)) await disk.fs.rename(kept, target);
  });
  await dropBackup(disk, record);
}

/** Puts a kept file where there is none now. */
async function putInGap({ fs }: Disk, kept: string, target: string): Promise<void> {
  try {
    await fs.link(kept, target);
  } catch (error) {
    if (cannotLink(error)) await fs.rename(kept, target);
    else if (errno(error) !== 'EEXIST') throw error;
  }
}

/** True when nobody wrote to the file, whatever became of its names. */
function sameFile(a: Stat, b: Stat): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs;
}

/**
 * Gives the file that a change replaces its second name, before the record of the change is written: what cannot be linked
 * cannot be renamed over as a rule, and nothing was changed yet. A file that is deleted only lends its name for that: it is
 * moved there later. 'elsewhere': no link leads to the stage folder. `null`: there is nothing, or no link can tell. Throws
 * STORE_FAILED for a file that cannot be replaced.
 */
export async function linkBackup(
  disk: Disk,
  open: Folder,
  { change, record, folder }: Pick<StagedFile, 'change' | 'record' | 'folder'>,
): Promise<'here' | 'elsewhere' | null> {
  const { path, before, after } = change;
  if (!before || open.rest.length > 0) return null;
  const target = `${open.at}/${splitPath(path).name}`;
  const owner = record.was?.uid;
  const mayReplace = [0, undefined, owner, folder.uid].includes(disk.euid);
  if (folder.mode & STICKY && !mayReplace) throw fixed(path, 'EPERM', OF_ANOTHER);
  try {
    await disk.fs.link(target, `${disk.stageFolder}/${backupName(record)}`);
  } catch (error) {
    if (errno(error) === 'EXDEV') return 'elsewhere';
    const isOwn = disk.euid !== undefined && [0, owner].includes(disk.euid);
    if (errno(error) === 'EPERM' && isOwn && (await hasLinks(disk, record)))
      throw fixed(path, 'EPERM', IMMUTABLE);
    if (errno(error) === 'ENOENT' || cannotLink(error)) return null;
    throw error;
  }
  if (after) return 'here';
  await dropBackup(disk, record);
  return null;
}

/**
 * Checks that a file can be replaced where files lie on another mount: beside the target, for a moment, when the record
 * names that place.
 */
export async function checkBeside(disk: Disk, open: Folder, { change, record }: StagedFile): Promise<void> {
  const beside = `${open.at}/${besideName(record)}`;
  try {
    await disk.fs.link(`${open.at}/${splitPath(change.path).name}`, beside);
    await disk.fs.unlink(beside);
  } catch (error) {
    if (errno(error) === 'EXDEV') throw fixed(change.path, 'EXDEV', MOUNTED);
    if (!isMissing(error) && !cannotLink(error)) throw error;
  }
}

/** True where the disk makes links of files that nobody protects. */
async function hasLinks({ fs, stageFolder }: Disk, record: RecordedFile): Promise<boolean> {
  const probe = `${stageFolder}/${backupName(record)}`;
  try {
    await fs.link(`${stageFolder}/${record.staged}`, probe);
    return await removeIfThere(fs, probe);
  } catch {
    return false;
  }
}

/** The mode of a folder in which only owners may replace files. */
const STICKY = 0o1000;

const MOUNTED = 'is mounted by itself. Mount its folder instead, or edit it where it comes from.';
const IMMUTABLE =
  'may not be replaced: it is immutable or append-only (lsattr tells). Take that away (chattr -i -a), or leave the file alone.';
const OF_ANOTHER =
  'belongs to another user, and in its folder only the owner may replace a file (the sticky bit). Let them do it, or make it yours.';

function fixed(path: string, cause: string, why: string): EditError {
  const message = `${pathName(path)} ${why} Nothing was changed.`;
  return new EditError('STORE_FAILED', message, { path, cause, retryable: false });
}
