/** Work that a crash interrupted: a journal whose writer is gone. While its writer lives, the work goes on. */

import { orNull } from '../../git/fs.ts';
import { readJournal } from '../../git/journal.ts';
import { parseOwner } from '../../git/owner.ts';
import type { Context } from '../context.ts';

/** True when an edit was begun and neither finished nor taken back, and no call has repaired it yet. */
export async function isInterrupted(context: Context): Promise<boolean> {
  const journal = await readJournal(context.fs, context.codec, context.folder);
  return journal.kind === 'whole' && (await lockHolder(context)) === null;
}

/**
 * The same for a journal that carries objects: a power cut may have taken them from their own place, and then readers
 * find the history broken until it is repaired.
 */
export async function isCarriedInterrupted(context: Context): Promise<boolean> {
  const journal = await readJournal(context.fs, context.codec, context.folder);
  if (journal.kind !== 'whole' || journal.entry.objects.length === 0) return false;
  return (await lockHolder(context)) === null;
}

/** The living process that is writing, or `null`. */
export async function lockHolder(context: Context): Promise<{ pid: number; host: string } | null> {
  const bytes = await orNull(context.fs.readFile(`${context.folder}/lock`));
  const owner = bytes && parseOwner(new TextDecoder().decode(bytes));
  return owner && context.processes.isAlive(owner) ? { pid: owner.pid, host: owner.host } : null;
}
