/** Work that a crash interrupted, and no call has repaired yet. While its writer lives, the work goes on. */

import { Journal } from '../../git/journal.ts';
import { inspectLock } from '../../git/lock/inspect.ts';
import type { Holder } from '../../git/lock/refusal.ts';
import type { Context } from '../context.ts';
import type { ChangeRecord } from './record.ts';

/** True when an edit was begun and neither finished nor given up. */
export async function isInterrupted(context: Context): Promise<boolean> {
  return (await inspectLock(context)).state === 'dead' || (await hasLostPower(context));
}

/** True when the journal is of an earlier start of the machine: readers may find the history broken until it is repaired. */
export async function hasLostPower(context: Context): Promise<boolean> {
  const { boot } = context.processes.self;
  const files = await new Journal<ChangeRecord>(context).readAll();
  return files.some(({ header, records }) => records.length > 0 && (boot === null || header.boot !== boot));
}

/** The process that is writing, or of which nobody can say that it is not; `null` when there is none. */
export async function lockHolder(context: Context): Promise<Holder | null> {
  const { state, holder } = await inspectLock(context);
  return state === 'alive' || state === 'unknown' ? (holder ?? { pid: 0, host: 'unknown' }) : null;
}
