/**
 * The contract of a store: where the files live. A store knows no git; it hands out exact bytes, and publishes a
 * set of changes in two steps, so that the workspace can write its journal and take git's locks in between.
 */

import type { Stat } from '../fs/fs.ts';
import type { Boot } from '../fs/recovery-rules.ts';

export type { Boot, Stat };

/**
 * Modes as git records them. `120000` is a link, whose bytes are its target: only of a store that has `entry`.
 */
export type StoredMode = '100644' | '100755' | '120000';

export interface StoredFile {
  bytes: Uint8Array;
  mode: StoredMode;
  /** The git blob id of `bytes`. */
  version: string;
}

/** One file to replace: `before` is what it must still hold, `after` what it shall hold; `null` is no file. */
export interface StoreChange {
  path: string;
  before: StoredFile | null;
  after: StoredFile | null;
}

/** Changes that are written beside their targets, and not visible yet. */
export interface Staged {
  /** Plain JSON from which `Store.recover` can finish these changes after a crash. */
  readonly record: unknown;
  /** Makes what was staged durable; until then a power cut may take it. Called once. */
  sync(): Promise<void>;
  /** The paths that no longer hold their `before`. Cheap; called under git's locks. */
  verify(): Promise<string[]>;
  /**
   * Makes every change visible, each file in one step. Called right after the ref moved. Where it throws, it leaves nothing
   * open, such as a transaction: `Store.recover` finishes the changes.
   */
  publish(): Promise<void>;
  /** Ends the publication: nothing of it is kept for taking back any more. */
  settle(): Promise<void>;
  /** Paths that somebody else wrote to at the moment of publishing; they hold that text. Known after `settle`. */
  readonly skipped: readonly string[];
  /** The stat that the file at a path will have, where files have times: git's index keeps it. */
  statOf?(path: string): Stat | null;
  /** Removes what was staged; nothing was or is visible. Safe to call twice. */
  discard(): Promise<void>;
}

/** The result of staging no changes. */
export const NOTHING_STAGED: Staged = {
  record: null,
  sync: async () => {},
  verify: async () => [],
  publish: async () => {},
  settle: async () => {},
  skipped: [],
  discard: async () => {},
};

/** One entry of a folder. */
export interface StoreEntry {
  name: string;
  type: 'file' | 'directory' | 'symlink' | 'other';
}

export interface Store {
  /** True when files live outside the trail, so that they can be changed by others (outside changes). */
  readonly separate: boolean;
  /**
   * The real path of a checked path: links that stay inside the workspace are followed once, and the answer is
   * what is edited and recorded. Throws OUTSIDE_WORKSPACE, PROTECTED_PATH, NESTED_REPOSITORY, SPECIAL_FILE.
   */
  resolve(path: string): Promise<string>;
  /** `null` when there is no file. Throws SPECIAL_FILE, TOO_LARGE, STORE_FAILED, and IS_DIRECTORY, or `null` for that. */
  read(path: string): Promise<StoredFile | null>;
  /**
   * As `read`, but a link is not followed, and the path may be one that no request can name. What lies
   * below a link is nothing. Left out where a store holds regular files alone.
   */
  entry?(path: string): Promise<StoredFile | null>;
  /**
   * The entries of a folder ('' is the root), sorted by name, or `null` when it is no folder. Where there are more than
   * `most`, a store may answer any `most` of them.
   */
  list(path: string, most?: number): Promise<StoreEntry[] | null>;
  /** `name` begins the names of files that are staged beside others; nobody else uses it. */
  stage(changes: readonly StoreChange[], name?: string): Promise<Staged>;
  /**
   * Finishes what `records` of published commits describe, oldest first, after a crash. A file that somebody changed since
   * is left alone. Answers the paths whose loss has to be told.
   */
  recover(records: readonly unknown[], recovery: Recovery): Promise<string[]>;
  /** Gives up what `record` describes: its commit was not published, or somebody moved on without it. Default: nothing. */
  drop?(record: unknown, kept?: Recovery['kept']): Promise<void>;
  /** Gives up what is kept open between calls; it is opened again when it is needed. */
  close?(): Promise<void>;
  /** Makes durable what published `records` changed, if it is not yet. Default: it is durable when `publish` returns. */
  sync?(records: readonly unknown[]): Promise<void>;
}

export interface Recovery {
  /** 'same': a process died, and only the last record can be unfinished. 'other': any write may be lost. */
  boot: Boot;
  /** Gives the bytes of a version, or `null` when it has none. */
  blob(version: string): Promise<Uint8Array | null>;
  /** False for a path that history holds otherwise than the last record of it: somebody decided so since. */
  isCurrent(path: string): Promise<boolean>;
  /**
   * To be told of each path that cannot be looked at or put in place: it is set aside, and the others go on. Of a store that
   * throws instead, every path is set aside that is not in place.
   */
  left?(path: string, error: unknown): void;
  /** To be told where the text now lies that somebody wrote into the file of a path in the moment in which it was replaced. */
  kept?: ((path: string, place: string) => void) | undefined;
  /** True for what was set aside: a file that has any version of the records is theirs, too. */
  isAside?: boolean;
}
