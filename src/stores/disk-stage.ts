/**
 * Writing the new contents beside their targets, synced, with the permissions and owner that the targets have.
 *
 * They go to the stage folder in git's own folder, where no watcher and no `git add` sees them. When the target is on
 * another device a rename cannot reach it from there, so the new content lies in the target's folder under a hidden name.
 */

import { allDone } from '../git/all-done.ts';
import { createFile, ensureFolder, removeIfThere } from '../git/durable.ts';
import { errno, type FileHandle, orNull, type Stat } from '../git/fs.ts';
import { below, type Disk, inTheWay, splitPath } from './disk-contract.ts';
import { tooLarge } from './disk-read.ts';
import { inDeepest, inFolder } from './disk-walk.ts';
import type { StoreChange, StoredFile, StoredMode } from './store.ts';

/** What recovery needs of a change: plain JSON, one entry a file. */
export interface DiskRecord {
  files: RecordedFile[];
}

export interface RecordedFile {
  path: string;
  before: { version: string; mode: StoredMode } | null;
  after: { version: string; mode: StoredMode } | null;
  /** Permission bits and owner of the file that is replaced or deleted. */
  was: Ownership | null;
  /** The name of the new content in the stage folder. */
  staged: string;
  /** The path of the new content when it lies beside its target, and when a rename fails with EXDEV. */
  beside: string;
}

export interface Ownership {
  perm: number;
  uid: number;
  gid: number;
}

/** One file of a change, its new content written. */
export interface StagedFile {
  change: StoreChange;
  record: RecordedFile;
  /** Where the new content is now. */
  place: 'stage folder' | 'beside' | 'nowhere';
}

/** As many files are written and synced at once. */
const AT_ONCE = 32;

/**
 * Writes and syncs what the changes shall hold. `earlier` are the records of the same files from a run that was cut
 * short. Throws FILE_EXISTS, OUTSIDE_WORKSPACE, TOO_LARGE, or a system error; then nothing is left behind.
 */
export async function stageFiles(
  disk: Disk,
  changes: readonly StoreChange[],
  earlier: readonly RecordedFile[] = [],
): Promise<StagedFile[]> {
  const device = await deviceOf(disk);
  const token = crypto.randomUUID();
  const files: StagedFile[] = [];
  try {
    for (let at = 0; at < changes.length; at += AT_ONCE) {
      const batch = changes.slice(at, at + AT_ONCE);
      const plans = await allDone(
        batch.map((change, i) => planOf(disk, changes, change, `${token}-${at + i}`, earlier)),
      );
      files.push(...plans.map(plan => plan.file));
      await allDone(plans.map(plan => writeStaged(disk, plan, device)));
    }
  } catch (error) {
    await removeStaged(disk, files).catch(() => {});
    throw error;
  }
  return files;
}

async function deviceOf(disk: Disk): Promise<bigint> {
  const stat = await orNull(disk.fs.lstat(disk.stageFolder));
  if (stat) return stat.dev;
  await ensureFolder(disk.fs, disk.stageFolder);
  return (await disk.fs.lstat(disk.stageFolder)).dev;
}

interface Plan {
  file: StagedFile;
  /** Of the deepest folder on the way to the target that is there. */
  folder: Stat;
}

/** Looks at the target and the folder where it is or will be. */
async function planOf(
  disk: Disk,
  changes: readonly StoreChange[],
  change: StoreChange,
  staged: string,
  earlier: readonly RecordedFile[],
): Promise<Plan> {
  const { path, before, after } = change;
  const { folder, name } = splitPath(path);
  if (after && after.bytes.length > disk.maxBytes) throw tooLarge(disk, path, after.bytes.length);
  return inDeepest(disk, folder, async open => {
    const blocked = open.blocked ? below(open.path, open.rest[0]!) : null;
    if (after && blocked && !isDeleted(changes, blocked)) throw inTheWay(blocked);
    const target = open.rest.length > 0 ? null : await orNull(disk.fs.lstat(`${open.at}/${name}`));
    const was =
      target?.type === 'file' ? ownershipOf(target) : (earlier.find(e => e.path === path)?.was ?? null);
    const beside = below(open.path, `.vedit-${staged}`);
    const record = { path, before: sideOf(before), after: sideOf(after), was, staged, beside };
    return { file: { change, record, place: 'nowhere' }, folder: await open.stat() };
  });
}

/** True when one of the changes deletes the file at `path`. */
export function isDeleted(changes: readonly StoreChange[], path: string): boolean {
  return changes.some(change => change.path === path && change.before && !change.after);
}

function ownershipOf(stat: Stat): Ownership {
  return { perm: stat.mode & 0o7777, uid: stat.uid, gid: stat.gid };
}

function sideOf(file: StoredFile | null): RecordedFile['before'] {
  return file && { version: file.version, mode: file.mode };
}

async function writeStaged(disk: Disk, plan: Plan, device: bigint): Promise<void> {
  const { file, folder } = plan;
  if (!file.change.after) return;
  if (folder.dev !== device) return writeBeside(disk, file, folder);
  await writeContent(disk, file, `${disk.stageFolder}/${file.record.staged}`, folder);
  file.place = 'stage folder';
}

/** Writes the new content into the folder of the target, or into the deepest one above it that was there. */
export async function writeBeside(disk: Disk, file: StagedFile, parent: Stat): Promise<void> {
  const { folder, name } = splitPath(file.record.beside);
  await inFolder(disk, folder, open => writeContent(disk, file, `${open.at}/${name}`, parent));
  file.place = 'beside';
}

/** A file that replaces one keeps its permission bits and owner; a new one gets what the system gives new files. */
async function writeContent(disk: Disk, file: StagedFile, at: string, parent: Stat): Promise<void> {
  const { bytes, mode } = file.change.after!;
  const { was } = file.record;
  if (was) {
    const perm = permFor(was.perm, mode);
    return createFile(disk.fs, at, bytes, {
      umasked: perm & 0o700,
      prepare: handle => dressAs(handle, was, perm),
    });
  }
  // In a folder with the set-group-id bit new files belong to the folder's group; the stage folder has no such bit.
  const gid = parent.mode & 0o2000 ? parent.gid : null;
  const prepare = async (handle: FileHandle): Promise<void> =>
    void (gid !== null && (await giveTo(handle, null, gid)));
  return createFile(disk.fs, at, bytes, { umasked: mode === '100755' ? 0o777 : 0o666, prepare });
}

/** Only the execute bits follow the mode that git records: whoever may read may execute. */
function permFor(perm: number, mode: StoredMode): number {
  const executable = (perm & 0o100) !== 0;
  if (executable === (mode === '100755')) return perm;
  return executable ? perm & ~0o111 : perm | ((perm & 0o444) >> 2);
}

/** A file that could not keep its owner does not run with the rights of the new one. */
async function dressAs(handle: FileHandle, was: Ownership, perm: number): Promise<void> {
  const kept = await giveTo(handle, was.uid, was.gid);
  await handle.chmod(kept ? perm : perm & 0o777);
}

/** Sets owner and group (`null`: as they are) where the system lets us; answers whether it did. */
async function giveTo(handle: FileHandle, uid: number | null, gid: number | null): Promise<boolean> {
  const stat = await handle.stat();
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
    if (file.place === 'stage folder')
      await removeIfThere(disk.fs, `${disk.stageFolder}/${file.record.staged}`);
    if (file.place === 'beside') await removeBeside(disk, file.record);
    file.place = 'nowhere';
  }
}

/** Removes the new content that lies beside its target. */
export async function removeBeside(disk: Disk, record: RecordedFile): Promise<void> {
  const { folder, name } = splitPath(record.beside);
  await inFolder(disk, folder, open => removeIfThere(disk.fs, `${open.at}/${name}`));
}
