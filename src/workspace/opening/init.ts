/**
 * A new repository of the engine's own: what `git init` makes, without templates and hooks, and with
 * `vedit.trail = HEAD`, so that the checked-out branch is the trail. Layout: gitrepository-layout(5).
 */

import { EditError } from '../../errors.ts';
import { createFile, ensureFolder, exists, syncFolder } from '../../fs/durable.ts';
import { reading } from '../../fs/failures.ts';
import type { Fs } from '../../fs/fs.ts';
import { parentOf } from '../../git/paths.ts';
import { checkRefName } from '../../git/refs/refs.ts';
import { preflight } from '../../git/repository/preflight.ts';
import { locate } from '../../git/repository/repository.ts';
import { fieldName, pathName } from '../../wording.ts';
import { platformFor } from './platform.ts';
import { checkInit, type InitOptions } from './workspace-options.ts';

export interface InitResult {
  /** False when a repository was there already; it is left as it is. */
  created: boolean;
  /** Absolute path of the git directory. */
  gitDir: string;
}

/**
 * Makes a repository in `root`. One that is there is left alone, also that of a linked work tree or a submodule. Throws
 * INVALID_INPUT for no root or a bad branch name, NESTED_REPOSITORY below another repository unless `nested`, and as openWorkspace for one that is there and cannot be worked in.
 */
export async function initRepository(options: InitOptions): Promise<InitResult> {
  const {
    root,
    bare = false,
    branch = 'main',
    nested = false,
    ...where
  } = checkInit('initRepository', options);
  const { fs } = await platformFor({ root, ...where });
  if (!checkRefName(`refs/heads/${branch}`)) {
    throw new EditError('INVALID_INPUT', `${JSON.stringify(branch.slice(0, 80))} cannot name a branch.`, {
      field: 'branch',
    });
  }
  const gitDir = bare ? root : `${root}/.git`;
  const isFile = (await reading('.git', fs.lstat(gitDir)))?.type === 'file';
  if (isFile || (await exists(fs, `${gitDir}/HEAD`))) {
    const found = await locate(fs, root);
    await preflight(found);
    return { created: false, gitDir: isFile ? found.gitDir : gitDir };
  }
  if (!nested) await assertOutside(fs, root);
  await writeLayout(fs, gitDir, branch, bare);
  return { created: true, gitDir };
}

/** Throws NESTED_REPOSITORY below another repository, whose files nobody would see any more who works in it. */
async function assertOutside(fs: Fs, root: string): Promise<void> {
  let above = parentOf(root.replace(/(?<=.)\/+$/, ''));
  while (above !== null && !(await exists(fs, above))) above = parentOf(above);
  const found = above === null ? null : await locate(fs, above).catch(() => null);
  if (!found) return;
  const words = `${pathName(root)} is inside the repository at ${pathName(found.workDir ?? found.gitDir)}. Nothing was made: work in that one, which needs no init, or give ${fieldName('nested')} to make one inside it.`;
  throw new EditError('NESTED_REPOSITORY', words, { path: root });
}

const FOLDERS = ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info'];

/** HEAD comes last: before it, git sees no repository, so a crash leaves none that is half made. */
async function writeLayout(fs: Fs, gitDir: string, branch: string, bare: boolean): Promise<void> {
  const made: string[] = [];
  for (const folder of FOLDERS) made.push(...(await ensureFolder(fs, `${gitDir}/${folder}`)));
  await write(fs, `${gitDir}/config`, configText(bare));
  await write(
    fs,
    `${gitDir}/info/exclude`,
    '# Patterns of files that git ignores in this repository alone.\n',
  );
  await write(fs, `${gitDir}/HEAD`, `ref: refs/heads/${branch}\n`);
  for (const folder of new Set([gitDir, ...made])) await syncFolder(fs, folder);
}

async function write(fs: Fs, path: string, text: string): Promise<void> {
  if (!(await exists(fs, path))) await createFile(fs, path, new TextEncoder().encode(text));
}

function configText(bare: boolean): string {
  const core = ['[core]', '\trepositoryformatversion = 0', '\tfilemode = true', `\tbare = ${bare}`];
  if (!bare) core.push('\tlogallrefupdates = true');
  return `${[...core, '[vedit]', '\ttrail = HEAD'].join('\n')}\n`;
}
