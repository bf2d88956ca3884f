/** Opening a repository: it is found and checked, and what an open workspace holds is made of it and the options. */

import { Limits } from '../../engine/admission/limits.ts';
import { Policies } from '../../engine/admission/policy/policies.ts';
import { Listener } from '../../engine/calls/events.ts';
import { knownEdits } from '../../engine/change/known-edits.ts';
import type { Context, Guards } from '../../engine/context.ts';
import type { Person } from '../../engine/editor.ts';
import { declaredEncodings, markingStore } from '../../engine/files/encodings.ts';
import { RejectionBook } from '../../engine/rejections/rejection-book.ts';
import { purgedHere } from '../../engine/revision.ts';
import { Asides } from '../../engine/transaction/aside/asides.ts';
import { tracking } from '../../engine/transaction/index-step.ts';
import { hasLostPower, journaledObject } from '../../engine/transaction/journal/interrupted.ts';
import { EditError, hostFault, ifRefused } from '../../errors.ts';
import { type Fs, orNull } from '../../fs/fs.ts';
import { sharedFs, sharedMode } from '../../fs/shared-fs.ts';
import { IndexReader } from '../../git/index/reader.ts';
import { type ObjectDatabase, openObjects } from '../../git/objects/object-database.ts';
import { type Config, parseConfig } from '../../git/repository/config.ts';
import { checkOwner, preflight } from '../../git/repository/preflight.ts';
import { locate, type Repository } from '../../git/repository/repository.ts';
import { ignoreRulesOf } from '../../git/rules/path-rules.ts';
import { inheritsHome, trailHome } from '../../history/head.ts';
import { purgedStamp } from '../../history/purged.ts';
import { TrailIndex } from '../../history/trail-index.ts';
import { useEntries } from '../../history/walk.ts';
import type { SignEvery } from '../../signing/sign.ts';
import { diskStore } from '../../stores/disk/disk.ts';
import { isForWorkTree } from '../../stores/disk/staged-file.ts';
import { NOTHING_STAGED, type Store } from '../../stores/store.ts';
import { pathName } from '../../wording.ts';
import type { Platform } from './platform.ts';
import type { WorkspaceOptions } from './workspace-options.ts';

/** Opens the context of a workspace; errors as those of openWorkspace. */
export async function openContext(platform: Platform, options: WorkspaceOptions): Promise<Context> {
  const found = await locate(platform.fs, options.root);
  const { userConfig: text, trustOwners: owners = [] } = options;
  const userConfig = text === undefined ? null : parseConfig(text);
  await checkOwner(found, { euid: platform.euid, owners, userConfig });
  const repo = withShared(found);
  await preflight(repo);
  const context = await makeContext(options, { ...platform, fs: repo.fs }, repo, userConfig);
  context.objects.unsettled = oid => journaledObject(context, oid);
  repo.inheritsHome = await inheritsHome(repo, context.objects, context.folder);
  await purgedHere(context);
  await repairAfterPowerCut(context);
  context.signing = signingOf(context);
  return context;
}

/** Makes what signs by itself: it is loaded with the first commit, where the user's config asks for it: most ask for none. */
function signingOf(context: Context): Context['signing'] {
  const every = Number(context.userConfig?.get('vedit.signevery') ?? 0);
  if (!(every >= 1)) return null;
  let loaded: Promise<SignEvery> | null = null;
  const load = (): Promise<SignEvery> =>
    (loaded ??= import('../../signing/sign.ts').then(one => new one.SignEvery(context, every)));
  return { made: () => void load().then(one => one.made()), close: async () => (await loaded)?.close() };
}

/** Returns the repository whose new files and folders are for those whom core.sharedRepository names. */
function withShared(repo: Repository): Repository {
  const shared = sharedMode(repo.config);
  const folders = [...new Set([repo.commonDir, repo.gitDir])];
  return { ...repo, fs: sharedFs(repo.fs, { shared, folders, isForWorkTree }) };
}

/** Repairs after a power cut. A repository that cannot be written is read as it is, and so is one whose journal is damaged: every edit will say so. */
async function repairAfterPowerCut(context: Context): Promise<void> {
  if (!(await hasLostPower(context).catch(ifRefused(false, 'CORRUPT')))) return;
  const { repairNow } = await import('../../engine/change/change.ts');
  await repairNow(context).catch(() => {});
}

const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Puts the parts of a workspace together. Throws INVALID_INPUT, NOT_A_REPOSITORY. */
export async function makeContext(
  options: WorkspaceOptions,
  platform: Platform,
  repo: Repository,
  userConfig: Config | null,
): Promise<Context> {
  const { fs, codec } = platform;
  const root = repo.workDir ? await fs.realpath(options.root) : repo.gitDir;
  const folder = `${repo.commonDir}/vedit`;
  const objects = objectsOf(platform, repo);
  const maxBytes = options.maxFileBytes ?? MAX_FILE_BYTES;
  const hash = (bytes: Uint8Array): Promise<string> | string => codec.hash('blob', bytes);
  const given = options.store && (await storeFor(options.store, repo, hash));
  const stores = new Map<string | null, Store>();
  const storeAt = (at: string | null, gitDir: string): Store => {
    const options = { fs, gitDir, stageFolder: `${folder}/tmp`, hash, maxBytes, euid: platform.euid };
    const store =
      given ?? stores.get(at) ?? (at === null ? treeStore() : diskStore({ ...options, root: at }));
    stores.set(at, store);
    return store;
  };
  const { attributesFiles = [] } = options;
  const prefix = prefixOf(repo, root);
  const encodings = await declaredEncodings({ repo, attributesFiles, prefix, encodings: options.encodings });
  objects.ofPath = (path, content) => encodings.mark(path, content);
  openIndex({ fs, codec, objects, folder });
  const isElsewhere = trailHome(repo, { ref: null, oid: null }, options.trail).mirror === true;
  const store = isElsewhere ? treeStore() : storeAt(repo.workDir && root, repo.gitDir);
  const context: Context = {
    ...platform,
    repo,
    objects,
    index: new IndexReader(platform.fs, `${repo.gitDir}/index`, bytes => codec.sha1(bytes)),
    store: store.separate ? markingStore(store, encodings, prefix) : store,
    stores,
    storeAt,
    asides: new Asides(),
    root,
    roots: [
      root,
      ...(await namesOf(fs, root, [options.root, platform.folder])),
      ...(options.mount ? [options.mount] : []),
    ],
    prefix,
    folder,
    loose: { fs, objectsDir: `${repo.commonDir}/objects`, tempDir: `${folder}/tmp` },
    trailName: options.trail,
    outside: options.outside ?? 'record',
    outsideBy: options.outsideBy,
    userConfig,
    attributesFiles,
    encodings,
    windows: platform.windows ?? false,
    user: options.user ?? userOf(repo),
    identity: options.identity ?? {},
    limits: options.limits ? new Limits(options.limits, clockOf(options.now)) : null,
    durability: options.durability ?? 'journal',
    patience: { engine: options.patience?.engine ?? 10_000, git: options.patience?.git ?? 3_000 },
    now: clockOf(options.now),
    listener: new Listener(options.onEvent, options.onEventError),
    sessions: new Set(),
    rejections: new RejectionBook({ fs, folder, objects }),
    ...{ beforeCommit: options.beforeCommit, beforeRead: options.beforeRead, approve: options.approve },
    edits: knownEdits(options.edits),
    vocabulary: options.vocabulary ?? {},
    tellsReads: options.tellReads ?? false,
    syntax: options.syntax ?? (options.brief ? 'off' : 'tell'),
    keepsRefusals: options.recordRefusals ?? false,
    signing: null,
    policies: new Policies({
      trailName: options.trail,
      fs,
      objects,
      repo,
      euid: platform.euid,
      files: options.policyFiles ?? [],
    }),
    guards: guardsFor(options, repo, async path => (await tracking(context, path)) !== null),
  };
  return context;
}

/** Opens the index of entries, which only saves time. */
function openIndex({
  fs,
  codec,
  objects,
  folder,
}: Pick<Context, 'fs' | 'codec' | 'objects' | 'folder'>): void {
  if (fs.volatile) return;
  const purges = (): Promise<string> => purgedStamp({ fs, folder }).catch(() => '');
  useEntries(objects, new TrailIndex({ fs, codec, objects, folder, purges }));
}

function objectsOf(
  { fs, codec }: Pick<Platform, 'fs' | 'codec'>,
  { commonDir, config }: Repository,
): ObjectDatabase {
  const maxEntries = config.get('vedit.maxEntries') ?? '';
  return openObjects({
    fs,
    codec,
    objectsDir: `${commonDir}/objects`,
    maxEntries: /^[1-9]\d*$/.test(maxEntries) ? Number(maxEntries) : undefined,
  });
}

type Hash = (bytes: Uint8Array) => Promise<string> | string;

/** Checks and wraps the host's store. Throws INVALID_INPUT where the files would be in two places. */
async function storeFor(store: Store, repo: Repository, hash: Hash): Promise<Store> {
  const checked: typeof import('../../stores/checked.ts') = await import('../../stores/checked.ts');
  checked.checkStore(store);
  if (!repo.workDir) return checked.givenStore(store, hash);
  const message =
    'A store of its own goes with a bare repository: make one with initRepository({ root, bare: true }).';
  throw new EditError('INVALID_INPUT', message, { field: 'store' });
}

/** Returns the workspace's folder inside the work tree. */
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

/** Where there is no work tree there are no rules; and a tracked file is never ignored. */
function guardsFor(
  { excludesFiles = [], allowIgnored = false }: WorkspaceOptions,
  repo: Repository,
  isTracked: (path: string) => Promise<boolean>,
): Guards {
  if (!repo.workDir) return { checkNew: async () => {}, ignored: () => async () => false };
  const ignored: Guards['ignored'] = () => {
    const rules = ignoreRulesOf(repo, excludesFiles);
    return (path, isDirectory) => rules.ignored(path, isDirectory);
  };
  return {
    ignored,
    checkNew: async path => {
      if (allowIgnored || !(await ignored()(path, false)) || (await isTracked(path))) return;
      const message = `Git ignores ${pathName(path)}, and an edit would put its content into history. Go on without this file, or ask the person to allow it.`;
      throw new EditError('IGNORED_PATH', message, { path });
    },
  };
}

/** Returns the host's clock. What is wrong with it is told to be the host's. */
function clockOf(now: (() => Date) | undefined): () => Date {
  if (!now) return () => new Date();
  return () => {
    try {
      const time = now();
      if (!Number.isNaN(time.getTime())) return time;
    } catch (error) {
      throw hostFault('now', error);
    }
    throw hostFault('now', new RangeError('it answers no valid date'));
  };
}

/**
 * Makes the store of files that live in the trail alone (a bare repository, a history without a folder). The commit is the
 * publication, so there is nothing to stage, and nobody else can change a file.
 */
function treeStore(): Store {
  return {
    separate: false,
    resolve: async path => path,
    read: () => Promise.reject(notHere()),
    list: () => Promise.reject(notHere()),
    stage: async () => NOTHING_STAGED,
    recover: async () => [],
  };
}

/** Creates the error for a read: the workspace reads such files from the trail's newest tree. */
function notHere(): EditError {
  return new EditError('STORE_FAILED', 'The tree store has no files of its own: read them from the trail.');
}

/** The other names of the root: of the folders that it was reached through, those that lead to it. */
async function namesOf(fs: Fs, root: string, given: ReadonlyArray<string | undefined>): Promise<string[]> {
  const names = new Set<string>();
  for (const one of given) {
    const real = one?.startsWith('/') ? await orNull(fs.realpath(one)) : null;
    if (real === null || real === one) continue;
    const name = one!.replace(/\/+$/, '');
    const below = real.startsWith(`${root}/`) ? real.slice(root.length) : '';
    if (root.startsWith(`${real}/`)) names.add(name + root.slice(real.length));
    else if (real === root + below && name.endsWith(below))
      names.add(name.slice(0, name.length - below.length));
  }
  names.delete(root);
  return [...names];
}
