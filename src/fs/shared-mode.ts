/**
 * Decides who may use what the engine makes in a repository: core.sharedRepository, as git applies it (git-init(1),
 * --shared).
 */

import { errno, type Fs } from './fs.ts';

/** Permission bits that are added, or that stand instead of those of the umask. */
export type SharedMode = { add: number } | { set: number } | null;

/** The part of a config that says it. */
interface SharedConfig {
  get(key: string): string | undefined;
  bool(key: string, fallback: boolean): boolean;
}

const KEY = 'core.sharedrepository';
const GROUP: SharedMode = { add: 0o660 };

/** `null`: the umask decides. A value with which git refuses to work counts as that here. */
export function sharedMode(config: SharedConfig): SharedMode {
  const value = config.get(KEY);
  if (value === undefined || value === 'umask') return null;
  if (value === 'group') return GROUP;
  if (/^(all|world|everybody)$/.test(value)) return EVERYBODY;
  if (value !== '' && /^[0-7]+$/.test(value)) return octalMode(Number.parseInt(value, 8));
  try {
    return config.bool(KEY, false) ? GROUP : null;
  } catch {
    return null;
  }
}

const EVERYBODY: SharedMode = { add: 0o664 };

function octalMode(mode: number): SharedMode {
  if (mode === 1) return GROUP;
  if (mode === 2) return EVERYBODY;
  return (mode & 0o600) === 0o600 ? { set: mode & 0o666 } : null;
}

/** The permission bits of a file that would have `mode`. */
export function sharedBits(mode: number, shared: SharedMode): number {
  if (!shared) return mode;
  let bits = 'set' in shared ? shared.set : shared.add;
  if (!(mode & 0o200)) bits &= ~0o222;
  if (mode & 0o100) bits |= (bits & 0o444) >> 2;
  return 'set' in shared ? (mode & ~0o777) | bits : mode | bits;
}

/** Gives the permission bits of a shared folder; with set-group-id where its group may use the files in it. */
export function sharedFolderBits(mode: number, shared: SharedMode): number {
  const bits = sharedBits(mode, shared);
  return shared && bits & 0o060 ? bits | SET_GROUP_ID : bits;
}

const SET_GROUP_ID = 0o2000;

/** Gives a folder that was just made its mode. */
export async function shareFolder(fs: Fs, path: string, shared: SharedMode | undefined): Promise<void> {
  if (!shared) return;
  const handle = await fs.open(path, 'directory');
  try {
    await handle.chmod(sharedFolderBits((await handle.stat()).mode & 0o7777, shared));
  } catch (error) {
    // Somebody else's, or a file system without modes.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EINVAL'].includes(errno(error) ?? '')) throw error;
  } finally {
    await handle.close();
  }
}
