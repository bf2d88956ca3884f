/** The work tree that a record is about, as the workspace of this process sees it: its own, or another of the repository. */

import { reading } from '../../../fs/failures.ts';
import { type Fs, orNull } from '../../../fs/fs.ts';
import { IndexReader } from '../../../git/index/reader.ts';
import { parentOf, resolvePath } from '../../../git/paths.ts';
import type { Repository } from '../../../git/repository/repository.ts';
import type { Context } from '../../context.ts';
import type { ChangeRecord } from '../journal/record.ts';

/** The part of a context that recovery uses. */
export type Place = Pick<
  Context,
  'fs' | 'codec' | 'repo' | 'objects' | 'index' | 'store' | 'prefix' | 'folder' | 'patience'
>;

/** `null` for a work tree that is gone: its files are nobody's, its refs and objects are the repository's. */
export async function placeOf(
  context: Context,
  { worktree, prefix }: Pick<ChangeRecord, 'worktree' | 'prefix'>,
): Promise<Place | null> {
  const { repo } = context;
  const found = worktree === repo.worktree ? repo : await workTree(repo, worktree);
  if (!found) return null;
  const root = found.workDir && prefix ? `${found.workDir}/${prefix.slice(0, -1)}` : found.workDir;
  if (!(await isThere(context.fs, root)) || !(await isThere(context.fs, found.gitDir))) return null;
  if (found === repo && prefix === context.prefix) return context;
  const index = new IndexReader(context.fs, `${found.gitDir}/index`);
  return { ...context, repo: found, prefix, index, store: context.storeAt(root, found.gitDir) };
}

/** Also a work tree that this process has open may be removed. */
async function isThere(fs: Fs, folder: string | null): Promise<boolean> {
  return folder === null || (await reading('the work tree', orNull(fs.lstat(folder)))) !== null;
}

/** The linked work tree with this id, or the main one. */
async function workTree(repo: Repository, id: string | null): Promise<Repository | null> {
  const { fs, commonDir } = repo;
  if (id === null) return mainWorkTree(repo);
  const gitDir = `${commonDir}/worktrees/${id}`;
  const bytes = await reading('gitdir', orNull(fs.readFile(`${gitDir}/gitdir`)));
  if (!bytes) return null;
  const dotGit = resolvePath(gitDir, new TextDecoder().decode(bytes).trimEnd());
  if (!(await reading('.git', orNull(fs.lstat(dotGit))))) return null;
  return { ...repo, gitDir, workDir: parentOf(dotGit), worktree: id, bare: false };
}

/** Seen from a linked work tree: the folder around `.git`, or the one that the config names. */
function mainWorkTree(repo: Repository): Repository {
  const { commonDir, config } = repo;
  const bare = config.bool('core.bare', false);
  const workDir = bare ? null : resolvePath(commonDir, config.get('core.worktree') ?? '..');
  return { ...repo, gitDir: commonDir, workDir, worktree: null, bare };
}
