/** A process dies at a named point of an edit, a person does something with git, and then the next edit comes. */

import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { openWorkspace } from '../../src/index.ts';
import type { Sandbox } from '../helpers/real-git.ts';

const SCRIPT = join(import.meta.dirname, 'one-edit.mjs');

export const POINTS = ['recorded', 'before-ref', 'after-ref', 'after-file', 'acknowledged'] as const;
/** `beside` comes only where the file is on another disk than the repository. */
export type Point = (typeof POINTS)[number] | 'beside';

/** What a person does between the kill and the next edit. */
export const ACTS: Readonly<Record<string, (repo: Sandbox) => void>> = {
  nothing: () => {},
  amend: repo => repo.git('commit', '-q', '--amend', '--allow-empty', '-m', 'better'),
  'amend with all': repo => repo.git('commit', '-q', '-a', '--amend', '--allow-empty', '-m', 'better'),
  'commit with all': repo => repo.git('commit', '-q', '-a', '--allow-empty', '-m', 'mine'),
  squash: repo => {
    repo.git('reset', '-q', '--soft', 'HEAD~1');
    repo.git('commit', '-q', '--allow-empty', '-m', 'squashed');
  },
  'reset --hard': repo => repo.git('reset', '-q', '--hard'),
  'switch -c': repo => repo.git('switch', '-q', '-c', 'topic'),
  stash: repo => repo.git('stash', '-q'),
  'restore the file': repo => repo.git('checkout', '-q', '--', 'a.txt'),
  'gc --prune=now': repo => repo.git('gc', '-q', '--prune=now'),
};

/** The commit that was acknowledged, or `null`. Throws where the edit never came to the point. */
export function killedAt(repo: Sandbox, point: Point, signal: NodeJS.Signals = 'SIGKILL'): string | null {
  const ran = spawnSync(process.execPath, [SCRIPT, repo.dir, signal, point], { encoding: 'utf8' });
  if (ran.signal !== signal) throw new Error(`no call of the edit is ${point}: ${ran.stdout}${ran.stderr}`);
  return ran.stdout.trim() || null;
}

/** A process that stopped at the point; `goOn` lets it run to its end. */
export async function stoppedAt(
  repo: Sandbox,
  point: Point,
): Promise<{ goOn(): Promise<string | null>; kill(): Promise<void> }> {
  const child = spawn(process.execPath, [SCRIPT, repo.dir, 'SIGSTOP', point], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.on('data', chunk => {
    said += chunk;
  });
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
  while (!isStopped(child.pid!)) await new Promise(resolve => setTimeout(resolve, 20));
  return {
    goOn: async () => {
      child.kill('SIGCONT');
      await ended;
      return said.trim() || null;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function isStopped(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.startsWith('T');
}

/** The next edit, in another file; what is broken afterwards. */
export async function afterwards(
  repo: Sandbox,
  acknowledged: string | null,
  keeps: boolean,
): Promise<string[]> {
  const workspace = await openWorkspace({ root: repo.dir });
  const broken: string[] = [];
  try {
    await workspace
      .session({ agent: 'next' })
      .edit('create', { path: 'n.txt', file_text: 'n\n', overwrite: true });
    const { faults } = (await workspace.verify()).data;
    // That the person changed a file is no fault of the engine's.
    const own = faults;
    broken.push(...own.map(fault => `verify: ${JSON.stringify(fault)}`));
  } catch (error) {
    broken.push(`the next edit failed: ${(error as Error).message}`);
  } finally {
    await workspace.close();
  }
  const fsck = spawnSync('git', ['fsck', '--strict', '--full', '--no-dangling'], {
    cwd: repo.dir,
    encoding: 'utf8',
  });
  if (fsck.status !== 0 || /error|missing|broken/.test(fsck.stdout + fsck.stderr))
    broken.push(`fsck: ${fsck.stdout}${fsck.stderr}`);
  if (acknowledged && keeps && !isReached(repo, acknowledged)) broken.push('an acknowledged edit is gone');
  const gc = spawnSync('git', ['gc', '-q'], { cwd: repo.dir, encoding: 'utf8' });
  if (gc.status !== 0) broken.push(`git gc: ${gc.stderr}`);
  return broken;
}

function isReached(repo: Sandbox, commit: string): boolean {
  return repo.git('rev-list', '--all', '--reflog').includes(commit);
}
