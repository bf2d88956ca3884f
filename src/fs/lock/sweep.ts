/**
 * Removes what processes left that ended without tidying up. A living one leaves its place after ten seconds without an edit, and
 * gives a sign each second while it has the lock; where its files were taken all the same, it finds that out and makes new ones.
 */

import { removeIfThere } from '../durable.ts';
import type { Fs } from '../fs.ts';
import { readLockFile } from './lock-file.ts';
import type { Disk, Processes } from './processes.ts';

export interface SweepOptions {
  options: { fs: Fs; processes: Pick<Processes, 'isAlive'> };
  /** The folder of the processes' files, and the lock. */
  live: string;
  path: string;
  disk: Disk;
  /** The token of the process that sweeps: its files stay. */
  token: string;
}

/** Milliseconds without a sign of life after which a process's files are removed, where nobody can tell whether it lives. */
const LEFT = 10 * 60_000;

export async function sweep(registration: SweepOptions): Promise<void> {
  const { fs } = registration.options;
  const all = (await fs.readdir(registration.live)).filter(name => !name.startsWith(registration.token));
  for (const token of new Set(all.map(name => name.split('.')[0]!))) {
    const names = all.filter(name => name.startsWith(token));
    const isLeft = (await hasEnded(registration, token)) || (await areOld(registration, names));
    if (!isLeft || (await readLockFile(fs, registration.path))?.token === token) continue;
    for (const name of names) await removeIfThere(fs, `${registration.live}/${name}`);
  }
}

async function hasEnded({ options, live, disk }: SweepOptions, token: string): Promise<boolean> {
  const seen = await readLockFile(options.fs, `${live}/${token}.lock`);
  // It gets its name when it is whole, so that a power cut has been since.
  if (!seen?.file) return seen?.torn === true && disk === 'local';
  return options.processes.isAlive(seen.file, seen.file.disk === disk ? disk : 'other') === false;
}

async function areOld({ options, live }: SweepOptions, names: readonly string[]): Promise<boolean> {
  for (const name of names) {
    const stat = await options.fs.lstat(`${live}/${name}`);
    const signs = stat ? [stat.ctimeNs, stat.mtimeNs].map(sign => Number(sign / 1_000_000n)) : [Date.now()];
    if (Date.now() - Math.max(...signs) <= LEFT) return false;
  }
  return true;
}
