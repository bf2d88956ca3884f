/** A change that is made, and of which the files could not be put in place. */

import { isPassing } from '../../fs/fs.ts';
import type { StoreChange } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { waitingWords } from './aside/asides.ts';
import { setAside } from './aside/note.ts';
import type { ChangeRecord } from './journal/record.ts';
import type { Transaction } from './transaction.ts';

/**
 * Sets aside what is not in place: it waits for its path alone, and everything else goes on. That helps where somebody removed
 * the engine's folder with all that was staged, too. Answers by path what is to be told of it; throws the error where all is in place,
 * and something behind it failed.
 */
export async function goOn(
  context: Context,
  { changes, exact }: Pick<Transaction, 'changes' | 'exact'>,
  record: ChangeRecord,
  error: unknown,
): Promise<Map<string, string>> {
  if (isPassing(error)) throw error;
  const left = await notInPlace(context, changes);
  if (left.length === 0) throw error;
  const paths = new Map(left.map(({ path }) => [path, error]));
  const notes = await setAside(context, { records: [record], paths, objects: exact });
  return new Map(notes.flatMap(note => note.paths.map(path => [path, waitingWords(note, path)] as const)));
}

/** The changes of which the file does not hold what they would make of it, or cannot be read. */
async function notInPlace(
  { store }: Pick<Context, 'store'>,
  changes: readonly StoreChange[],
): Promise<StoreChange[]> {
  const left: StoreChange[] = [];
  for (const change of changes) {
    const read = store.entry ? store.entry(change.path) : store.read(change.path);
    const version = await read.then(
      now => now?.version ?? null,
      () => undefined,
    );
    if (version !== (change.after?.version ?? null)) left.push(change);
  }
  return left;
}
