/** Who may use what the engine makes in a repository: core.sharedRepository, as git applies it (git-init(1), --shared). */

import type { CreateOptions } from './durable.ts';
import { errno, type Fs } from './fs.ts';

/** Permission bits that are added, or that stand instead of those of the umask. */
export type SharedMode = { add: number } | { set: number } | null;

/** `null`: the umask decides. A value that git does not know counts as none here. */
export function sharedMode(value: string | undefined): SharedMode {
  const word = value?.toLowerCase();
  if (word === undefined || /^(umask|false|no|off|0*)$/.test(word)) return null;
  if (/^(group|true|yes|on|0*1)$/.test(word)) return { add: 0o660 };
  if (/^(all|world|everybody|0*2)$/.test(word)) return { add: 0o664 };
  const octal = /^0*[0-7]{3}$/.test(word) ? Number.parseInt(word, 8) : 0;
  return (octal & 0o600) === 0o600 ? { set: octal & 0o666 } : null;
}

/** The permission bits of a file that would have `mode`. */
export function sharedBits(mode: number, shared: SharedMode): number {
  if (!shared) return mode;
  let bits = 'set' in shared ? shared.set : shared.add;
  if (!(mode & 0o200)) bits &= ~0o222;
  if (mode & 0o100) bits |= (bits & 0o444) >> 2;
  return 'set' in shared ? (mode & ~0o777) | bits : mode | bits;
}

/** The options of createFile for a file of `mode` less the umask. */
export function withShared(mode: number, shared: SharedMode | undefined): CreateOptions {
  if (!shared) return { umasked: mode };
  const prepare: CreateOptions['prepare'] = async handle => {
    await handle.chmod(sharedBits((await handle.stat()).mode & 0o7777, shared));
  };
  return { umasked: mode, prepare };
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
