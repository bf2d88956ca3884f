/** The memory store: files in a map, for tests, for editors' buffers, and for documents that live in a program. */

import { entriesBelow } from './entries.ts';
import { recordChanges, replayChanges } from './record.ts';
import type { Staged, Store, StoreChange, StoredFile } from './store.ts';
import { versionOf } from './version.ts';

export interface MemoryStore extends Store {
  /** A file's bytes, or `null` when there is none. */
  get(path: string): Uint8Array | null;
  /** Changes a file as somebody outside the engine would; `null` removes it. */
  set(path: string, content: string | Uint8Array | null): Promise<void>;
}

export function memoryStore(): MemoryStore {
  const files = new Map<string, StoredFile>();
  const put = (path: string, file: StoredFile | null): void =>
    void (file ? files.set(path, file) : files.delete(path));
  const version = (path: string): string | null => files.get(path)?.version ?? null;
  const putIf: PutIf = (path, file, before) => {
    if (version(path) !== before) return false;
    put(path, file);
    return true;
  };
  return {
    separate: true,
    resolve: async path => path,
    read: async path => files.get(path) ?? null,
    list: async path => entriesBelow([...files.keys()], path),
    stage: async changes => staged(changes, version, putIf),
    recover: (records, recovery) => replayChanges(records, recovery, { version, put: putIf }),
    get: path => files.get(path)?.bytes ?? null,
    set: async (path, content) => {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      const mode = files.get(path)?.mode ?? '100644';
      put(path, bytes && { bytes, mode, version: await versionOf(bytes) });
    },
  };
}

/** Writes a file that still has the version `before`. False: it has another one, and keeps it. */
type PutIf = (path: string, file: StoredFile | null, before: string | null) => boolean;

function staged(
  changes: readonly StoreChange[],
  version: (path: string) => string | null,
  putIf: PutIf,
): Staged {
  const skipped: string[] = [];
  const expected = ({ before }: StoreChange): string | null => before?.version ?? null;
  return {
    record: recordChanges(changes),
    skipped,
    sync: async () => {},
    verify: async () => changes.filter(one => version(one.path) !== expected(one)).map(({ path }) => path),
    publish: async () => {
      for (const change of changes)
        if (!putIf(change.path, change.after, expected(change))) skipped.push(change.path);
    },
    settle: async () => {},
    discard: async () => {},
  };
}
