/** A change that is made, and of which the files could not be put in place. */

import { exists } from '../../fs/durable.ts';
import { isPassing } from '../../fs/fs.ts';
import type { Staged, StoreChange } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { waitingWords } from './aside/asides.ts';
import { setAside } from './aside/note.ts';
import { makeFolders } from './engine-folder.ts';
import type { ChangeRecord } from './journal/record.ts';
import type { Transaction } from './transaction.ts';

/** The rest of a change, staged once more, and what is to be told of paths that wait. */
interface GoingOn {
  staged: Staged | null;
  told: string[];
}

/**
 * Sets aside what is not in place: it waits for its path alone, and everything else goes on. Where somebody removed the
 * engine's folder with all that was staged, the rest is staged once more: the record is gone too, so that nobody else could
 * go on. Throws the error where neither helps.
 */
export async function goOn(
  context: Context,
  { changes, exact }: Pick<Transaction, 'changes' | 'exact'>,
  record: ChangeRecord,
  error: unknown,
): Promise<GoingOn> {
  if (isPassing(error)) throw error;
  const left = await notInPlace(context, changes);
  if (!(await exists(context.fs, `${context.folder}/tmp`))) {
    await makeFolders(context);
    return { staged: await context.store.stage(left, record.name), told: [] };
  }
  // All is in place, and something behind it failed.
  if (left.length === 0) throw error;
  const paths = new Map(left.map(({ path }) => [path, error]));
  const notes = await setAside(context, { records: [record], paths, objects: exact });
  return { staged: null, told: notes.flatMap(note => note.paths.map(path => waitingWords(note, path))) };
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
