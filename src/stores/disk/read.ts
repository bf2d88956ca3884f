/** Reading a file so that the bytes are one state of one regular file, comparing it with what it held before, and listing folders. */

import { nameBytes } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import { errno, type Fs, orNull, type Stat } from '../../fs/fs.ts';
import { pathName } from '../../wording.ts';
import { foldsTo } from '../paths.ts';
import type { StoredFile, StoredMode, StoreEntry } from '../store.ts';
import {
  assertReal,
  below,
  type Disk,
  type Folder,
  leadsOut,
  onDisk,
  type Seen,
  splitPath,
} from './contract.ts';
import { OpenFolder } from './folders.ts';
import { inFolder } from './walk.ts';

/** A file that changes under every one of so many reads is being written right now. */
const TRIES = 5;

/** After so long no later write can have left the same times: the coarsest clock of a file system ticks every 2 s. */
const TICK_MS = 2500;

/** Reads a file; `null` when there is none. Throws IS_DIRECTORY, SPECIAL_FILE, OUTSIDE_WORKSPACE, TOO_LARGE, STORE_FAILED. */
export async function readStored(disk: Disk, path: string): Promise<StoredFile | null> {
  assertReal(path, true);
  const { folder, name } = splitPath(path);
  if (name === '') throw isDirectory(path);
  const { looked } = disk;
  disk.looked = null;
  const isKnown = looked?.path === path && performance.now() - looked.at < FRESH_MS;
  const open = isKnown ? await disk.folders.getByStat(folder, looked.folder) : null;
  if (!open) return inFolder(disk, folder, found => readIn(disk, found, name));
  try {
    return await readIn(disk, open, name, looked!.file);
  } finally {
    await open.close();
  }
}

/** As long as what a path leads to need not be looked at again to be read: to be published, it is. */
const FRESH_MS = 50;

/** Reads as `readStored`, a link as what it is; what lies below one is nothing. */
export async function readEntry(disk: Disk, path: string): Promise<StoredFile | null> {
  assertReal(path, true);
  const { folder, name } = splitPath(path);
  const read = async (open: Folder): Promise<StoredFile | null> =>
    (await readLink(disk, open, name)) ?? readIn(disk, open, name);
  return inFolder(disk, folder, read, 'block');
}

async function readLink(disk: Disk, folder: Pick<Folder, 'at'>, name: string): Promise<StoredFile | null> {
  const at = Date.now();
  const stat = await disk.fs.lstat(`${folder.at}/${name}`);
  if (stat?.type !== 'symlink') return null;
  const target = await orNull(disk.fs.readlink(`${folder.at}/${name}`));
  if (target === null) return null;
  const bytes = nameBytes(target);
  const file: StoredFile = { bytes, mode: '120000', version: await disk.hash(bytes) };
  disk.seen.set(file, { stat, at });
  return file;
}

/** Reads whatever is at the path: a file, nothing, or something else that cannot be read as a file. Throws STORE_FAILED. */
export async function presentFile(disk: Disk, path: string): Promise<StoredFile | null | 'something else'> {
  try {
    return await onDisk('Reading', path, () => readEntry(disk, path));
  } catch (error) {
    if (error instanceof EditError && error.code !== 'STORE_FAILED') return 'something else';
    throw error;
  }
}

/**
 * Reads the file `name` in an open folder, again when it was swapped or written meanwhile; `null` when there is none.
 * `first`: its stat, where that was looked up a moment ago.
 */
async function readIn(
  disk: Disk,
  folder: Pick<Folder, 'at' | 'path'>,
  name: string,
  first?: Stat,
): Promise<StoredFile | null> {
  const path = below(folder.path, name);
  for (let tries = 0; tries < TRIES; tries++) {
    const stat = (tries === 0 && first) || (await disk.fs.lstat(`${folder.at}/${name}`));
    if (!stat) return null;
    assertReadable(disk, path, stat);
    const at = Date.now();
    const bytes = await readOnce(disk.fs, `${folder.at}/${name}`, stat);
    if (!bytes) continue;
    const file: StoredFile = { bytes, mode: modeOf(stat), version: await disk.hash(bytes) };
    disk.seen.set(file, { stat, at, folder: folder instanceof OpenFolder ? folder : undefined });
    return file;
  }
  const words = `${pathName(path)} changes while it is read. Try again when it is written.`;
  throw new EditError('STORE_FAILED', words, { path });
}

function assertReadable(disk: Disk, path: string, stat: Stat): void {
  if (stat.type === 'directory') throw isDirectory(path);
  if (stat.type === 'symlink') throw leadsOut(path);
  if (stat.type !== 'file') {
    const words = `${pathName(path)} is not a regular file. Name a regular file.`;
    throw new EditError('SPECIAL_FILE', words, { path });
  }
  if (stat.size > disk.maxBytes) throw tooLarge(disk, path, stat.size);
}

function isDirectory(path: string): EditError {
  const words = `${path ? pathName(path) : 'The root'} is a folder. Name a file in it.`;
  return new EditError('IS_DIRECTORY', words, { path });
}

/** Creates the TOO_LARGE error for a file of `size` bytes. */
export function tooLarge(disk: Disk, path: string, size: number): EditError {
  const words = `${pathName(path)} has ${size} bytes; files up to ${disk.maxBytes} bytes can be viewed and edited here. Use another program for this one.`;
  return new EditError('TOO_LARGE', words, { path, size, limit: disk.maxBytes });
}

/** Reads the file that had this stat a moment ago; `null` when it was swapped or written meanwhile. */
async function readOnce(fs: Fs, path: string, stat: Stat): Promise<Uint8Array | null> {
  const handle = await fs.open(path, 'read').catch(error => {
    if (errno(error) === 'ELOOP' || errno(error) === 'ENOENT') return null;
    throw error;
  });
  if (!handle) return null;
  try {
    if (!sameStat(await handle.stat(), stat)) return null;
    const bytes = await handle.read(0, stat.size);
    return bytes.length === stat.size && sameStat(await handle.stat(), stat) ? bytes : null;
  } finally {
    await handle.close();
  }
}

export function modeOf(stat: Stat): StoredMode {
  return stat.mode & 0o100 ? '100755' : '100644';
}

/** True when nothing was done to the file between the two looks, as far as its times can tell. */
export function sameStat(a: Stat, b: Stat): boolean {
  return sameContent(a, b) && a.ctimeNs === b.ctimeNs;
}

/** True when nobody wrote to the file between the two looks; it may have got or lost a name. */
export function sameContent(a: Stat, b: Stat): boolean {
  return (
    a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mode === b.mode && a.mtimeNs === b.mtimeNs
  );
}

/**
 * True when `name` in the folder still holds `file` as it was read, under the name that it had then or elsewhere. Its
 * times tell that alone only when they were old at the moment of reading: a write within the same tick of the clock
 * leaves them as they are.
 */
export async function stillHolds(
  disk: Disk,
  folder: Pick<Folder, 'at' | 'path'>,
  name: string,
  file: StoredFile,
  where: 'here' | 'elsewhere' = 'here',
): Promise<boolean> {
  const stat = await disk.fs.lstat(`${folder.at}/${name}`);
  if (stat?.type !== 'file' || stat.size !== file.bytes.length) return false;
  const seen = disk.seen.get(file);
  if (seen && (where === 'here' ? sameStat : sameContent)(seen.stat, stat) && isPastTick(seen)) return true;
  const now = await readIn(disk, folder, name, stat);
  return now?.mode === file.mode && now.version === file.version;
}

/** True where a change since it was looked up has left other times. */
export function isPastTick({ stat: { ctimeNs, mtimeNs }, at }: Seen): boolean {
  const newest = ctimeNs > mtimeNs ? ctimeNs : mtimeNs;
  return at - Number(newest / 1_000_000n) > TICK_MS;
}

/** Lists a folder, sorted by UTF-16 unit, without git's own folder. `null` when it is no folder. */
export async function listStored(disk: Disk, path: string, most?: number): Promise<StoreEntry[] | null> {
  assertReal(path, true);
  return inFolder(disk, path, folder => entriesIn(disk, folder, most));
}

/** Lists an open folder. Names that vanish between the two calls are left out. */
export async function entriesIn(
  disk: Disk,
  folder: Folder,
  most: number = Number.POSITIVE_INFINITY,
): Promise<StoreEntry[]> {
  // One more, for git's own folder is none of them.
  const names = (await disk.fs.readdir(`${folder.at}/.`)).slice(0, most + 1);
  const entries: StoreEntry[] = [];
  for (const name of names
    .filter(one => foldsTo(one) !== '.git')
    .slice(0, most)
    .sort()) {
    const stat = await disk.fs.lstat(`${folder.at}/${name}`);
    if (stat) entries.push({ name, type: stat.type });
  }
  return entries;
}
