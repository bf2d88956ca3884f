/**
 * The contract of a store: where the files live. A store knows no git; it hands out exact bytes, and publishes a
 * set of changes in two steps, so that the workspace can write its journal and take git's locks in between.
 */

/** Modes of a file as git records them. */
export type StoredMode = '100644' | '100755';

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
  /** Plain JSON from which `Store.recover` can finish or take back these changes after a crash. */
  readonly record: unknown;
  /** Makes what was staged durable; until then a power cut may take it. Called once. */
  sync(): Promise<void>;
  /** The paths that no longer hold their `before`. Cheap; called under git's locks. */
  verify(): Promise<string[]>;
  /** Makes every change visible, each file in one step. Called right after the ref moved. */
  publish(): Promise<void>;
  /** Makes what was published durable. */
  settle(): Promise<void>;
  /** The paths that somebody else wrote to in the moment of publishing, and that hold his text. Known after `settle`. */
  readonly passedOver: readonly string[];
  /** Removes what was staged; nothing was or is visible. Safe to call twice. */
  discard(): Promise<void>;
}

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
   * The entries of a folder ('' is the root), sorted by name, or `null` when it is no folder. Where there are more than
   * `most`, a store may answer any `most` of them.
   */
  list(path: string, most?: number): Promise<StoreEntry[] | null>;
  stage(changes: readonly StoreChange[]): Promise<Staged>;
  /**
   * Finishes (`forward`) or takes back (`back`) what `record` describes. A file that holds neither its `before`
   * nor its `after` is left alone. `blob` gives the bytes of a version, or `null` when it has none.
   */
  recover(
    record: unknown,
    direction: 'forward' | 'back',
    blob: (version: string) => Promise<Uint8Array | null>,
  ): Promise<void>;
}
