/** Opening a workspace: the repository is found and checked, the store and the rules of git are put together. */

import { EditError } from '../errors.ts';
import { type Config, parseConfig } from '../git/config.ts';
import { IndexReader } from '../git/index/reader.ts';
import { leaveEngineLock } from '../git/lock/engine-lock.ts';
import { randomToken } from '../git/lock/processes.ts';
import { sharedMode } from '../git/lock/shared-mode.ts';
import { openObjects } from '../git/objects/object-database.ts';
import { checkOwner } from '../git/ownership.ts';
import { preflight } from '../git/preflight.ts';
import { locate, type Repository } from '../git/repository.ts';
import { sharedFs } from '../git/shared-fs.ts';
import { diskStore } from '../stores/disk.ts';
import { isForWorkTree } from '../stores/disk-stage.ts';
import { givenStore } from '../stores/given.ts';
import type { Store } from '../stores/store.ts';
import { treeStore } from '../stores/tree.ts';
import { inheritsHome } from '../trail/home.ts';
import { KeptEntries } from '../trail/kept-entries.ts';
import { useEntries } from '../trail/walk.ts';
import type { Answer } from './answer.ts';
import { checkText } from './call-options.ts';
import { Calls } from './calls.ts';
import type { Context } from './context.ts';
import type { Person } from './editor.ts';
import { asEditError } from './failure.ts';
import { type Guards, makeGuards, NO_GUARDS } from './guards.ts';
import type { LandData, LandOptions } from './land/land.ts';
import { Listener } from './listener.ts';
import { openTrail } from './open-trail.ts';
import { type Platform, platformFor } from './platform.ts';
import type { SessionInfo } from './reading/sessions.ts';
import type { TrailInfo } from './reading/trails.ts';
import type { VerifyData } from './reading/verify.ts';
import { checkVerify, type VerifyOptions } from './reading/verify-options.ts';
import { findCommit } from './revision.ts';
import { newSession, type Session } from './session.ts';
import { tracking } from './transaction/index-step.ts';
import { hasLostPower } from './transaction/interrupted.ts';
import { writerOf } from './transaction/writer.ts';
import type { DoctorData, DoctorOptions } from './upkeep/doctor.ts';
import type { GcData, GcOptions } from './upkeep/gc.ts';
import {
  checkSession,
  checkWorkspace,
  type SessionOptions,
  type WorkspaceOptions,
} from './workspace-options.ts';

const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** An open workspace. Sessions do the work; closing it closes files that are kept open for reading. */
export class Workspace {
  readonly #context: Context;
  readonly #calls = new Calls();
  #closing: Promise<void> | null = null;

  constructor(context: Context) {
    this.#context = context;
  }

  /** A session of this workspace. Throws INVALID_INPUT. */
  session(options: SessionOptions = {}): Session {
    this.#calls.assertOpen();
    const { agent, model, person, id, beforeCommit } = checkSession('workspace.session', options);
    const by = { session: id ?? randomToken().slice(0, 12), agent, model, ...(person ? { person } : {}) };
    this.#context.sessions.add(by.session);
    return newSession(this.#context, by, beforeCommit, this.#calls);
  }

  /** Checks the trail and the files it touched. What is wrong is in the answer; see FAULT_KINDS. Changes nothing. */
  verify(options: VerifyOptions = {}): Promise<Answer<VerifyData>> {
    return this.#call(async () => {
      const given = checkVerify('workspace.verify', options);
      return (await import('./reading/verify.ts')).verify(this.#context, given);
    });
  }

  /** Every trail of the repository, and whether it has landed. */
  trails(): Promise<Answer<{ trails: TrailInfo[] }>> {
    return this.#call(async () => (await import('./reading/trails.ts')).trails(this.#context));
  }

  /** Every session of the trail, the one that edited last first. */
  sessions(): Promise<Answer<{ sessions: SessionInfo[] }>> {
    return this.#call(async () => (await import('./reading/sessions.ts')).sessions(this.#context));
  }

  /** The id of the session whose id is `given`, or alone begins with it. Throws INVALID_INPUT, which names the sessions. */
  findSession(given: string): Promise<string> {
    return this.#call(async () => {
      const start = checkText('workspace.findSession', 'given', given);
      return (await import('./reading/sessions.ts')).findSession(this.#context, start);
    });
  }

  /** The full id of the commit that `given` names: an id or its start, a branch, a tag, `@`, `~N`. Throws INVALID_INPUT. */
  findCommit(given: string): Promise<string> {
    return this.#call(async () => {
      const spec = checkText('workspace.findCommit', 'given', given);
      return findCommit(this.#context, await openTrail(this.#context), spec);
    });
  }

  /** Packs what is loose, and deletes old trails if asked to; see GcOptions. */
  gc(options: GcOptions = {}): Promise<Answer<GcData>> {
    return this.#call(async () => {
      const { checkGc, gc } = await import('./upkeep/gc.ts');
      return gc(this.#context, checkGc('workspace.gc', options));
    });
  }

  /** Who holds the lock of the repository, and how that is told; see DoctorOptions for taking it from somebody. */
  doctor(options: DoctorOptions = {}): Promise<Answer<DoctorData>> {
    return this.#call(async () => {
      const { checkDoctor, doctor } = await import('./upkeep/doctor.ts');
      return doctor(this.#context, checkDoctor('workspace.doctor', options));
    });
  }

  /** Makes what the agents did a commit of the user's on a branch. Files stay as they are; see LandOptions. */
  land(options: LandOptions = {}): Promise<Answer<LandData>> {
    return this.#call(async () => {
      const { checkLand, land } = await import('./land/land.ts');
      return land(this.#context, checkLand('workspace.land', options));
    });
  }

  /** Waits for the calls that were made, and closes the files that are open. Later calls throw INVALID_INPUT. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#calls.close();
    await writerOf(this.#context).drained(this.#context);
    for (const store of this.#context.stores.values()) await store.close?.();
    await leaveEngineLock(this.#context).catch(() => {});
    await this.#context.objects.close();
  }

  /** What goes wrong inside is one kind of error outside. */
  async #call<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#calls.run(work);
    } catch (error) {
      throw asEditError(error);
    }
  }
}

/**
 * Opens the workspace at `root`. Throws INVALID_INPUT, NOT_A_REPOSITORY, UNSUPPORTED_REPOSITORY, CORRUPT, STORE_FAILED. Nothing is written, but
 * for the repair of what a power cut took.
 */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const given = checkWorkspace('openWorkspace', options);
  return openOn(await platformFor(given), given);
}

/** Opens on given parts: how a test puts a failing file system under everything. */
export async function openOn(platform: Platform, options: WorkspaceOptions): Promise<Workspace> {
  try {
    const found = await locate(platform.fs, options.root);
    const { userConfig: text, trustOwners: owners = [] } = options;
    const userConfig = text === undefined ? null : parseConfig(text);
    await checkOwner(found, { euid: platform.euid, owners, userConfig });
    const repo = withShared(found);
    await preflight(repo);
    const context = await makeContext(options, { ...platform, fs: repo.fs }, repo, userConfig);
    repo.inheritsHome = await inheritsHome(repo, context.objects, context.folder);
    await repairAfterPowerCut(context);
    return new Workspace(context);
  } catch (error) {
    throw asEditError(error);
  }
}

/** What is made in the repository is for those whom core.sharedRepository names. */
function withShared(repo: Repository): Repository {
  const shared = sharedMode(repo.config.get('core.sharedrepository'));
  const folders = [...new Set([repo.commonDir, repo.gitDir])];
  return { ...repo, fs: sharedFs(repo.fs, { shared, folders, isForWorkTree }) };
}

/** A repository that cannot be written is read as it is. */
async function repairAfterPowerCut(context: Context): Promise<void> {
  if (!(await hasLostPower(context))) return;
  const { repairNow } = await import('./change/change.ts');
  await repairNow(context).catch(() => {});
}

async function makeContext(
  options: WorkspaceOptions,
  platform: Platform,
  repo: Repository,
  userConfig: Config | null,
): Promise<Context> {
  const { fs, codec } = platform;
  const root = repo.workDir ? await fs.realpath(options.root) : repo.gitDir;
  const folder = `${repo.commonDir}/vedit`;
  const objects = openObjects({ fs, codec, objectsDir: `${repo.commonDir}/objects` });
  if (codec.packing && !fs.volatile) useEntries(objects, new KeptEntries({ fs, codec, folder }));
  const maxBytes = options.maxFileBytes ?? MAX_FILE_BYTES;
  const hash = (bytes: Uint8Array): Promise<string> | string => codec.hash('blob', bytes);
  const given = options.store && storeFor(options.store, repo, hash);
  const stores = new Map<string | null, Store>();
  const storeAt = (at: string | null, gitDir: string): Store => {
    const options = { fs, gitDir, stageFolder: `${folder}/tmp`, hash, maxBytes };
    const store =
      given ?? stores.get(at) ?? (at === null ? treeStore() : diskStore({ ...options, root: at }));
    stores.set(at, store);
    return store;
  };
  const context: Context = {
    ...platform,
    repo,
    objects,
    index: new IndexReader(platform.fs, `${repo.gitDir}/index`),
    store: storeAt(repo.workDir && root, repo.gitDir),
    stores,
    storeAt,
    root,
    roots: options.mount === undefined ? [root] : [root, options.mount],
    prefix: prefixOf(repo, root),
    folder,
    shared: sharedMode(repo.config.get('core.sharedrepository')),
    trailName: options.trail,
    outside: options.outside ?? 'record',
    userConfig,
    attributesFiles: options.attributesFiles ?? [],
    nativeCrlf: platform.nativeCrlf ?? false,
    user: options.user ?? userOf(repo),
    durability: options.durability ?? 'journal',
    patience: { engine: options.patience?.engine ?? 10_000, git: options.patience?.git ?? 3_000 },
    now: options.now ?? (() => new Date()),
    listener: new Listener(options.onEvent, options.onEventError),
    sessions: new Set(),
    beforeCommit: options.beforeCommit,
    keepsRefusals: options.recordRefusals ?? false,
    guards: guardsFor(options, repo, path => isTracked(context, path)),
  };
  return context;
}

/** Throws INVALID_INPUT where the files would be in two places. */
function storeFor(store: Store, repo: Repository, hash: Parameters<typeof givenStore>[1]): Store {
  if (!repo.workDir) return givenStore(store, hash);
  const message =
    'A store of its own goes with a bare repository: make one with initRepository({ root, bare: true }).';
  throw new EditError('INVALID_INPUT', message, { field: 'store' });
}

/** The workspace's folder inside the work tree. */
function prefixOf(repo: Repository, root: string): string {
  if (!repo.workDir || root === repo.workDir) return '';
  if (root.startsWith(`${repo.workDir}/`)) return `${root.slice(repo.workDir.length + 1)}/`;
  throw new EditError('NOT_A_REPOSITORY', 'The folder is inside a .git folder. Open the work tree.');
}

function userOf(repo: Repository): Person | undefined {
  const name = repo.config.get('user.name');
  const email = repo.config.get('user.email');
  return name && email ? { name, email } : undefined;
}

function guardsFor(
  options: WorkspaceOptions,
  repo: Repository,
  isTracked: (path: string) => Promise<boolean>,
): Guards {
  if (!repo.workDir) return NO_GUARDS;
  const { excludesFiles = [], allowIgnored = false } = options;
  return makeGuards({ repo, excludesFiles, allowIgnored, isTracked });
}

async function isTracked(context: Context, path: string): Promise<boolean> {
  return (await tracking(context, path)) !== null;
}
