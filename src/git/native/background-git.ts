/** A git that works on in the background, whatever becomes of the process that started it. */

import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import type { StartGit } from '../run-git.ts';

/** As `nice` does without a number. */
const NICE = 10;

/** Nothing of the environment says where git works, or how; who the user is, and where their config is, stays. */
export const startGit: StartGit = (args, cwd) => {
  const kept = Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith('GIT_'));
  const env = Object.fromEntries(kept);
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...args], { cwd, env, stdio: 'ignore', detached: true, windowsHide: true });
    child.once('error', error => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') resolve(null);
      else reject(error);
    });
    child.once('exit', code => resolve(code ?? -1));
    child.unref();
    lower(child.pid);
  });
};

/** As far as the system lets. */
function lower(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, NICE);
  } catch {
    // It works as fast as any other.
  }
}
