/** A person's repository with a trail beside its branch: in memory, or in a folder with the real git. Its objects are read by isomorphic-git alone. */

import nodeFs, { chmodSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import git, { type FsClient } from 'isomorphic-git';
import type { Context } from '../../../src/engine/context.ts';
import {
  type LandData,
  type LandOptions,
  type MemoryFs,
  memoryFs,
  type Workspace,
} from '../../../src/index.ts';
import { landAnswer, landDiffs } from '../../../src/land/answer.ts';
import { planLanding } from '../../../src/land/plan.ts';
import { statesOf } from '../../../src/land/plan-commits.ts';
import { landNames } from '../../../src/land/select.ts';
import { Workspace as Opened } from '../../../src/workspace/open.ts';
import { openContext } from '../../../src/workspace/opening/open-context.ts';
import { platformFor } from '../../../src/workspace/opening/platform.ts';
import { ADA } from '../../helpers/landing.ts';
import { personRepo } from '../../helpers/person-repo.ts';

export interface Held {
  mode: string;
  bytes: Uint8Array;
}

/** By path. */
export type Tree = ReadonlyMap<string, Held>;

/** A commit as it was read. */
export interface Commit {
  id: string;
  parents: readonly string[];
  message: string;
  tree: Tree;
}

export interface Place {
  readonly isReal: boolean;
  workspace: Workspace;
  /** What the branch, which holds `onto` now, would hold commit by commit after a landing, and what its answer would be. */
  plan(options: LandOptions, onto: Tree): Promise<{ states: Tree[]; data: LandData }>;
  read(path: string): Promise<Held | null>;
  /** `null` removes the file. */
  write(path: string, held: Held | null): Promise<void>;
  /** Moves the branch, and the index with it, as `git reset --mixed` does. */
  reset(commit: string): Promise<void>;
  /** Commits what the branch shall hold. Files stay. */
  commit(tree: Tree): Promise<void>;
  /** The commit of a ref, or `null`. */
  ref(name: string): Promise<string | null>;
  at(commit: string): Promise<Commit>;
}

const REF = 'refs/heads/main';
const AUTHOR = { ...ADA, timestamp: 1_700_000_000, timezoneOffset: 0 };

interface Where {
  fs: FsClient;
  dir: string;
  cache: object;
}

/** Reads commits, each once. */
function reader(where: Where): Pick<Place, 'at' | 'ref'> {
  const known = new Map<string, Commit>();
  const blobs = new Map<string, Uint8Array>();
  const blob = async (oid: string): Promise<Uint8Array> => {
    const bytes = blobs.get(oid) ?? (await git.readBlob({ ...where, oid })).blob;
    blobs.set(oid, bytes);
    return bytes;
  };
  return {
    ref: name => git.resolveRef({ ...where, ref: name }).catch(() => null),
    async at(id) {
      const found = known.get(id);
      if (found) return found;
      const { commit } = await git.readCommit({ ...where, oid: id });
      const { tree: entries } = await git.readTree({ ...where, oid: commit.tree });
      const tree = new Map<string, Held>();
      for (const { path, oid, mode } of entries) tree.set(path, { mode, bytes: await blob(oid) });
      const made = { id, parents: commit.parent, message: commit.message, tree };
      known.set(id, made);
      return made;
    },
  };
}

/** In memory, without a git. `unclaimed`: nobody says whose text from outside is. */
export async function memoryPlace(files: Tree, unclaimed: boolean): Promise<Place & { context: Context }> {
  const fs = memoryFs();
  const where: Where = { fs, dir: '/w', cache: {} };
  await fs.promises.mkdir('/w');
  await git.init({ ...where, defaultBranch: 'main' });
  await git.setConfig({ ...where, path: 'core.filemode', value: true });
  const own = reader(where);
  const setIndex = async (tree: Tree): Promise<void> => {
    const listed = await git.listFiles(where);
    for (const filepath of listed)
      if (!tree.has(filepath)) await git.updateIndex({ ...where, filepath, remove: true, force: true });
    for (const [filepath, { mode, bytes }] of tree) {
      const oid = await git.writeBlob({ ...where, blob: bytes });
      await git.updateIndex({ ...where, filepath, oid, mode: Number.parseInt(mode, 8), add: true });
    }
  };
  const commit = async (tree: Tree): Promise<void> => {
    await setIndex(tree);
    await git.commit({ ...where, message: 'by hand\n', author: AUTHOR, committer: AUTHOR });
  };
  const write = writerOf(fs);
  for (const [path, held] of files) await write(path, held);
  await commit(files);
  await git.branch({ ...where, ref: 'topic' });
  const options = { root: '/w', fs, user: ADA, ...(unclaimed ? { outsideBy: 'unclaimed' as const } : {}) };
  const context = await openContext(await platformFor(options), options);
  return {
    ...own,
    isReal: false,
    context,
    workspace: new Opened(context),
    plan: (wish, onto) => planned(context, wish, onto),
    read: path => readIn(fs, path),
    write,
    async reset(oid) {
      await git.writeRef({ ...where, ref: REF, value: oid, force: true });
      await setIndex((await own.at(oid)).tree);
    },
    commit,
  };
}

async function planned(
  context: Context,
  options: LandOptions,
  onto: Tree,
): Promise<{ states: Tree[]; data: LandData }> {
  const plan = await planLanding(
    context,
    options,
    options.commits ? await landNames(context, options.commits) : null,
  );
  const states: Tree[] = [];
  for (const changes of statesOf(plan.commits)) {
    const tree = new Map(onto);
    for (const [path, held] of changes) {
      if (held) tree.set(path, { mode: held.mode, bytes: await plan.contents.read(held.oid) });
      else tree.delete(path);
    }
    states.push(tree);
  }
  return { states, data: (await landAnswer(context, plan, await landDiffs(context, plan), null)).data };
}

async function readIn({ promises }: MemoryFs, path: string): Promise<Held | null> {
  try {
    const { mode } = await promises.lstat(`/w/${path}`);
    const bytes = (await promises.readFile(`/w/${path}`)) as Uint8Array;
    return { mode: mode & 0o100 ? '100755' : '100644', bytes };
  } catch {
    return null;
  }
}

function writerOf({ promises }: MemoryFs): Place['write'] {
  return async (path, held) => {
    const file = `/w/${path}`;
    if (held === null) return promises.unlink(file).catch(() => {});
    await promises.writeFile(file, held.bytes);
    await promises.chmod(file, held.mode === '100755' ? 0o755 : 0o644);
  };
}

/** In a folder, with the real git. */
export async function realPlace(files: Tree, unclaimed: boolean): Promise<Place> {
  const repo = personRepo({});
  const where: Where = { fs: nodeFs, dir: repo.dir, cache: {} };
  const write: Place['write'] = async (path, held) => {
    if (held === null) return rmSync(repo.path(path), { force: true });
    repo.write(path, held.bytes);
    chmodSync(repo.path(path), held.mode === '100755' ? 0o755 : 0o644);
  };
  for (const [path, held] of files) await write(path, held);
  repo.git('add', '-A');
  repo.git('commit', '-q', '--amend', '-m', 'start');
  const workspace = await repo.open({ user: ADA, ...(unclaimed ? { outsideBy: 'unclaimed' as const } : {}) });
  return {
    ...reader(where),
    isReal: true,
    workspace,
    plan: () => Promise.reject(new Error('with the real git landings are made')),
    async read(path) {
      const file = repo.path(path);
      if (!existsSync(file)) return null;
      return {
        mode: statSync(file).mode & 0o100 ? '100755' : '100644',
        bytes: new Uint8Array(readFileSync(file)),
      };
    },
    write,
    async reset(oid) {
      repo.git('reset', '-q', '--mixed', oid);
    },
    async commit(tree) {
      for (const path of repo.git('ls-files').split('\n').filter(Boolean))
        if (!tree.has(path)) repo.git('update-index', '--force-remove', path);
      for (const [path, { mode, bytes }] of tree) {
        const oid = repo.pipe(bytes, 'hash-object', '-w', '--stdin').toString().trim();
        repo.git('update-index', '--add', '--cacheinfo', `${mode},${oid},${path}`);
      }
      repo.git('commit', '-q', '--allow-empty', '-m', 'by hand');
    },
  };
}
