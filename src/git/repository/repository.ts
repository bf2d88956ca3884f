/**
 * Finds the repository that a folder belongs to (gitrepository-layout(5)): a `.git` folder, a `.git` file of a
 * linked worktree or a submodule, or a bare repository. Environment variables are never read.
 */

import { fromUtf8, latin1 } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import { reading, unsupported } from '../../fs/failures.ts';
import { type Fs, orNull } from '../../fs/fs.ts';
import { baseName, parentOf, resolvePath } from '../paths.ts';
import { type Config, parseConfig } from './config.ts';

export interface Repository {
  readonly fs: Fs;
  /** Absolute: `.git`, or `.git/worktrees/<id>`. HEAD, the index and some refs are here. */
  readonly gitDir: string;
  /** Absolute; equal to `gitDir` except in a linked worktree. Objects, config and most refs are here. */
  readonly commonDir: string;
  /** Absolute, links resolved; `null` in a bare repository. */
  readonly workDir: string | null;
  readonly bare: boolean;
  /** The id of a linked worktree, the name of its folder in `<commonDir>/worktrees`. */
  readonly worktree: string | null;
  /** As it was when the repository was found; `preflight` reads it again when the file changed. */
  config: Config;
  /** True in a clone whose history says that the checked-out branch is the trail; see `inheritsHome`. */
  inheritsHome?: boolean;
}

/**
 * The repository of the absolute path `dir`, looked for upwards. Throws NOT_A_REPOSITORY; UNSUPPORTED_REPOSITORY
 * when `.git` leads to a repository that does not lead back; CORRUPT; STORE_FAILED.
 */
export async function locate(fs: Fs, dir: string): Promise<Repository> {
  const start = await reading('the folder', orNull(fs.realpath(dir)));
  for (let at = start; at !== null; at = parentOf(at)) {
    const found = (await fromDotGit(fs, at)) ?? (await fromBare(fs, at));
    if (found !== null) return found;
  }
  throw notFound('no git repository here or in a folder above');
}

function notFound(what: string): EditError {
  const message = `${what}; vedit init creates one, and in a program initRepository`;
  return new EditError('NOT_A_REPOSITORY', message);
}

/** Creates the error for a repository that is gone. What was done in a linked work tree is in the repository, not in its folder. */
export function repositoryGone({ worktree }: Repository): EditError {
  const words =
    worktree === null
      ? 'The repository is gone: its folder was removed or moved. Nothing was read or changed. Open the folder where it is now'
      : `The work tree ${worktree} is gone: git worktree remove took it, or its folder was deleted. Nothing was read or changed; what was edited there stays in its history. Open another work tree of the repository, or add this one again (git worktree add)`;
  return new EditError('NOT_A_REPOSITORY', `${words}.`, {
    gone: true,
    ...(worktree === null ? {} : { work_tree: worktree }),
  });
}

/** Creates the error for another repository in the place of the one that was opened. */
export function repositoryReplaced(): EditError {
  const words =
    'Another repository is in the place of the one that was opened, which was removed or moved. Nothing was read or changed. Open the folder anew to work in this one.';
  return new EditError('NOT_A_REPOSITORY', words, { gone: true });
}

const places = new WeakMap<Repository, string>();

/** Identifies a repository among those that have its name; '' before it was asked about. */
export function identityOf(repository: Repository): string {
  return places.get(repository) ?? '';
}

/**
 * True while the folder of the repository is the one that was first asked about: what is found under its name may be
 * another one. `null` where there is none. Throws system errors.
 */
export async function isSameRepository(repository: Repository): Promise<boolean | null> {
  const stat = await repository.fs.lstat(repository.commonDir);
  if (stat === null) return null;
  const place = `${stat.dev}:${stat.ino}`;
  const known = places.get(repository);
  if (known === undefined) places.set(repository, place);
  return known === undefined || known === place;
}

/**
 * Returns the repository that `<workDir>/.git` leads to, `null` for none. A `.git` folder that is no repository is
 * passed over, as git does.
 */
async function fromDotGit(fs: Fs, workDir: string): Promise<Repository | null> {
  const path = resolvePath(workDir, '.git');
  const stat = await reading('.git', fs.lstat(path));
  if (stat?.type === 'symlink') {
    throw unsupported('.git is a symbolic link', 'open the folder that holds the repository itself');
  }
  if (stat?.type === 'file') return await fromGitFile(fs, workDir, path);
  if (stat?.type !== 'directory' || !(await isGitDir(fs, path))) return null;
  const config = await readConfig(fs, path, path);
  if (config.bool('core.bare', false)) return bareRepository(fs, path, config);
  await checkWorkTree(fs, path, workDir, config.get('core.worktree') ?? workDir);
  return { fs, gitDir: path, commonDir: path, workDir, bare: false, worktree: null, config };
}

async function fromBare(fs: Fs, dir: string): Promise<Repository | null> {
  if (!(await isGitDir(fs, dir))) return null;
  const config = await readConfig(fs, dir, dir);
  const inside = baseName(dir) === '.git' && !config.bool('core.bare', false);
  if (inside) throw notFound('this is the inside of a repository: open the folder that holds .git');
  return bareRepository(fs, dir, config);
}

function bareRepository(fs: Fs, dir: string, config: Config): Repository {
  return { fs, gitDir: dir, commonDir: dir, workDir: null, bare: true, worktree: null, config };
}

/** True where HEAD, objects and refs are there: git's own test (is_git_directory). */
async function isGitDir(fs: Fs, dir: string): Promise<boolean> {
  for (const name of ['HEAD', 'objects', 'refs']) {
    if ((await reading(name, fs.lstat(`${dir}/${name}`))) === null) return false;
  }
  return true;
}

/** Finds the repository by a file `.git` with `gitdir: <path>`, as `git worktree add`, `git submodule` and `git init --separate-git-dir` write it. */
async function fromGitFile(fs: Fs, workDir: string, path: string): Promise<Repository> {
  const text = await readText(fs, path);
  const target = /^gitdir: (.+?)[\r\n]*$/s.exec(text ?? '')?.[1];
  if (target === undefined) throw unsupported('the .git file names no repository', 'repair or remove it');
  const gitDir = await reading('.git', orNull(fs.realpath(resolvePath(workDir, target))));
  if (gitDir === null)
    throw notFound('the repository that the .git file names is gone (git worktree repair)');
  const common = await readText(fs, `${gitDir}/commondir`);
  if (common === null) return await separateGitDir(fs, workDir, gitDir);
  return await linkedWorktree(fs, workDir, gitDir, resolvePath(gitDir, common.replace(/[\r\n]+$/, '')));
}

/**
 * Returns the repository of a submodule, which names its work tree, or of `git init --separate-git-dir`, which does
 * not: a .git file may lead to one of those that is not bare and not in a work tree of its own.
 */
async function separateGitDir(fs: Fs, workDir: string, gitDir: string): Promise<Repository> {
  if (!(await isGitDir(fs, gitDir))) throw notFound('the .git file names a folder that is no repository');
  const config = await readConfig(fs, gitDir, gitDir);
  const named = config.get('core.worktree');
  const isAlone = named === undefined && baseName(gitDir) !== '.git' && !config.bool('core.bare', false);
  if (!isAlone) await checkWorkTree(fs, gitDir, workDir, named);
  return { fs, gitDir, commonDir: gitDir, workDir, bare: false, worktree: null, config };
}

async function linkedWorktree(fs: Fs, workDir: string, gitDir: string, common: string): Promise<Repository> {
  const commonDir = await reading('commondir', orNull(fs.realpath(common)));
  if (commonDir === null || !(await isGitDir(fs, commonDir))) {
    throw notFound('the repository of this worktree is gone (git worktree repair)');
  }
  const back = await readText(fs, `${gitDir}/gitdir`);
  const leadsBack =
    back !== null && (await isSameFile(fs, resolvePath(gitDir, back.trimEnd()), `${workDir}/.git`));
  if (!leadsBack || parentOf(gitDir) !== `${commonDir}/worktrees`) throw openFromElsewhere();
  const config = await readConfig(fs, commonDir, gitDir);
  return { fs, gitDir, commonDir, workDir, bare: false, worktree: baseName(gitDir), config };
}

/** Throws unless `core.worktree` names the folder that led here: edits would land in a work tree that nobody named. */
async function checkWorkTree(
  fs: Fs,
  gitDir: string,
  workDir: string,
  named: string | undefined,
): Promise<void> {
  if (named === undefined || !(await isSameFile(fs, resolvePath(gitDir, named), workDir)))
    throw openFromElsewhere();
}

function openFromElsewhere(): EditError {
  const next =
    'open the folder that the repository belongs to; if that is this one, run git worktree repair, or where there is no other work tree git config core.worktree "$PWD" here';
  return unsupported('.git leads to a repository that does not lead back to this folder', next);
}

async function isSameFile(fs: Fs, a: string, b: string): Promise<boolean> {
  const paths = [a, b].map(path => orNull(fs.realpath(path)));
  const [first, second] = await reading('.git', Promise.all(paths));
  return first === second && first !== null;
}

/** Reads the config of the repository, and that of the worktree where `extensions.worktreeConfig` says that there is one. */
export async function readConfig(fs: Fs, commonDir: string, gitDir: string): Promise<Config> {
  const shared = (await readText(fs, `${commonDir}/config`)) ?? '';
  const config = parseConfig(shared);
  if (!config.bool('extensions.worktreeconfig', false)) return config;
  return parseConfig(shared, (await readText(fs, `${gitDir}/config.worktree`)) ?? '');
}

/** Reads text that need not be UTF-8: a name in another encoding is no reason to refuse a repository. */
async function readText(fs: Fs, path: string): Promise<string | null> {
  const bytes = await reading(baseName(path), orNull(fs.readFile(path)));
  return bytes === null ? null : (fromUtf8(bytes) ?? latin1(bytes));
}
