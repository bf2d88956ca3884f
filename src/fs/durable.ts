/**
 * Writing so that it survives a power cut: write under a name of its own, sync, rename, sync the folder. A sync that
 * failed is never tried again on the same file: the kernel may have dropped the pages and then says that all is well.
 */

import { pieces, utf8 } from '../bytes.ts';
import { parseJson } from '../json.ts';
import { errno, type FileHandle, type Fs, isMissing, lstatOf, type OpenHow, orNull } from './fs.ts';

export interface CreateOptions {
  /** Permission bits, set exactly: the umask does not apply. */
  mode?: number;
  /** Permission bits less the umask (the owner may always write); default 0666. Not used when `mode` is given. */
  umasked?: number;
  /** Called with the open file after it is written and before it is synced. */
  prepare?: (handle: FileHandle) => Promise<void>;
  /** Sync the content before closing; default true. */
  sync?: boolean;
  /** Leave the file open; default false. */
  staysOpen?: boolean;
}

/**
 * Creates the file at `path` with `bytes`, whole or in parts; EEXIST when anything is there. When writing, changing the mode,
 * syncing or closing fails the file is removed again, so that a full disk leaves no empty lock. The folder is not synced.
 */
export async function createFile(
  fs: Fs,
  path: string,
  bytes: Uint8Array | readonly Uint8Array[],
  { mode, umasked = 0o666, prepare, sync = true, staysOpen = false }: CreateOptions = {},
): Promise<FileHandle> {
  // Some imitations of a file system refuse to write a new file that is made without the right to.
  const asked = mode ?? umasked;
  const handle = await fs.open(path, 'create', fs.volatile ? asked | 0o200 : asked);
  let isOpen = true;
  try {
    if (!(bytes instanceof Uint8Array)) for (const piece of pieces(bytes)) await handle.write(piece);
    else if (bytes.length > 0) await handle.write(bytes);
    if (prepare) await prepare(handle);
    if (mode !== undefined) await handle.chmod(mode);
    if (sync) await handle.sync();
    isOpen = staysOpen;
    if (!isOpen) await handle.close();
    return handle;
  } catch (error) {
    if (isOpen) await handle.close().catch(() => {});
    await fs.unlink(path).catch(() => {});
    throw error;
  }
}

/**
 * Replaces (or creates) the file at `path` in one step: a reader sees the old or the new content, never a mix. `temp`
 * is the path of the file that is written first, on the same device; it must not exist yet. The folder of `path` is
 * not synced: `syncFolder` does that, for several files at once.
 */
export async function replaceFile(
  fs: Fs,
  path: string,
  bytes: Uint8Array,
  temp: string,
  options: CreateOptions = {},
): Promise<void> {
  await createFile(fs, temp, bytes, options);
  try {
    await fs.rename(temp, path);
  } catch (error) {
    await fs.unlink(temp).catch(() => {});
    throw error;
  }
}

/** Reads JSON; `null` where the file is missing or damaged. Other errors pass through. */
export async function readJson(fs: Fs, path: string): Promise<unknown> {
  const bytes = await orNull(fs.readFile(path));
  return (bytes && parseJson(new TextDecoder().decode(bytes))) ?? null;
}

/** Replaces a file by JSON that nothing is lost with: it is not synced. */
export async function writeJson(fs: Fs, path: string, value: unknown): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}`;
  await replaceFile(fs, path, utf8(JSON.stringify(value)), draft, { sync: false });
}

/**
 * Renames a synced file. Where no rename leads there, since that folder is on another mount, it is written once more beside its
 * place, under a name that git's own gc sweeps, and synced.
 */
export async function moveFile(fs: Fs, from: string, to: string): Promise<void> {
  try {
    await fs.rename(from, to);
  } catch (error) {
    if (errno(error) !== 'EXDEV') throw error;
    const temp = `${parentOf(to)}/tmp_obj_${from.slice(from.lastIndexOf('/') + 1)}`;
    const { mode } = await lstatOf(fs, from);
    await removeIfThere(fs, temp);
    await replaceFile(fs, to, await fs.readFile(from), temp, { mode: mode & 0o7777 });
    await removeIfThere(fs, from);
  }
}

/** Makes the content of a file durable that was written and closed before. */
export function syncFile(fs: Fs, path: string): Promise<void> {
  return withOpen(fs, path, 'read', handle => handle.sync());
}

/** Makes the names in a folder durable: what was created, renamed or removed in it. */
export function syncFolder(fs: Fs, path: string): Promise<void> {
  return withOpen(fs, path, 'directory', handle => handle.sync());
}

/** Runs `use` with an open file or folder, and closes it. */
export async function withOpen<T>(
  fs: Fs,
  path: string,
  how: OpenHow,
  use: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  const handle = await fs.open(path, how);
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

/**
 * Makes the folder at `path` and those above it where they are missing. Answers the folders that it made, outermost
 * first; the parent of each must be synced before the folder counts as durable (`parentOf`).
 */
export async function ensureFolder(fs: Fs, path: string): Promise<string[]> {
  try {
    await fs.mkdir(path);
    return [path];
  } catch (error) {
    if (errno(error) === 'EEXIST' && (await isFolder(fs, path))) return [];
    if (errno(error) !== 'ENOENT' || parentOf(path) === path) throw error;
  }
  const above = await ensureFolder(fs, parentOf(path));
  return [...above, ...(await ensureFolder(fs, path))];
}

/** True for a folder, also one behind a link. */
async function isFolder(fs: Fs, path: string): Promise<boolean> {
  return (await lstatOf(fs, await fs.realpath(path))).type === 'directory';
}

/** Removes the file at `path`; answers whether there was one. */
export async function removeIfThere(fs: Fs, path: string): Promise<boolean> {
  try {
    await fs.unlink(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Removes the file at `path` if there is one, and tries again when that fails: a lock that stays is in everybody's way. */
export async function removeSurely(fs: Fs, path: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await fs.unlink(path);
    } catch (error) {
      if (isMissing(error)) return;
      if (tries === REMOVALS) throw error;
    }
  }
}

const REMOVALS = 3;

/** True when anything is at `path`, a dangling link included. Errors other than "missing" pass through. */
export async function exists(fs: Fs, path: string): Promise<boolean> {
  return (await fs.lstat(path)) !== null;
}

/** Returns the folder that holds `path`: the text before the last slash (`/` for `/a`). */
export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash <= 0 ? '/' : path.slice(0, slash);
}

/** Removes every file in a folder that holds only files. */
export async function emptyFolder(fs: Fs, path: string): Promise<void> {
  for (const name of await fs.readdir(path)) await removeIfThere(fs, `${path}/${name}`);
}

/** Removes what is at `path`, a folder with all that is in it, or only folders that hold no file. What goes meanwhile is no failure. */
export async function removeTree(fs: Fs, path: string, what: 'all' | 'folders' = 'all'): Promise<void> {
  if ((await fs.lstat(path))?.type !== 'directory')
    return void (what === 'all' && (await removeIfThere(fs, path)));
  for (const name of (await orNull(fs.readdir(path))) ?? []) await removeTree(fs, `${path}/${name}`, what);
  await orNull(fs.rmdir(path));
}
