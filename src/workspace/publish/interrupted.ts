/** Work that a crash interrupted: a journal whose writer is gone. While its writer lives, the work goes on. */

import { readJournal } from '../../git/journal.ts';
import { inspectLock } from '../../git/lock/inspect.ts';
import type { Holder } from '../../git/lock/refusal.ts';
import type { Context } from '../context.ts';

/** True when an edit was begun and neither finished nor taken back, and no call has repaired it yet. */
export async function isInterrupted(context: Context): Promise<boolean> {
  const journal = await readJournal(context.fs, context.codec, context.workFolder);
  return journal.kind === 'whole' && (await lockHolder(context)) === null;
}

/**
 * The same for a journal that carries objects: a power cut may have taken them from their own place, and then readers
 * find the history broken until it is repaired.
 */
export async function isCarriedInterrupted(context: Context): Promise<boolean> {
  const journal = await readJournal(context.fs, context.codec, context.workFolder);
  if (journal.kind !== 'whole' || journal.entry.objects.length === 0) return false;
  return (await lockHolder(context)) === null;
}

/** The process that is writing, or of which nobody can say that it is not; `null` when there is none. */
export async function lockHolder(context: Context): Promise<Holder | null> {
  const { state, holder } = await inspectLock(context);
  return state === 'alive' || state === 'unknown' ? (holder ?? { pid: 0, host: 'unknown' }) : null;
}
