/**
 * Stores of few lines: of a map, for tests and for the buffers of editors; and of three functions, for files that live in a
 * program, behind an API or in a table, where one path is written at a time. Each file changes in one step; a change of several
 * files that is cut off half way is finished by recovery, from what history holds. Several files as one step need a store of
 * one's own: see store.ts.
 */

import { EditError } from '../errors.ts';
import { entriesBelow, type Replayed, replayChanges, stageChanges, versionOf } from './record.ts';
import type { Store, StoredFile } from './store.ts';

/** A text or bytes; `null` when there is no file. */
export type SimpleContent = string | Uint8Array | null;

/** A content with the word by which the place itself tells it from others: an ETag, the number of a revision. */
export interface SimpleVersion {
  content: string | Uint8Array;
  version: string;
}

/** A file that a write replaces: it must be written only where it is still so. */
export interface SimpleExpected {
  /** The bytes; `null` when there was no file. */
  before: Uint8Array | null;
  /** The version that `read` answered, or the git blob id of the bytes where it answers none; `null` when there was no file. */
  version: string | null;
}

/** Where files are read and written. Paths are relative, with `/`; bytes are kept exactly as given. */
export interface SimpleFiles {
  /** The content, with its version where the place has one. */
  read(
    path: string,
  ): Promise<SimpleContent | SimpleVersion | undefined> | SimpleContent | SimpleVersion | undefined;
  /**
   * Writes the whole file, in one step; `null` removes it. It is durable when the call returns. Where the file is no longer
   * as expected, it writes nothing and answers 'moved': what somebody else wrote meanwhile stays.
   */
  write(path: string, bytes: Uint8Array | null, expected: SimpleExpected): Promise<unknown> | unknown;
  /** The paths of all files. */
  list(): Promise<Iterable<string>> | Iterable<string>;
}

/** For `openWorkspace({ root, store: simpleStore({ read, write, list }) })`, where `root` is a bare repository. */
export function simpleStore(files: SimpleFiles): Store {
  checkFiles(files);
  const known: Replayed = {
    version: async path => (await readFile(files, path)).file?.version ?? null,
    put: async (path, file, before) => {
      const { file: present, own } = await readFile(files, path);
      if ((present?.version ?? null) !== before) return false;
      const expected = { before: present?.bytes ?? null, version: own };
      return (await files.write(path, file?.bytes ?? null, expected)) !== 'moved';
    },
  };
  return {
    separate: true,
    resolve: async path => path,
    read: async path => (await readFile(files, path)).file,
    list: async path => entriesBelow([...(await files.list())], path),
    stage: async changes => {
      for (const { path, after } of changes) if (after?.mode === '100755') throw noModes(path);
      return stageChanges(changes, known);
    },
    recover: (records, recovery) => replayChanges(records, recovery, known),
  };
}

/** Reads the file, and the version by which its place knows it. */
async function readFile(
  files: SimpleFiles,
  path: string,
): Promise<{ file: StoredFile | null; own: string | null }> {
  const given = await files.read(path);
  if (given === null || given === undefined) return { file: null, own: null };
  const isPlain = typeof given === 'string' || given instanceof Uint8Array;
  const content = isPlain ? given : given.content;
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const version = await versionOf(bytes);
  return { file: { bytes, mode: '100644', version }, own: isPlain ? version : given.version };
}

/** Throws INVALID_INPUT: the first write would fail when the edit is in history already. */
function checkFiles(given: unknown): asserts given is SimpleFiles {
  const files = Object(given) as Record<string, unknown>;
  const lacks = ['read', 'write', 'list'].filter(name => typeof files[name] !== 'function');
  if (lacks.length === 0) return;
  const message = `simpleStore needs three functions, and ${lacks.join(' and ')} ${lacks.length === 1 ? 'is' : 'are'} none: give { read, write, list }. Nothing was done.`;
  throw new EditError('INVALID_INPUT', message, { field: lacks[0]!, missing: lacks });
}

/** Creates the error for an executable file: it would be read back as another file than the one in history. */
function noModes(path: string): EditError {
  const message = `${path} is to be executable, and the files here have no modes. Leave the mode out of the patch.`;
  return new EditError('INVALID_INPUT', message, { path });
}

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
