/** A change that is made and not in place everywhere. */

import type { Staged, StoreChange } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { waitingWords } from './aside/asides.ts';
import { setAside } from './aside/note.ts';
import { makeFolders } from './engine-folder.ts';
import type { ChangeRecord } from './journal/record.ts';
import type { Transaction } from './transaction.ts';

/**
 * Stages what is not in place yet once more, where somebody removed the engine's folder with all that was staged: the record
 * is gone too, so that nobody else could go on.
 */
export async function stagedAgain(
  context: Context,
  changes: readonly StoreChange[],
  name: string,
): Promise<Staged> {
  await makeFolders(context);
  return context.store.stage(await notInPlace(context, changes), name);
}

/** Sets aside what is not in place: it waits for its path alone, and everything else goes on. Answers what to tell of it. */
export async function setAsideRest(
  context: Context,
  { changes, exact }: Pick<Transaction, 'changes' | 'exact'>,
  record: ChangeRecord,
  error: unknown,
): Promise<string[]> {
  const left = await notInPlace(context, changes);
  // All is in place, and something behind it failed.
  if (left.length === 0) throw error;
  const paths = new Map(left.map(({ path }) => [path, error]));
  const notes = await setAside(context, { records: [record], paths, objects: exact });
  return notes.flatMap(note => note.paths.map(path => waitingWords(note, path)));
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
