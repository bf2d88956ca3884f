/** Shared by the files of the disk store: its settings, an open folder, and its refusals. */

import { EditError } from '../../errors.ts';
import { systemWords } from '../../fs/failures.ts';
import { type Fs, type Stat, systemCode } from '../../fs/fs.ts';
import { pathName } from '../../wording.ts';
import { checkPath, isTreePath } from '../paths.ts';
import type { StoredFile } from '../store.ts';
import type { OpenFolder, OpenFolders } from './folders.ts';

export interface Disk {
  readonly fs: Fs;
  /** Absolute, links resolved. */
  readonly root: string;
  /** The repository's own folder as a path of the workspace, or `null` when it is not inside. */
  readonly gitInside: string | null;
  /** For new contents that are not visible yet. Absolute; on the disk of the repository, so not always on that of the files. */
  readonly stageFolder: string;
  /** The git blob id. */
  readonly hash: (content: Uint8Array) => Promise<string> | string;
  /** The largest file that is read or written, in bytes. */
  readonly maxBytes: number;
  /** The user id of this process, where files have owners. */
  readonly euid: number | undefined;
  /** True when the file system takes `head` for `HEAD`, or when that is not known. */
  readonly foldsCase: boolean;
  readonly folders: OpenFolders;
  /** The stat of each file at the time when it was read. */
  readonly seen: WeakMap<StoredFile, Seen>;
  /** By path, folders that were no repositories of their own when they looked so. */
  readonly plain: Map<string, Seen>;
  /** The look at the last path that was resolved, for whoever reads it next. */
  looked: TargetStat | null;
}

export interface TargetStat {
  path: string;
  folder: Stat;
  file: Stat;
  /** Monotonic time, in milliseconds. */
  at: number;
}

export interface Seen {
  stat: Stat;
  /** The time of the read, in milliseconds since the epoch. */
  at: number;
  /** The open folder in which it was read, where that is kept. */
  folder?: OpenFolder | undefined;
}

export interface Folder {
  /** Relative to the root; '' is the root. */
  readonly path: string;
  /** A name in the folder is reached as `${at}/${name}`. */
  readonly at: string;
  /** The names of the wanted folders below that are not there. */
  readonly rest: readonly string[];
  /** True when something that is no folder has the first name of `rest`. */
  readonly blocked: boolean;
  /** The stat of a kept folder as of the last look. */
  readonly seen: Stat | null;
  stat(): Promise<Stat>;
  sync(): Promise<void>;
  /** Throws OUTSIDE_WORKSPACE when the folder was reached by name and the names lead elsewhere now. */
  assertSame(): Promise<void>;
  close(): Promise<void>;
}

/** The folder that holds a path, and the last name: `a/b` is `b` in `a`. */
export function splitPath(path: string): { folder: string; name: string } {
  const slash = path.lastIndexOf('/');
  return { folder: path.slice(0, Math.max(slash, 0)), name: path.slice(slash + 1) };
}

export function below(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}

/**
 * Throws for a path that is not real: real ones come from `resolve`, or from a tree, so that they may be such as no request can
 * name. One that breaks git's own rules never gets to the disk. `isFolder`: '' is the root.
 */
export function assertReal(path: string, isFolder: boolean): void {
  if (isTreePath(path) || (isFolder && path === '')) return;
  checkPath(path, { folder: isFolder, gitmodules: true });
  throw new EditError('INVALID_INPUT', `The path ${path} is not a real path. Resolve it first.`, { path });
}

/** Creates the FILE_EXISTS error for a path that needs a folder where a file stands. */
export function inTheWay(path: string): EditError {
  const words = `${pathName(path)} is a file, so nothing can be below it. Choose another path, or delete the file first.`;
  return new EditError('FILE_EXISTS', words, { path });
}

/** Creates the OUTSIDE_WORKSPACE error for a path that a symbolic link redirected after it was checked. */
export function leadsOut(path: string): EditError {
  const words = `The path ${pathName(path)} leads through a link that was not there when it was checked. It was not followed; name the real path.`;
  return new EditError('OUTSIDE_WORKSPACE', words, { path });
}

/** Runs an action on `path`; a system error becomes STORE_FAILED, any other error passes through. */
export async function onDisk<T>(what: string, path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw diskFailure(what, path, error);
  }
}

/** Turns a system error into STORE_FAILED; any other error stays as it is. */
export function diskFailure(what: string, path: string, error: unknown): unknown {
  const code = systemCode(error);
  if (error instanceof EditError || code === undefined) return error;
  const words = `${what} ${path || 'the root'} failed: ${systemWords(code)}. Nothing is wrong with the request: retry, or look at the disk and its permissions.`;
  return new EditError('STORE_FAILED', words, { path, cause: code }, { cause: error });
}
