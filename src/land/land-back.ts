/** Takes a landing back: the branch is again where it was, and what landed is open again. */

import { EditError } from '../errors.ts';
import { type GitResult, quietGit, type RunGit } from '../git/run-git.ts';

export interface Landing {
  commit: string;
  parent: string;
}

/**
 * Puts the branch back to before a landing, as `git reset --soft` does, and the index of its files with it, while the
 * landing is HEAD and no remote has it. Files are not touched. Throws GIT_REFUSED, and has changed nothing then.
 */
export async function landBack(git: RunGit, cwd: string, { commit, parent }: Landing): Promise<string> {
  const run = async (args: readonly string[], input?: string): Promise<GitResult> =>
    (await quietGit(git)({ args, cwd, ...(input === undefined ? {} : { input }) })) ?? NO_GIT;
  const short = commit.slice(0, 12);
  const remotes = await run(['branch', '--remotes', '--contains', commit]);
  if (remotes.code !== 0) throw refused(remotes, `${short} cannot be looked for on remotes.`);
  if (remotes.stdout.trim() !== '')
    throw refused(remotes, `${short} is on a remote already: take it out by git revert ${short}.`);
  const paths = await run(['diff-tree', '-r', '-z', '--name-only', parent, commit]);
  const moved = await run(['update-ref', '-m', 'vedit: landing taken back', 'HEAD', parent, commit]);
  if (moved.code !== 0)
    throw refused(moved, `Your branch has gone on since ${short}: take it out by git revert ${short}.`);
  const names = paths.stdout.split('\0').filter(name => name !== '');
  const specs = names.map(name => `:(top,literal)${name}\0`).join('');
  await run(['reset', '-q', '--pathspec-from-file=-', '--pathspec-file-nul'], specs);
  return `Landing ${short} was taken back: your branch is where it was, and no file was changed.`;
}

const NO_GIT: GitResult = { code: -1, stdout: '', stderr: 'git could not be started' };

function refused({ code, stdout, stderr }: GitResult, message: string): EditError {
  return new EditError('GIT_REFUSED', message, { exit: code, output: stderr || stdout });
}
