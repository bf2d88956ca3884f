/**
 * Writing the new contents, synced, with the permissions and owner that their targets have.
 *
 * They go to the stage folder in git's own folder, where no watcher and no `git add` sees them. Nothing is written into
 * the workspace before the journal knows of it, so targets on another device are first tried when they are published.
 */

import { eachDone } from '../../fs/all-done.ts';
import { createFile, removeIfThere, syncFile } from '../../fs/durable.ts';
import { errno, type FileHandle, type Stat } from '../../fs/fs.ts';
import type { StoreChange, StoredMode } from '../store.ts';
import { dropBackup, linkBackup } from './backup.ts';
import { below, type Disk, type Folder, inTheWay, splitPath } from './contract.ts';
import { tooLarge } from './read.ts';
import { evidenceOf, type Ownership, type RecordedFile, type StagedFile } from './staged-file.ts';
import { inDeepest } from './walk.ts';

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
  const staging: Staging = { changes, name, earlier, files: [] };
  try {
    await eachDone([...changes.keys()], index => stageOne(disk, staging, index));
    return staging.files;
  } catch (error) {
    const begun = staging.files.filter(Boolean);
    await removeStaged(disk, begun).catch(() => {});
    for (const { record } of begun) await dropBackup(disk, record).catch(() => {});
    for (const { open } of begun) await open?.close();
    throw error;
  }
}

interface Staging {
  changes: readonly StoreChange[];
  name: string;
  earlier: readonly RecordedFile[];
  /** Those that were begun, each at the index of its change. */
  files: StagedFile[];
}

async function stageOne(disk: Disk, staging: Staging, index: number): Promise<void> {
  const { path, before, after } = staging.changes[index]!;
  if (after && after.bytes.length > disk.maxBytes) throw tooLarge(disk, path, after.bytes.length);
  const open = disk.folders.use((before && disk.seen.get(before)?.folder) ?? undefined);
  if (!open)
    return inDeepest(disk, splitPath(path).folder, found => stageIn(disk, staging, index, found), 'block');
  try {
    await stageIn(disk, staging, index, open);
    staging.files[index]!.open = open;
  } catch (error) {
    await open.close();
    throw error;
  }
}

/** Writes one file whose target is in this folder, and gives the file that it replaces its second name. */
async function stageIn(disk: Disk, staging: Staging, index: number, open: Folder): Promise<void> {
  const file = await lookAtTarget(disk, staging, index, open);
  staging.files[index] = file;
  const { record, change } = file;
  const at = `${disk.stageFolder}/${record.staged}`;
  if (change.after) file.handle = await writeContent(disk, file, at);
  else await createFile(disk.fs, at, new Uint8Array(), { sync: false });
  file.isStaged = true;
  record.ours = evidenceOf(file.stat);
  if (staging.changes.length > FEW) await closeStaged(file);
  file.kept = await linkBackup(disk, open, file);
}

/** Looks at the target, and sees to it that there is a place for it: a folder that can be written, and no file where one is needed. */
async function lookAtTarget(
  disk: Disk,
  { changes, name, earlier }: Staging,
  index: number,
  open: Folder,
): Promise<StagedFile> {
  const change = changes[index]!;
  const { path, before, after } = change;
  const blocked = open.blocked ? below(open.path, open.rest[0]!) : null;
  if (after && blocked && !isDeleted(changes, blocked)) throw inTheWay(blocked);
  await disk.fs.checkWritable(`${open.at}/.`);
  const seen = before && disk.seen.get(before);
  const known = earlier.length === 0 ? undefined : earlier.find(record => record.path === path);
  let target = seen?.stat ?? null;
  // As it was read, where its folder stayed open since.
  if (seen?.folder !== open)
    target = open.rest.length > 0 ? null : await disk.fs.lstat(`${open.at}/${splitPath(path).name}`);
  const own = target && { perm: target.mode & 0o7777, uid: target.uid, gid: target.gid };
  const record = {
    path,
    before: before && { version: before.version, mode: before.mode },
    after: after && { version: after.version, mode: after.mode },
    was: target?.type === 'file' ? own : (known?.was ?? null),
    seen: evidenceOf(seen?.stat),
    ours: null,
    staged: known?.staged ?? `${name}-${index}`,
  };
  const folder = open.seen ?? (await open.stat());
  return { change, record, isStaged: false, stat: null, folder, kept: null, open: null, handle: null };
}

/** True when one of the changes deletes the file at `path`. */
export function isDeleted(changes: readonly StoreChange[], path: string): boolean {
  return changes.some(change => change.path === path && change.before && !change.after);
}

/** The most files that stay open until they are synced. */
const FEW = 16;

async function closeStaged(file: StagedFile): Promise<void> {
  const { handle } = file;
  file.handle = null;
  await handle?.close().catch(() => {}); // what it holds is written, and durable or of no use
}

/** Makes the staged contents durable, all of them together. */
export async function syncStaged(disk: Disk, files: readonly StagedFile[]): Promise<void> {
  await eachDone(files, async file => {
    if (!file.isStaged || !file.change.after) return;
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
 * open file.
 */
export async function writeContent(disk: Disk, file: StagedFile, at: string): Promise<FileHandle> {
  const { bytes, mode } = file.change.after!;
  const { was } = file.record;
  const perm = was ? permFor(was.perm, mode) : mode === '100755' ? 0o777 : 0o666;
  // Rights of a group that is not given yet come later.
  const umasked = !was || ((perm >> 3) & 7) === (perm & 7) ? perm & 0o777 : perm & 0o700;
  const prepare = (handle: FileHandle): Promise<void> =>
    was ? dressAs(file, handle, was, perm) : dressNew(file, handle);
  return createFile(disk.fs, at, bytes, { umasked, prepare, sync: false, staysOpen: true });
}

/** Gives a new file the folder's group where the folder has the set-group-id bit, which the stage folder has not. */
async function dressNew(file: StagedFile, handle: FileHandle): Promise<void> {
  const stat = await handle.stat();
  file.stat = stat;
  if (file.folder.mode & 0o2000) await giveTo(handle, stat, stat.uid, file.folder.gid);
}

/** Returns the permissions with the execute bits of the mode that git records: whoever may read may execute. */
function permFor(perm: number, mode: StoredMode): number {
  const executable = (perm & 0o100) !== 0;
  if (executable === (mode === '100755')) return perm;
  return executable ? perm & ~0o111 : perm | ((perm & 0o444) >> 2);
}

/** Gives the file owner and permissions of the old one. Where the owner cannot be kept, it does not run with the rights of the new one. */
async function dressAs(file: StagedFile, handle: FileHandle, was: Ownership, perm: number): Promise<void> {
  const stat = await handle.stat();
  file.stat = stat;
  const isOwned = stat.uid === was.uid && stat.gid === was.gid;
  if (isOwned && (stat.mode & 0o7777) === perm) return;
  const kept = isOwned || (await giveTo(handle, stat, was.uid, was.gid));
  const wanted = kept ? perm : perm & 0o777;
  if ((stat.mode & 0o7777) !== wanted) await handle.chmod(wanted);
  file.stat = await handle.stat();
}

/** Sets owner and group where the system lets us; answers whether it did. */
async function giveTo(handle: FileHandle, stat: Stat, uid: number, gid: number): Promise<boolean> {
  const group = gid === stat.gid || (await allowed(handle.chown(stat.uid, gid)));
  const owner = uid === stat.uid || (await allowed(handle.chown(uid, gid)));
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

export async function removeStaged(disk: Disk, files: readonly StagedFile[]): Promise<void> {
  for (const file of files) {
    await closeStaged(file);
    if (file.isStaged) await removeIfThere(disk.fs, `${disk.stageFolder}/${file.record.staged}`);
    file.isStaged = false;
  }
}
