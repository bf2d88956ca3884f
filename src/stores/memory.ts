/** The memory store: files in a map, for tests, for editors' buffers, and for documents that live in a program. */

import { entriesBelow, type Replayed, replayChanges, stageChanges, versionOf } from './record.ts';
import type { Store, StoredFile } from './store.ts';

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
  const known: Replayed = {
    version,
    put: (path, file, before) => {
      if (version(path) !== before) return false;
      put(path, file);
      return true;
    },
  };
  return {
    separate: true,
    resolve: async path => path,
    read: async path => files.get(path) ?? null,
    list: async path => entriesBelow([...files.keys()], path),
    stage: async changes => stageChanges(changes, known),
    recover: (records, recovery) => replayChanges(records, recovery, known),
    get: path => files.get(path)?.bytes ?? null,
    set: async (path, content) => {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      const mode = files.get(path)?.mode ?? '100644';
      put(path, bytes && { bytes, mode, version: await versionOf(bytes) });
    },
  };
}
