/** Work that a crash interrupted, and no call has repaired yet. While its writer lives, the work goes on. */

import { type EditError, isEditError, type LockHolder } from '../../../errors.ts';
import { inspectLock, isReached } from '../../../fs/lock/inspect.ts';
import type { Boot } from '../../../fs/recovery-rules.ts';
import type { GitObject } from '../../../git/objects/object.ts';
import type { Context } from '../../context.ts';
import type { JournalFile } from './frames.ts';
import { Journal } from './journal.ts';
import { type ChangeRecord, carriedObjects, checkedRecord } from './record.ts';

/** True when an edit was begun and neither finished nor given up. */
export async function isInterrupted(context: Context): Promise<boolean> {
  return (await inspectLock(context)).state === 'dead' || (await hasLostPower(context));
}

/** Tells why the journal cannot be read, with what to do; `null` where it can. Other failures are thrown. */
export async function journalDamage(context: Context): Promise<EditError | null> {
  try {
    await new Journal<ChangeRecord>(context).readAll();
    return null;
  } catch (error) {
    if (isEditError(error, 'CORRUPT')) return error;
    throw error;
  }
}

/** True when the journal is of an earlier start of the machine: readers may find the history broken until it is repaired. */
export async function hasLostPower(context: Context): Promise<boolean> {
  const files = await new Journal<ChangeRecord>(context).readAll();
  const held = files.filter(({ records }) => records.length > 0);
  return (await bootOf(context, held)) === 'other';
}

/** Reads an object that the journal has; `null` where it has not, or cannot be read. */
export async function journaledObject(context: Context, oid: string): Promise<GitObject | null> {
  const files = await new Journal<ChangeRecord>(context).readAll().catch(() => []);
  const frames = files.flatMap(({ records }) => records).filter(({ data }) => checkedRecord(data));
  for (const { data, objects } of frames) {
    const named = { data, objects: objects.filter(one => one.oid === oid) };
    for await (const { type, content } of carriedObjects(context.codec, named)) return { type, content };
  }
  return null;
}

/**
 * 'other' as soon as one file is of another start of the machine, or of one that cannot be known, unless the process that
 * began the file still runs: then nothing of it was lost.
 */
export async function bootOf(context: Context, files: readonly JournalFile<ChangeRecord>[]): Promise<Boot> {
  const { boot } = context.processes.self;
  for (const { header } of files) {
    const isThisOne = boot !== null && header.boot === boot;
    if (!isThisOne && !(await isReached(context, header.token))) return 'other';
  }
  return 'same';
}

/** Finds the process that is writing, or of which nobody can say that it is not; `null` when there is none. */
export async function lockHolder(context: Context): Promise<LockHolder | null> {
  const { state, holder } = await inspectLock(context);
  return state === 'alive' || state === 'unknown' ? (holder ?? { pid: 0, host: 'unknown' }) : null;
}
