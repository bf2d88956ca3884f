/**
 * The parts of stores that know a file by its path and its version, and have one step for each file: how a change is staged,
 * kept in the journal (paths, modes and versions; the contents are in history) and finished after a crash.
 */

import { concatBytes, toHex, utf8 } from '../bytes.ts';
import type { Recovery, Staged, StoreChange, StoredFile, StoreEntry } from './store.ts';

export interface RecordedChange {
  path: string;
  before: RecordedFile | null;
  after: RecordedFile | null;
}

export type RecordedFile = Omit<StoredFile, 'bytes'>;

/** Makes a `Staged.record`: plain JSON, from which `replayChanges` finishes the change. */
export function recordChanges(changes: readonly StoreChange[]): RecordedChange[] {
  const recorded = (file: StoredFile | null): RecordedFile | null =>
    file && { mode: file.mode, version: file.version };
  return changes.map(one => ({ path: one.path, before: recorded(one.before), after: recorded(one.after) }));
}

/** The files of a store, as far as recovery needs them. */
export interface Replayed {
  /** Returns the version of the present content; `null` when there is no file. */
  version(path: string): Promise<string | null> | string | null;
  /** Writes the file, `null` removes it; nothing where it does not have the version `before` any more. */
  put(path: string, file: StoredFile | null, before: string | null): Promise<unknown> | unknown;
}

/** Implements `Store.stage`; `put` answers false where it wrote nothing. */
export function stageChanges(changes: readonly StoreChange[], { version, put }: Replayed): Staged {
  const skipped: string[] = [];
  return {
    record: recordChanges(changes),
    skipped,
    sync: async () => {},
    verify: async () => {
      const moved: string[] = [];
      for (const { path, before } of changes)
        if ((await version(path)) !== (before?.version ?? null)) moved.push(path);
      return moved;
    },
    // What goes comes after what stays: a move that is cut off leaves two files, not none.
    // One that is refused keeps no other from being written.
    publish: async () => {
      const errors: unknown[] = [];
      for (const { path, before, after } of [...changes].sort((a, b) => Number(!a.after) - Number(!b.after)))
        try {
          if ((await put(path, after, before?.version ?? null)) === false) skipped.push(path);
        } catch (error) {
          errors.push(error);
        }
      if (errors.length > 0) throw errors[0];
    },
    settle: async () => {},
    discard: async () => {},
  };
}

/** Implements `Store.recover` for records of `recordChanges`: files that are neither before nor after stay. */
export async function replayChanges(
  records: readonly unknown[],
  recovery: Pick<Recovery, 'blob' | 'isCurrent' | 'left'>,
  files: Replayed,
): Promise<string[]> {
  for (const change of (records as RecordedChange[][]).flat())
    await replay(change, recovery, files).catch(error => {
      if (!recovery.left) throw error;
      recovery.left(change.path, error);
    });
  return [];
}

async function replay(
  { path, before, after }: RecordedChange,
  recovery: Pick<Recovery, 'blob' | 'isCurrent'>,
  files: Replayed,
): Promise<void> {
  const expected = before?.version ?? null;
  if ((await files.version(path)) !== expected || !(await recovery.isCurrent(path))) return;
  const bytes = after && (await recovery.blob(after.version));
  if (!after) await files.put(path, null, expected);
  else if (bytes) await files.put(path, { ...after, bytes }, expected);
}

/** The git blob id of a content. Needs Web Crypto: Node, and browsers on https and localhost. */
export async function versionOf(bytes: Uint8Array): Promise<string> {
  const whole = concatBytes([utf8(`blob ${bytes.length}\0`), bytes]);
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-1', whole as Uint8Array<ArrayBuffer>)));
}

/** The entries of a folder ('' is the root), sorted by name, out of the paths of all files; `null` when there are none. */
export function entriesBelow(paths: readonly string[], folder: string): StoreEntry[] | null {
  const prefix = folder === '' ? '' : `${folder}/`;
  const found = new Map<string, StoreEntry>();
  for (const path of paths.filter(one => one.startsWith(prefix))) {
    const [name, ...deeper] = path.slice(prefix.length).split('/');
    found.set(name!, { name: name!, type: deeper.length > 0 ? 'directory' : 'file' });
  }
  if (found.size === 0 && folder !== '') return null;
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
