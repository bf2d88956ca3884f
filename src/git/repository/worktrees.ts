/** The branches that are checked out in the work trees of a repository (gitrepository-layout(5), "worktrees"). */

import { reading } from '../../fs/failures.ts';
import { type Fs, orNull } from '../../fs/fs.ts';
import type { Repository } from './repository.ts';

export interface WorktreeHead {
  /** The git folder of the work tree, absolute. */
  gitDir: string;
  /** The full name of the branch; `null` when HEAD is detached. */
  ref: string | null;
}

/** Finds the folder of a work tree that has the branch checked out, if that is not this one; `null` where none has. */
export async function workTreeWith(repo: Repository, branch: string): Promise<string | null> {
  const heads = (await worktreeHeads(repo)).filter(({ ref }) => ref === branch);
  if (heads.length === 0 || heads.some(({ gitDir }) => gitDir === repo.gitDir)) return null;
  return folderWith(repo, heads[0]!.gitDir);
}

/** Finds the folder of a work tree by its id, `null` for the main one; `null` where there is none. Throws STORE_FAILED. */
export async function workTreeFolder(repo: Repository, id: string | null): Promise<string | null> {
  const gitDir = id === null ? repo.commonDir : `${repo.commonDir}/worktrees/${id}`;
  const isThere = (await worktreeHeads(repo)).some(one => one.gitDir === gitDir);
  return isThere ? folderWith(repo, gitDir) : null;
}

async function folderWith({ fs }: Repository, gitDir: string): Promise<string> {
  const named = await reading('gitdir', orNull(fs.readFile(`${gitDir}/gitdir`)));
  const dotGit = named ? new TextDecoder().decode(named).trim() : gitDir;
  return dotGit.replace(/\/\.git$/, '');
}

/** Lists the heads of the main work tree, unless the repository is bare, and of all linked ones. */
export async function worktreeHeads(repo: Repository): Promise<WorktreeHead[]> {
  const { fs, commonDir, config } = repo;
  const isBare = config.bool('core.bare', false);
  const heads: WorktreeHead[] = [];
  for (const gitDir of await gitFolders(repo)) {
    if (isBare && gitDir === commonDir) continue;
    const bytes = await reading('HEAD', orNull(fs.readFile(`${gitDir}/HEAD`)));
    if (!bytes) continue;
    const ref = /^ref:\s*(.*?)\s*$/s.exec(new TextDecoder().decode(bytes))?.[1] ?? null;
    heads.push({ gitDir, ref });
  }
  return heads;
}

/** Lists the git folders of all work trees, absolute: the repository's own, then those of the linked ones. Throws STORE_FAILED. */
export async function gitFolders({ fs, commonDir }: Repository): Promise<string[]> {
  const linked = (await reading('worktrees', orNull(fs.readdir(`${commonDir}/worktrees`)))) ?? [];
  return [commonDir, ...linked.sort().map(id => `${commonDir}/worktrees/${id}`)];
}

/**
 * Tells the entry of a linked work tree from another one of its id: inode and time of a file that git writes once, with the
 * entry. `null` where there is none. Throws STORE_FAILED.
 */
export async function worktreeMade(fs: Fs, gitDir: string): Promise<string | null> {
  const stat = await reading('commondir', fs.lstat(`${gitDir}/commondir`));
  return stat && `${stat.ino} ${stat.mtimeNs}`;
}
