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
  return {
    separate: true,
    resolve: async path => path,
    read: async path => files.get(path) ?? null,
    list: async path => entriesBelow([...files.keys()], path),
    stage: async changes => staged(files, changes, put),
    recover: (records, recovery) => replayChanges(records, recovery, { version, put }),
    get: path => files.get(path)?.bytes ?? null,
    set: async (path, content) => {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      const mode = files.get(path)?.mode ?? '100644';
      put(path, bytes && { bytes, mode, version: await versionOf(bytes) });
    },
  };
}

type Files = ReadonlyMap<string, StoredFile>;
type Put = (path: string, file: StoredFile | null) => void;

function staged(files: Files, changes: readonly StoreChange[], put: Put): Staged {
  const skipped: string[] = [];
  const isMoved = ({ path, before }: StoreChange): boolean =>
    (files.get(path)?.version ?? null) !== (before?.version ?? null);
  return {
    record: recordChanges(changes),
    skipped,
    sync: async () => {},
    verify: async () => changes.filter(isMoved).map(({ path }) => path),
    publish: async () => {
      for (const change of changes) {
        if (isMoved(change)) skipped.push(change.path);
        else put(change.path, change.after);
      }
    },
    settle: async () => {},
    discard: async () => {},
  };
}
