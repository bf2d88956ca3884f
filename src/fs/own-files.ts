/** Small files of the engine that are for their user alone: they name sessions, files and what was asked. */

import { createFile, ensureFolder, parentOf, replaceFile } from './durable.ts';
import { errno, type Fs, orNull, type Stat } from './fs.ts';
import type { Processes } from './lock/processes.ts';

interface On {
  fs: Fs;
}

const OWN = { sync: false, mode: 0o600 };

/** Makes a folder for the user alone, where it is not there. */
export async function ensureOwnFolder({ fs }: On, folder: string): Promise<void> {
  await ensureFolder(fs, parentOf(folder));
  const isMade = await fs.mkdir(folder).then(() => true, ifNot('EEXIST'));
  if (!isMade) return;
  const handle = await fs.open(folder, 'directory');
  await handle.chmod(0o700).finally(() => handle.close());
}

/** Creates a file. Throws EEXIST where there is one. */
export async function createOwn(
  { fs }: On,
  path: string,
  bytes: Uint8Array = new Uint8Array(),
): Promise<void> {
  await createFile(fs, path, bytes, OWN);
}

/** Replaces a file of the folder as a whole. */
export function replaceOwn(
  { fs, processes }: On & { processes: Processes },
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
