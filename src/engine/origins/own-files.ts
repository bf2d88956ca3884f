/** Small files of the engine that are for their user alone: they name sessions, files and what was asked. */

import { createFile, ensureFolder, parentOf, removeIfThere, replaceFile } from '../../fs/durable.ts';
import { errno, type Fs, orNull, type Stat } from '../../fs/fs.ts';
import type { Context } from '../context.ts';

const OWN = { sync: false, mode: 0o600 };

/** Makes a folder for the user alone, where it is not there. */
export async function ensureOwnFolder({ fs }: Context, folder: string): Promise<void> {
  await ensureFolder(fs, parentOf(folder));
  const isMade = await fs.mkdir(folder).then(() => true, ifNot('EEXIST'));
  if (!isMade) return;
  const handle = await fs.open(folder, 'directory');
  await handle.chmod(0o700).finally(() => handle.close());
}

/** Creates a file. Throws EEXIST where there is one. */
export async function createOwn(
  { fs }: Context,
  path: string,
  bytes: Uint8Array = new Uint8Array(),
): Promise<void> {
  await createFile(fs, path, bytes, OWN);
}

/** Replaces a file of the folder as a whole. */
export function replaceOwn(
  { fs, processes }: Context,
  folder: string,
  name: string,
  bytes: Uint8Array,
): Promise<void> {
  return replaceFile(fs, `${folder}/${name}`, bytes, `${folder}/now.${processes.newToken()}`, OWN);
}

/** Returns a handler for `catch` that passes over errors of this code. */
export function ifNot(code: string): (error: unknown) => void {
  return error => {
    if (errno(error) !== code) throw error;
  };
}

export interface FoundFile {
  name: string;
  path: string;
  stat: Stat;
}

/** Lists the regular files of a folder; none where there is no folder. `isWanted` is asked of a name before it is looked at. */
export async function filesIn(
  fs: Fs,
  folder: string,
  isWanted: (name: string) => boolean = () => true,
): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const name of ((await orNull(fs.readdir(folder))) ?? []).filter(isWanted)) {
    const path = `${folder}/${name}`;
    const stat = await fs.lstat(path);
    if (stat?.type === 'file') found.push({ name, path, stat });
  }
  return found;
}

/** Milliseconds since 1970. */
export function millisecondsOf(ns: bigint): number {
  return Number(ns / 1_000_000n);
}

/*
 * When all files of the work tree were last looked at: what was changed before is recorded. The moment is the mtime of a file in
 * git's folder of the work tree, which a shell can make as well; it holds the commit that HEAD was on.
 */

export function lookFolder({ repo }: Context): string {
  return `${repo.gitDir}/vedit`;
}

/** Returns when all files were last looked at; `undefined` where nobody looked yet. */
export async function lookedAt(context: Context): Promise<bigint | undefined> {
  const stat = await context.fs.lstat(`${lookFolder(context)}/looked`);
  return stat?.type === 'file' ? stat.mtimeNs : undefined;
}

/** Notes that all files were looked at. `stamp` is a file that was made before the look began. */
export async function noteLook(context: Context, stamp: string): Promise<void> {
  await ensureFolder(context.fs, lookFolder(context));
  await context.fs
    .rename(stamp, `${lookFolder(context)}/looked`)
    .catch(() => removeIfThere(context.fs, stamp));
}
