/**
 * Checks who owns a repository. Git refuses one that belongs to somebody else (safe.directory, git-config(1)): its
 * config and hooks would run as the user who only went there. No program of a repository is run here, but the same
 * answer is given, so that nobody gets used to working in a folder that others can change under them.
 */

import { reading, unsupported } from '../../fs/failures.ts';
import type { Config } from './config.ts';
import type { Repository } from './repository.ts';

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
  if (!stranger || isSafe(userConfig, workDir ?? gitDir)) return;
  throw unsupported(
    `the repository belongs to another user (uid ${stranger.uid}, this process is uid ${euid})`,
    'give it to your user (chown -R), or, if you trust it, run git config --global --add safe.directory <its folder>',
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
