/** A change of several files as the journal keeps it: paths, modes and versions; the contents are in history. */

import type { Recovery, StoreChange, StoredFile } from './store.ts';

export interface RecordedChange {
  path: string;
  before: RecordedFile | null;
  after: RecordedFile | null;
}

export type RecordedFile = Omit<StoredFile, 'bytes'>;

/** Makes a `Staged.record`: plain JSON, from which `replayChanges` finishes the change. */
export function recordChanges(changes: readonly StoreChange[]): RecordedChange[] {
  return changes.map(({ path, before, after }) => ({
    path,
    before: withoutBytes(before),
    after: withoutBytes(after),
  }));
}

function withoutBytes(file: StoredFile | null): RecordedFile | null {
  return file && { mode: file.mode, version: file.version };
}

/** The files of a store, as far as recovery needs them. */
export interface Replayed {
  /** Returns the version of the present content; `null` when there is no file. */
  version(path: string): Promise<string | null> | string | null;
  /** Writes the file, `null` removes it; nothing where it does not have the version `before` any more. */
  put(path: string, file: StoredFile | null, before: string | null): Promise<unknown> | unknown;
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
