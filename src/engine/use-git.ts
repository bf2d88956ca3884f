/** Whether the git that a caller lends may be used here, and what is told when it refuses. */

import { EditError } from '../errors.ts';
import { type GitResult, quietGit, type RunGit } from '../git/run-git.ts';
import type { Context } from './context.ts';

/**
 * True when this git sees the ref where the engine sees it; false when there is no git, or it sees another repository (the
 * engine's is in memory). `commit` is `null` for a branch without commits. Throws GIT_REFUSED when git will not work here.
 */
export async function canUseGit(
  context: Context,
  git: RunGit,
  { ref, commit }: { ref: string; commit: string | null },
): Promise<boolean> {
  const cwd = placeOf(context);
  const look = quietGit(git);
  const folder = await look({ args: ['rev-parse', '--absolute-git-dir'], cwd });
  if (!folder) return false;
  if (folder.code !== 0) throw refusedByGit(folder);
  if (commit === null) return folder.stdout.trim() === context.repo.gitDir;
  const seen = await look({ args: ['rev-parse', '--verify', '-q', ref], cwd });
  return seen?.stdout.trim() === commit;
}

export const NO_GIT: GitResult = { code: -1, stdout: '', stderr: 'git could not be started' };

export function placeOf({ repo }: Context): string {
  return repo.workDir ?? repo.gitDir;
}

/** Characters of git's and the hooks' words that go into a message; data has more. */
const WORDS = 4_000;

export function refusedByGit({ code, stdout, stderr, signal }: GitResult): EditError {
  const output = [stderr, stdout]
    .map(text => text.trim())
    .filter(Boolean)
    .join('\n');
  const shown = output.length > WORDS ? `${output.slice(0, WORDS)}\n[cut]` : output;
  if (signal)
    return new EditError(
      'GIT_REFUSED',
      `Git was ended by ${signal} before it made the commit, and nothing was changed. Land again when you want the commit.${shown && `\nBefore that it said:\n${shown}`}`,
      { exit: code, signal, output },
    );
  return new EditError(
    'GIT_REFUSED',
    `Git did not make the commit, and nothing was changed. Git and the hooks of the repository said:\n${shown || `(nothing; exit code ${code})`}`,
    { exit: code, output },
  );
}
