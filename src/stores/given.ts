/** A store that a caller brought: whatever goes wrong in it is `STORE_FAILED`, in the words of its own error. */

import { EditError } from '../errors.ts';
import type { Staged, Store, StoredFile } from './store.ts';

export function givenStore(store: Store): Store {
  return {
    separate: store.separate,
    resolve: path => told(() => store.resolve(path)),
    read: path => told(() => readFile(store, path)),
    list: path => told(() => store.list(path)),
    stage: changes => told(async () => givenStaged(await store.stage(changes))),
    recover: (record, direction, blob) => told(() => store.recover(record, direction, blob)),
  };
}

/** A folder is told from nothing at all here, so that no store has to. */
async function readFile(store: Store, path: string): Promise<StoredFile | null> {
  const file = await store.read(path);
  if (file || !(await store.list(path))) return file;
  throw new EditError('IS_DIRECTORY', `${path} is a folder. Name a file; view lists the folder.`, { path });
}

function givenStaged(staged: Staged): Staged {
  return {
    record: staged.record,
    sync: () => told(() => staged.sync()),
    verify: () => told(() => staged.verify()),
    publish: () => told(() => staged.publish(), DONE_ALREADY),
    settle: () => told(() => staged.settle(), DONE_ALREADY),
    get passedOver() {
      return staged.passedOver;
    },
    discard: () => told(() => staged.discard()),
  };
}

const NOT_DONE = ' Nothing was changed; try again when the cause is gone.';

/** By then the edit is in history, and who asks for it is told how it goes on. */
const DONE_ALREADY = '';

async function told<T>(call: () => Promise<T>, advice: string = NOT_DONE): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof EditError) throw error;
    const cause = (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
    throw new EditError('STORE_FAILED', `The store failed: ${cause}.${advice}`, { cause }, { cause: error });
  }
}
