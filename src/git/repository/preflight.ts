/**
 * Refuses a repository whose format the engine does not know, before anything is read as something that it is not; and one
 * that belongs to somebody else, as git does (safe.directory, git-config(1)): its config and hooks would run as the user who
 * only went there. No program of a repository is run here, but the same answer is given, so that nobody gets used to working
 * in a folder that others can change under them.
 */

import { shellWord } from '../../c-quote.ts';
import { readFailed, reading, unsupported } from '../../fs/failures.ts';
import type { Config } from './config.ts';
import {
  isSameRepository,
  type Repository,
  readConfig,
  repositoryGone,
  repositoryReplaced,
} from './repository.ts';

/** Extensions (git's technical/repository-version) that leave objects, refs and the work tree as they are known here. */
const KNOWN_EXTENSIONS = new Set([
  'noop',
  'noop-v1',
  'preciousobjects',
  'partialclone',
  'worktreeconfig',
  'relativeworktrees',
]);

/** Repositories that passed, with the state of the config files that was looked at. */
const passed = new WeakMap<Repository, string>();

/**
 * Checks the format, and reads `repository.config` again when its file changed since it was last checked: two
 * `lstat` calls otherwise. Throws UNSUPPORTED_REPOSITORY for SHA-256, reftable, a newer format, an unknown
 * extension and a symbolic link as HEAD; NOT_A_REPOSITORY when it was removed, or replaced by another; CORRUPT; STORE_FAILED.
 */
export async function preflight(repository: Repository): Promise<void> {
  const state = await stateOf(repository);
  if (state !== null && passed.get(repository) === state) return;
  const { fs, commonDir, gitDir } = repository;
  // Else folders of the engine would be made where there is no repository any more, or in that of somebody else.
  const isSame = await reading('the repository', isSameRepository(repository));
  if (isSame === null) throw repositoryGone(repository);
  if (!isSame) throw repositoryReplaced();
  repository.config = await readConfig(fs, commonDir, gitDir);
  checkFormat(repository);
  const head = await reading('HEAD', fs.lstat(`${gitDir}/HEAD`));
  if (head?.type === 'symlink')
    throw unsupported('HEAD is a symbolic link', 'run git symbolic-ref HEAD <branch>');
  if (state !== null) passed.set(repository, state);
}

/** `null` when a config is a link: then its own state says nothing about the content. */
async function stateOf({ fs, commonDir, gitDir, config }: Repository): Promise<string | null> {
  const paths = [`${commonDir}/config`];
  if (config.bool('extensions.worktreeconfig', false)) paths.push(`${gitDir}/config.worktree`);
  let state = '';
  for (const path of paths) {
    const stat = await fs.lstat(path).catch(error => Promise.reject(readFailed(error, 'config')));
    if (stat?.type === 'symlink') return null;
    state += stat ? `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs},` : ',';
  }
  return state;
}

function checkFormat({ config }: Repository): void {
  const version = config.get('core.repositoryformatversion') ?? '0';
  if (!/^[01]$/.test(version))
    throw unsupported(`repository format version ${version}`, 'versions 0 and 1 are known');
  const objects = config.get('extensions.objectformat') ?? 'sha1';
  if (objects !== 'sha1')
    throw unsupported(`object format ${objects}`, 'use a repository made by git init --object-format=sha1');
  const refs = config.get('extensions.refstorage') ?? 'files';
  if (refs !== 'files') throw unsupported(`ref storage ${refs}`, 'run git refs migrate --ref-format=files');
  if (version === '1') checkExtensions(config.keys());
}

function checkExtensions(keys: readonly string[]): void {
  for (const key of keys) {
    const name = /^extensions\.([^.]+)$/.exec(key)?.[1];
    if (name === undefined || name === 'objectformat' || name === 'refstorage' || KNOWN_EXTENSIONS.has(name))
      continue;
    throw unsupported(
      `the extension ${name} of the repository`,
      'a newer version of this engine may know it',
    );
  }
}

export interface Trust {
  /** The user id of this process; `undefined` where there are no owners (Windows, memory), and nothing is checked. */
  euid: number | undefined;
  /** Further owners to trust, such as the user who called sudo. */
  owners: readonly number[];
  /** The user's own config, for `safe.directory`; never that of the repository. */
  userConfig: Config | null;
}

/** Looks at the work tree, its `.git` and the repository, as git does. Throws UNSUPPORTED_REPOSITORY, STORE_FAILED. */
export async function checkOwner(repo: Repository, trust: Trust): Promise<void> {
  const { euid, owners, userConfig } = trust;
  if (euid === undefined) return;
  const { fs, workDir, gitDir } = repo;
  const paths = workDir === null ? [gitDir] : [workDir, `${workDir}/.git`, gitDir];
  const stats = await reading('the repository', Promise.all(paths.map(path => fs.lstat(path))));
  const stranger = stats.find(stat => stat !== null && stat.uid !== euid && !owners.includes(stat.uid));
  const folder = workDir ?? gitDir;
  if (!stranger || isSafe(userConfig, folder)) return;
  throw unsupported(
    `the repository belongs to another user (uid ${stranger.uid}, this process is uid ${euid})`,
    `give it to your user (chown -R), or, if you trust it, run git config --global --add safe.directory ${shellWord(folder)}`,
  );
}

/** True when `safe.directory` names the folder: the last word counts; an empty value takes back all before it. */
function isSafe(config: Config | null, folder: string): boolean {
  let safe = false;
  for (const value of config?.getAll('safe.directory') ?? []) {
    if (value === '') safe = false;
    else if (value === '*' || value.replace(/(?<=.)\/+$/, '') === folder) safe = true;
    else if (value.endsWith('/*') && folder.startsWith(value.slice(0, -1))) safe = true;
  }
  return safe;
}
