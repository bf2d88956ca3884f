/** The end of the journal during a change: where its record goes, and how one is taken off again that is not to count. */

import { EditError } from '../../../errors.ts';
import { failureWords } from '../../../fs/failures.ts';
import { look } from '../../../wording.ts';
import type { Context } from '../../context.ts';
import type { LockLease } from '../writer.ts';

/**
 * Begins a file where none is open to append to. To be called before the last look at the engine's lock: an owner that is
 * taken for dead between the two has begun a file that others find and seal, and adds no record of its own beside theirs.
 */
export async function beginIfNone(context: Context, { writer: { journal }, lock }: LockLease): Promise<void> {
  // No number is used again, also when nothing is left of the journals before: another process may still remove them.
  const number = Math.max(Date.now(), ((await journal.list()).at(-1) ?? 0) + 1);
  await journal.begin({ boot: context.processes.self.boot, token: lock.token, seal: null }, number);
}

/**
 * Cuts the last record off, durably. `isDistrusted`: a sync of the file has failed, so that it is not appended to again.
 * Throws STORE_FAILED when the record may still count.
 */
export async function cutRecord(context: Context, turn: LockLease, isDistrusted: boolean): Promise<void> {
  try {
    await turn.writer.journal.cutLast();
  } catch (error) {
    return abandon(context, turn, error);
  }
  if (isDistrusted) await abandon(context, turn, new Error('a sync failed'));
}

/** Begins a new file, which seals the present one before the record that was refused: the disk is full, or fails. */
async function abandon(context: Context, { writer, lock }: LockLease, error: unknown): Promise<void> {
  const { journal } = writer;
  const seal = journal.endBeforeLast;
  await journal.close();
  if (!seal) return;
  try {
    await journal.begin({ boot: context.processes.self.boot, token: lock.token, seal }, seal.file + 1);
  } catch {
    writer.leaveUnfinished();
    const message = `The journal cannot be written (${failureWords(error)}), nor a new one begun: this edit may still be made. Free the disk or look at it, then ${look()} the file before you send the edit again.`;
    throw new EditError('STORE_FAILED', message, { cause: failureWords(error) }, { cause: error });
  }
}
