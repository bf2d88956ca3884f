/**
 * Writing the new contents, synced, with the permissions and owner that their targets have.
 *
 * They go to the stage folder in git's own folder, where no watcher and no `git add` sees them. Nothing is written into
 * the workspace before the journal knows of it, so targets on another device are first tried when they are published.
 */

import { nameOf } from '../../bytes.ts';
import { allDone, eachDone } from '../../fs/all-done.ts';
import { createFile, createOpen, removeIfThere, syncFile } from '../../fs/durable.ts';
import { errno, type FileHandle, type Stat } from '../../fs/fs.ts';
import type { StoreChange, StoredMode } from '../store.ts';
import { below, type Disk, type Folder, inTheWay, splitPath } from './contract.ts';
import { dropKept, linkKept } from './keep.ts';
import { tooLarge } from './read.ts';
import {
  evidenceOf,
  keptName,
  LINK,
  type Ownership,
  type RecordedFile,
  type StagedFile,
} from './staged-file.ts';
import { inDeepest } from './walk.ts';

/** As many files are written at once. */
const AT_ONCE = 32;

/**
 * Writes what the changes shall hold, under names that begin with `name`. `earlier` are the records of the same files from
 * a run that was cut short: their names are used again, so that nothing is left if this run is cut short too. Throws
 * FILE_EXISTS, OUTSIDE_WORKSPACE, TOO_LARGE, or a system error; then nothing is left behind.
 */
export async function stageFiles(
  disk: Disk,
  changes: readonly StoreChange[],
  name: string,
  earlier: readonly RecordedFile[] = [],
): Promise<StagedFile[]> {
  const files: StagedFile[] = [];
  const begun: StagedFile[] = [];
  try {
    for (let at = 0; at < changes.length; at += AT_ONCE) {
      const some: Promise<StagedFile>[] = [];
      for (const [i, change] of changes.slice(at, at + AT_ONCE).entries())
        some.push(stageOne(disk, { changes, change, staged: `${name}-${at + i}`, earlier }, begun));
      files.push(...(await allDone(some)));
    }
  } catch (error) {
    await removeStaged(disk, begun).catch(() => {});
    for (const { record } of begun) await dropKept(disk, { name: keptName(record) }).catch(() => {});
    for (const { open } of begun) await open?.close();
    throw error;
  }
  return files;
}

interface Wanted {
  changes: readonly StoreChange[];
  change: StoreChange;
  staged: string;
  earlier: readonly RecordedFile[];
}

/** Writes one file, once there is a place for it; `begun` learns of it before anything is written. */
async function stageOne(disk: Disk, wanted: Wanted, begun: StagedFile[]): Promise<StagedFile> {
  const { path, after } = wanted.change;
  if (after && after.bytes.length > disk.maxBytes) throw tooLarge(disk, path, after.bytes.length);
  const stage = async (open: Folder): Promise<StagedFile> => {
    const file = await lookAtTarget(disk, wanted, open);
    begun.push(file);
    await writeStaged(disk, file, wanted.changes.length <= FEW);
    file.kept = await linkKept(disk, open, file);
    return file;
  };
  const { before } = wanted.change;
  const open = disk.folders.use((before && disk.seen.get(before)?.folder) ?? undefined);
  if (!open) return inDeepest(disk, splitPath(path).folder, stage, 'block');
  try {
    const file = await stage(open);
    file.open = open;
    return file;
  } catch (error) {
    await open.close();
    throw error;
  }
}

/** Also sees to it that there is a place for the target: a folder that can be written, and no file where one is needed. */
async function lookAtTarget(
  disk: Disk,
  { changes, change, staged, earlier }: Wanted,
  open: Folder,
): Promise<StagedFile> {
  const { path, before, after } = change;
  const blocked = open.blocked ? below(open.path, open.rest[0]!) : null;
  if (after && blocked && !isDeleted(changes, blocked)) throw inTheWay(blocked);
  await disk.fs.checkWritable(`${open.at}/.`);
  const seen = before && disk.seen.get(before);
  const { name } = splitPath(path);
  // As it was read, where its folder stayed open since.
  const target =
    seen?.folder === open
      ? seen.stat
      : open.rest.length > 0
        ? null
        : await disk.fs.lstat(`${open.at}/${name}`);
  const known = earlier.find(record => record.path === path);
  const record = {
    path,
    before: before && { version: before.version, mode: before.mode },
    after: after && { version: after.version, mode: after.mode },
    was:
      target?.type === 'file'
        ? { perm: target.mode & 0o7777, uid: target.uid, gid: target.gid }
        : (known?.was ?? null),
    seen: evidenceOf(seen?.stat),
    ours: null,
    staged: known?.staged ?? staged,
  };
  const folder = await open.stat();
  return { change, record, isStaged: false, stat: null, folder, kept: null, open: null, handle: null };
}

/** True when one of the changes deletes the file at `path`. */
export function isDeleted(changes: readonly StoreChange[], path: string): boolean {
  return changes.some(change => change.path === path && change.before && !change.after);
}

async function writeStaged(disk: Disk, file: StagedFile, isFew: boolean): Promise<void> {
  const at = `${disk.stageFolder}/${file.record.staged}`;
  if (file.change.after) file.handle = await writeContent(disk, file, at);
  else await createFile(disk.fs, at, new Uint8Array(), { sync: false });
  file.isStaged = true;
  file.record.ours = evidenceOf(file.stat);
  if (!isFew) await closeStaged(file);
}

/** So few files stay open until they are synced. */
const FEW = 16;

async function closeStaged(file: StagedFile): Promise<void> {
  const { handle } = file;
  file.handle = null;
  await handle?.close().catch(() => {}); // what it holds is written, and durable or of no use
}

/** Makes the staged contents durable, all of them together. */
export async function syncStaged(disk: Disk, files: readonly StagedFile[]): Promise<void> {
  await eachDone(files, async file => {
    if (!file.isStaged || !file.change.after || file.change.after.mode === LINK) return;
    if (!file.handle) return syncFile(disk.fs, `${disk.stageFolder}/${file.record.staged}`);
    try {
      await file.handle.sync();
    } finally {
      await closeStaged(file);
    }
  });
}

/**
 * A file that replaces one keeps its permission bits and owner; a new one gets what the system gives new files. Answers the
 * open file, and `null` for a link.
 */
export async function writeContent(disk: Disk, file: StagedFile, at: string): Promise<FileHandle | null> {
  const { bytes, mode } = file.change.after!;
  const { was } = file.record;
  if (mode === LINK) {
    await disk.fs.symlink!(nameOf(bytes), at);
    file.stat = await disk.fs.lstat(at);
    return null;
  }
  if (was) {
    const perm = permFor(was.perm, mode);
    return createOpen(disk.fs, at, bytes, {
      // Rights of a group that is not given yet come later.
      umasked: ((perm >> 3) & 7) === (perm & 7) ? perm & 0o777 : perm & 0o700,
      prepare: async handle => {
        file.stat = await dressAs(handle, was, perm);
      },
      sync: false,
    });
  }
  // In a folder with the set-group-id bit new files belong to the folder's group; the stage folder has no such bit.
  const gid = file.folder.mode & 0o2000 ? file.folder.gid : null;
  const prepare = async (handle: FileHandle): Promise<void> => {
    file.stat = await handle.stat();
    if (gid !== null) await giveTo(handle, file.stat, null, gid);
  };
  return createOpen(disk.fs, at, bytes, { umasked: mode === '100755' ? 0o777 : 0o666, prepare, sync: false });
}

/** Only the execute bits follow the mode that git records: whoever may read may execute. */
function permFor(perm: number, mode: StoredMode): number {
  const executable = (perm & 0o100) !== 0;
  if (executable === (mode === '100755')) return perm;
  return executable ? perm & ~0o111 : perm | ((perm & 0o444) >> 2);
}

/** A file that could not keep its owner does not run with the rights of the new one. */
async function dressAs(handle: FileHandle, was: Ownership, perm: number): Promise<Stat> {
  const stat = await handle.stat();
  const isOwned = stat.uid === was.uid && stat.gid === was.gid;
  if (isOwned && (stat.mode & 0o7777) === perm) return stat;
  const kept = isOwned || (await giveTo(handle, stat, was.uid, was.gid));
  const wanted = kept ? perm : perm & 0o777;
  if ((stat.mode & 0o7777) !== wanted) await handle.chmod(wanted);
  return handle.stat();
}

/** Sets owner and group (`null`: as they are) where the system lets us; answers whether it did. */
async function giveTo(
  handle: FileHandle,
  stat: Stat,
  uid: number | null,
  gid: number | null,
): Promise<boolean> {
  const group = gid === null || gid === stat.gid || (await allowed(handle.chown(stat.uid, gid)));
  const owner = uid === null || uid === stat.uid || (await allowed(handle.chown(uid, gid ?? stat.gid)));
  return group && owner;
}

async function allowed(change: Promise<void>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if (errno(error) === 'EPERM' || errno(error) === 'EINVAL') return false;
    throw error;
  }
}

/** Removes what is still staged; what is gone is passed over. */
export async function removeStaged(disk: Disk, files: readonly StagedFile[]): Promise<void> {
  for (const file of files) {
    await closeStaged(file);
    if (file.isStaged) await removeIfThere(disk.fs, `${disk.stageFolder}/${file.record.staged}`);
    file.isStaged = false;
  }
}
