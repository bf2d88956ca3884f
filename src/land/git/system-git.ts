/** The git of this machine, for those calls that may use it. */

import type { RunGit } from '../../git/run-git.ts';

export type { GitCall, GitResult, RunGit, RunningGit } from '../../git/run-git.ts';
export { quietGit } from '../../git/run-git.ts';

/**
 * Runs the program `git`, in Node, with the environment given (`process.env`); variables in it that would point git to
 * another repository are left out. To be handed to `land` and `gc`.
 */
export async function systemGit(env: Readonly<Record<string, string | undefined>>): Promise<RunGit> {
  const native = await import('../../git/native/system-git.ts');
  return native.systemGit(env);
}
