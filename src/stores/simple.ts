/**
 * A store of three functions, for files that live in a program, behind an API or in a table, where one path is written at
 * a time. Each file changes in one step; a change of several files that is cut off half way is finished by recovery, from
 * what history holds. Several files as one step need a store of one's own: see store.ts.
 */

import { EditError } from '../errors.ts';
import { entriesBelow } from './entries.ts';
import { recordChanges, replayChanges } from './record.ts';
import type { Staged, Store, StoreChange, StoredFile } from './store.ts';
import { versionOf } from './version.ts';

/** Where files are read and written. Paths are relative, with `/`; bytes are kept exactly as given. */
export interface SimpleFiles {
  /** The content, a text or bytes; `null` when there is no file. */
  read(path: string): Promise<string | Uint8Array | null> | string | Uint8Array | null;
  /** Writes the whole file, in one step; `null` removes it. It is durable when the call returns. */
  write(path: string, bytes: Uint8Array | null): Promise<unknown> | unknown;
  /** The paths of all files. */
  list(): Promise<Iterable<string>> | Iterable<string>;
}

/** For `openWorkspace({ root, store: simpleStore({ read, write, list }) })`, where `root` is a bare repository. */
export function simpleStore(files: SimpleFiles): Store {
  const read = async (path: string): Promise<StoredFile | null> => {
    const content = await files.read(path);
    if (content === null || content === undefined) return null;
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    return { bytes, mode: '100644', version: await versionOf(bytes) };
  };
  const version = async (path: string): Promise<string | null> => (await read(path))?.version ?? null;
  const put = async (path: string, file: StoredFile | null): Promise<void> => {
    await files.write(path, file?.bytes ?? null);
  };
  return {
    separate: true,
    resolve: async path => path,
    read,
    list: async path => entriesBelow([...(await files.list())], path),
    stage: async changes => {
      for (const { path, after } of changes) if (after?.mode === '100755') throw noModes(path);
      return staged(changes, version, put);
    },
    recover: (records, recovery) => replayChanges(records, recovery, { version, put }),
  };
}

/** It would be read back as another file than the one that is in history. */
function noModes(path: string): EditError {
  const message = `${path} is to be executable, and the files here have no modes. Leave the mode out of the patch.`;
  return new EditError('INVALID_INPUT', message, { path });
}

function staged(
  changes: readonly StoreChange[],
  version: (path: string) => Promise<string | null>,
  put: (path: string, file: StoredFile | null) => Promise<void>,
): Staged {
  const skipped: string[] = [];
  const isMoved = async ({ path, before }: StoreChange): Promise<boolean> =>
    (await version(path)) !== (before?.version ?? null);
  return {
    record: recordChanges(changes),
    skipped,
    sync: async () => {},
    verify: async () => {
      const moved: string[] = [];
      for (const change of changes) if (await isMoved(change)) moved.push(change.path);
      return moved;
    },
    // What goes comes after what stays: a move that is cut off leaves two files, not none.
    publish: async () => {
      for (const change of [...changes].sort((a, b) => Number(!a.after) - Number(!b.after))) {
        if (await isMoved(change)) skipped.push(change.path);
        else await put(change.path, change.after);
      }
    },
    settle: async () => {},
    discard: async () => {},
  };
}
