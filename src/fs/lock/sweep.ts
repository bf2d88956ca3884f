/**
 * Removes what processes left that ended without tidying up. A living one leaves its place after ten seconds without an edit, and
 * gives a sign each second while it has the lock; where its files were taken all the same, it finds that out and makes new ones.
 */

import { removeIfThere } from '../durable.ts';
import type { Fs } from '../fs.ts';
import { look } from './lock-file.ts';

export interface SweepOptions {
  options: { fs: Fs };
  /** The folder of the processes' files, and the lock. */
  live: string;
  path: string;
}

/** Milliseconds without a sign. */
const LEFT = 10 * 60_000;

export async function sweep({ options: { fs }, live, path }: SweepOptions): Promise<void> {
  const now = Date.now();
  const byToken = new Map<string, string[]>();
  for (const name of await fs.readdir(live))
    byToken.set(tokenOf(name), [...(byToken.get(tokenOf(name)) ?? []), name]);
  const isOld = async (name: string): Promise<boolean> => {
    const stat = await fs.lstat(`${live}/${name}`);
    return stat !== null && now - Math.max(milliseconds(stat.ctimeNs), milliseconds(stat.mtimeNs)) > LEFT;
  };
  for (const [token, names] of byToken) {
    const old = await Promise.all(names.map(isOld));
    if (old.includes(false) || (await look(fs, path))?.token === token) continue;
    for (const name of names) await removeIfThere(fs, `${live}/${name}`);
  }
}

function milliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000n);
}

function tokenOf(name: string): string {
  return name.split('.')[0]!;
}
