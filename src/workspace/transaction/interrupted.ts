/** Work that a crash interrupted, and no call has repaired yet. While its writer lives, the work goes on. */

import type { LockHolder } from '../../errors.ts';
import { Journal } from '../../git/journal.ts';
import type { JournalFile } from '../../git/journal-frames.ts';
import { inspectLock } from '../../git/lock/inspect.ts';
import type { Boot } from '../../git/recovery-rules.ts';
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
  return (
    bootOf(
      files.filter(({ records }) => records.length > 0),
      boot,
    ) === 'other'
  );
}

/** 'other' as soon as one file is of another start of the machine, or of one that cannot be known. */
export function bootOf(files: readonly JournalFile<ChangeRecord>[], now: string | null): Boot {
  return files.every(({ header }) => now !== null && header.boot === now) ? 'same' : 'other';
}

/** The process that is writing, or of which nobody can say that it is not; `null` when there is none. */
export async function lockHolder(context: Context): Promise<LockHolder | null> {
  const { state, holder } = await inspectLock(context);
  return state === 'alive' || state === 'unknown' ? (holder ?? { pid: 0, host: 'unknown' }) : null;
}
