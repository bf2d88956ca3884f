/** The parts of an open workspace: the repository, the store, and how the caller wants edits to be made. */

import type { Fs } from '../fs/fs.ts';
import type { Processes } from '../fs/lock/processes.ts';
import type { TurnStore } from '../fs/open-turns.ts';
import type { IndexReader } from '../git/index/reader.ts';
import type { LooseOptions } from '../git/objects/loose.ts';
import type { Codec } from '../git/objects/object.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import type { PackStore } from '../git/packs/store-pack.ts';
import type { Config } from '../git/repository/config.ts';
import type { Repository } from '../git/repository/repository.ts';
import type { RunProgram, StartGit } from '../git/run-git.ts';
import { checkPath, isAscii, isSameName } from '../stores/paths.ts';
import type { Store } from '../stores/store.ts';
import type { Vocabulary } from '../wording.ts';
import type { Limits } from './admission/limits.ts';
import type { BeforeRead } from './admission/policy/denied.ts';
import type { Policies } from './admission/policy/policies.ts';
import type { Listener } from './calls/events.ts';
import type { Approve } from './change/approval.ts';
import type { KnownEdits } from './change/known-edits.ts';
import type { HostIdentity, Person } from './editor.ts';
import type { Encodings } from './files/encodings.ts';
import type { RejectionBook } from './rejections/rejection-book.ts';
import type { Asides } from './transaction/aside/asides.ts';

/** Checks of paths, as the trail records them, by what git's own rules forbid. */
export interface Guards {
  /** Throws IGNORED_PATH for a path that is not recorded yet and that git ignores. */
  checkNew(path: string): Promise<void>;
  /** A test for many paths in a row: true for what git ignores. */
  ignored(): (path: string, isDirectory: boolean) => Promise<boolean>;
}

export interface Context {
  readonly fs: Fs;
  readonly codec: Codec;
  readonly processes: Processes;
  /** See Platform. */
  readonly startGit?: StartGit | undefined;
  /** See Platform. */
  readonly runProgram?: RunProgram | undefined;
  /** See Platform. */
  readonly turns?: TurnStore | undefined;
  /** The user id of this process, where files have owners. */
  readonly euid?: number | undefined;
  readonly repo: Repository;
  readonly objects: ObjectDatabase;
  readonly index: IndexReader;
  readonly store: Store;
  /** All that were asked for, by folder: they keep files open. */
  readonly stores: ReadonlyMap<string | null, Store>;
  /** The store of another work tree of the repository, by the absolute path of its folder (`null`: it has none) and its git folder. */
  storeAt(root: string | null, gitDir: string): Store;
  readonly guards: Guards;
  readonly policies: Policies;
  /** Asked before the content of a file is shown. */
  readonly beforeRead: BeforeRead | undefined;
  /** Changes that could not be finished, and wait. */
  readonly asides: Asides;
  /** The absolute path of the workspace's folder, or of the repository when there is no work tree. */
  readonly root: string;
  /** The absolute paths that callers may write before a path of the workspace. */
  readonly roots: readonly string[];
  /** The workspace's folder inside the work tree, with a slash at its end, or ''. */
  readonly prefix: string;
  /** The engine's own folder, one for all work trees of the repository: `<commonDir>/vedit`. */
  readonly folder: string;
  /** Where loose objects are written, by way of that folder. */
  readonly loose: LooseOptions;
  /** The option `trail`. */
  readonly trailName: string | undefined;
  /** The treatment of changes that did not come through the engine. */
  readonly outside: 'record' | 'refuse';
  /** The owner of changes from outside, where it is not told by what agents were doing. */
  readonly outsideBy: 'mine' | 'unclaimed' | undefined;
  /** The user's own git config, under that of the repository, where line ends are concerned. */
  readonly userConfig: Config | null;
  /** Absolute paths of the attribute files of the user and the system, the most important first. */
  readonly attributesFiles: readonly string[];
  /** The encodings that files are declared to have. */
  readonly encodings: Encodings;
  /** True on Windows, where git's native line end is CRLF and some names cannot be stored. */
  readonly windows: boolean;
  /** The person whose repository this is, when git's config names one. */
  readonly user: Person | undefined;
  /** The host's names in the commits. */
  readonly identity: HostIdentity;
  /** `null`: none. */
  readonly limits: Limits | null;
  /** `journal`: the record of the change is durable before the answer. `full`: everything is, in its own place. */
  readonly durability: 'full' | 'journal';
  /** Milliseconds to wait for a lock of the engine, and for one of git. */
  readonly patience: { engine: number; git: number };
  readonly now: () => Date;
  readonly listener: Listener;
  /** Ids of the sessions that were made of this workspace. */
  readonly sessions: Set<string>;
  /** Rejections that people made here. */
  readonly rejections: RejectionBook;
  /** Asked before every commit. */
  readonly beforeCommit: Approve | undefined;
  /** Asked before the lock is taken. */
  readonly approve: Approve | undefined;
  /** The edits that this workspace knows: the engine's and the program's. */
  readonly edits: KnownEdits;
  /** The words of answers and refusals, where a call has no others. */
  readonly vocabulary: Vocabulary;
  /** True when those who listen are told of reads too. */
  readonly tellsReads: boolean;
  /** The treatment of parse errors that an edit brings. */
  readonly syntax: 'tell' | 'refuse' | 'off';
  /** True when refusals are kept; see refusals.ts. */
  readonly keepsRefusals: boolean;
  /** Signs by itself, told of each commit that was made; `null` where the user's config does not ask for it. */
  signing: { made(): void; close(): Promise<void> } | null;
}

/**
 * A path that a caller gave, as the workspace names it, links not followed. With `folder` it may be that of a folder: ''
 * is the root. Throws as checkPath.
 */
export function givenPath(
  { roots, windows }: Context,
  path: string,
  options: { folder?: boolean } = {},
): string {
  return checkPath(path, { root: roots, windows, ...options });
}

/** As `givenPath`; a name in another Unicode form than on disk is answered as it is there. */
export async function namedPath(
  context: Context,
  given: string,
  options: { folder?: boolean } = {},
): Promise<string> {
  const path = givenPath(context, given, options);
  const real = isAscii(path) ? path : await context.store.resolve(path).catch(() => path);
  return isSameName(path, real) ? real : path;
}

/** A path of the workspace as the trail records it. */
export function toTrail(context: Context, path: string): string {
  return context.prefix + path;
}

/** A recorded path as the workspace names it, or `null` when it is outside the workspace's folder. */
export function fromTrail(context: Context, path: string): string | null {
  return path.startsWith(context.prefix) ? path.slice(context.prefix.length) : null;
}

/** Where packs are stored; `token` names this process's files. */
export function packStoreOf({ fs, codec, repo, folder }: Context, token: string): PackStore {
  return { fs, codec, objectsDir: `${repo.commonDir}/objects`, folder, token };
}
