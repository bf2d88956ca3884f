/**
 * Removes what processes left that ended without tidying up. A living process whose files were taken for a dead one's finds
 * that out and makes new ones, so that a mistake here costs nothing.
 */

import { removeIfThere } from '../durable.ts';
import { type Fs, orNull } from '../fs.ts';
import { look } from './lock-file.ts';
import type { Disk, Processes } from './processes.ts';

export interface SweepOptions {
  fs: Fs;
  processes: Processes;
  /** The folder of the processes' files, and the lock. */
  live: string;
  path: string;
  /** Whose files stay: those of the process that sweeps. */
  token: string;
  disk: Disk;
}

/** Names looked at, and milliseconds that a file is left alone of which nobody says whose it is. */
const MOST = 64;
const YOUNG = 60_000;

/** After so many milliseconds without a sign nobody is asked any more. */
const FORGOTTEN = 24 * 3_600_000;

export async function sweep(options: SweepOptions): Promise<void> {
  const { fs, live, path, token } = options;
  const others = (await fs.readdir(live)).filter(name => !name.startsWith(token));
  if (others.length === 0) return;
  // A lock file says whose the other files of its token are, so it goes last.
  const isLock = (name: string): number => Number(name.endsWith('.lock'));
  const names = others.sort((one, other) => isLock(one) - isLock(other)).slice(0, MOST);
  const holder = (await look(fs, path))?.token;
  for (const name of names) {
    if (holder !== undefined && name.startsWith(holder)) continue;
    const isLeft = await isLeftover(options, name).catch(() => false);
    if (isLeft) await removeIfThere(fs, `${live}/${name}`).catch(() => false);
  }
}

/** A guard is its maker's; every other name begins with the token of its owner. */
async function isLeftover({ fs, processes, live, disk }: SweepOptions, name: string): Promise<boolean> {
  const stat = await orNull(fs.lstat(`${live}/${name}`));
  if (!stat) return false;
  const age = Date.now() - Math.max(Number(stat.ctimeNs / 1_000_000n), Number(stat.mtimeNs / 1_000_000n));
  const token = name.endsWith('.guard') ? null : /^[0-9a-f]{24}/.exec(name)?.[0];
  const ofToken = token ? await look(fs, `${live}/${token}.lock`) : null;
  // The draft of a lock file says whose it is as well, once it is written.
  const owner = (ofToken ?? (await look(fs, `${live}/${name}`)))?.file;
  if (!owner) return processes.alone || age > YOUNG;
  const alive = processes.isAlive(owner, owner.disk === disk ? disk : 'other');
  return alive === false || (alive === null && age > FORGOTTEN);
}
