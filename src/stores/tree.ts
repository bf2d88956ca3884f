/**
 * The tree store: files live in the trail alone (a bare repository, a history without a folder). The commit is the
 * publication, so there is nothing to stage, and nobody else can change a file.
 */

import { EditError } from '../errors.ts';
import { NOTHING_STAGED, type Store } from './store.ts';

export function treeStore(): Store {
  return {
    separate: false,
    resolve: async path => path,
    read: () => Promise.reject(notHere()),
    list: () => Promise.reject(notHere()),
    stage: async () => NOTHING_STAGED,
    recover: async () => [],
  };
}

/** Creates the error for a read: the workspace reads such files from the trail's newest tree. */
function notHere(): EditError {
  return new EditError('STORE_FAILED', 'The tree store has no files of its own: read them from the trail.');
}
