/**
 * The contract of a transport: what the engine asks of a git server. The one guarantee of a server is enough: a ref moves
 * from an expected old value to a new one, or not at all.
 */

import type { Fs } from '../fs/fs.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import type { Repository } from '../git/repository/repository.ts';

/** A ref of the server. */
export interface RemoteRef {
  /** The full name. */
  name: string;
  oid: string;
}

/** A ref that is to move. */
export interface RefUpdate {
  ref: string;
  /** The id that it must hold now; `null`: it must not exist. */
  old: string | null;
  /** The new id of the ref; `null` deletes it. */
  oid: string | null;
}

/** The outcome of one push, as far as the transport knows: only the refs themselves tell what became of it. */
export interface PushReport {
  /** True when every ref is known to have moved. */
  done: boolean;
  /** Refs of which the server, or git before it asked the server, said no. */
  rejected: ReadonlySet<string>;
  /** Words of the server, git and a hook, without credentials; '' for nothing. For people: no program reads it. */
  words: string;
}

export interface Transport {
  /** The name of the remote, for messages. Its address may hold a password, and is in no message. */
  readonly remote: string;
  /** Lists the refs whose names match a pattern: a full name, or one that ends with `/*` for all below. Throws REMOTE_FAILED. */
  list(patterns: readonly string[]): Promise<RemoteRef[]>;
  /**
   * Brings what these refs lead to into an objects folder of its own (absolute), which names the repository's own as its
   * alternate. Moves no ref, here neither. Throws REMOTE_FAILED, TOO_LARGE.
   */
  fetch(names: readonly string[], objectsDir: string): Promise<void>;
  /**
   * Asks the server once to move the refs, each by itself. Throws REMOTE_FAILED where there is no git to run, GIT_REFUSED where
   * a hook of this repository says no.
   */
  push(updates: readonly RefUpdate[]): Promise<PushReport>;
}

/** The repository that a transport carries from and to. */
export interface TransportPlace {
  fs: Fs;
  repo: Repository;
  objects: ObjectDatabase;
  /** The name of the remote. */
  remote: string;
  /** Milliseconds for each question to the server. */
  timeout?: number | undefined;
  /** Ends what is under way when the signal is aborted. */
  signal?: AbortSignal | undefined;
  /** The most bytes that a fetch takes. */
  maxBytes?: number | undefined;
}

/** Tells whether a name is one of the patterns, or below one that ends with `/*`. */
export function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some(one => (one.endsWith('/*') ? name.startsWith(one.slice(0, -1)) : name === one));
}
