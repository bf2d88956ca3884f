/** Work that a crash interrupted, and no call has repaired yet. While its writer lives, the work goes on. */

import { orNull } from '../../git/fs.ts';
import { Journal } from '../../git/journal.ts';
import { parseOwner } from '../../git/owner.ts';
import type { Context } from '../context.ts';
import type { ChangeRecord } from './record.ts';

/** True when an edit was begun and neither finished nor given up. */
export async function isInterrupted(context: Context): Promise<boolean> {
  if (await hasLostPower(context)) return true;
  const lock = await orNull(context.fs.readFile(`${context.folder}/lock`));
  return lock !== null && (await lockHolder(context)) === null;
}

/** True when the journal is of an earlier start of the machine: readers may find the history broken until it is repaired. */
export async function hasLostPower(context: Context): Promise<boolean> {
  const boot = context.processes.boot();
  const files = await new Journal<ChangeRecord>(context).readAll();
  return files.some(({ header, records }) => records.length > 0 && (boot === null || header.boot !== boot));
}

/** The living process that is writing, or `null`. */
export async function lockHolder(context: Context): Promise<{ pid: number; host: string } | null> {
  const bytes = await orNull(context.fs.readFile(`${context.folder}/lock`));
  const owner = bytes && parseOwner(new TextDecoder().decode(bytes));
  return owner && context.processes.isAlive(owner) ? { pid: owner.pid, host: owner.host } : null;
}
