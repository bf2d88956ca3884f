/** The user's programs: found as a shell finds them, and the pager. */

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Writable } from 'node:stream';

/** The path of a program; `null` where there is none of that name. */
export function onPath(program: string, { PATH = '' }: NodeJS.ProcessEnv): string | null {
  const names = process.platform === 'win32' ? [`${program}.cmd`, `${program}.exe`] : [program];
  const folders = PATH.split(delimiter).filter(folder => folder !== '');
  const files = folders.flatMap(folder => names.map(name => join(folder, name)));
  return files.find(file => existsSync(file)) ?? null;
}

export interface Pager {
  input: Writable;
  /** Ends the input and waits until the user leaves. */
  close(): Promise<void>;
}

/**
 * The command line of the pager, as git chooses it: VEDIT_PAGER, GIT_PAGER, `core.pager` of the user's own config, PAGER, less.
 * `null` for none; named but empty, or `cat`: none. A repository's config must not be able to start a program, so its
 * `core.pager` is not read.
 */
export function pagerCommand(env: NodeJS.ProcessEnv, corePager?: string): string | null {
  const named = env.VEDIT_PAGER ?? env.GIT_PAGER ?? corePager ?? env.PAGER;
  if (named !== undefined) return named.trim() === '' || named.trim() === 'cat' ? null : named;
  return onPath('less', env) !== null ? 'less' : null;
}

/** Starts the pager through the shell, as git does, since it may have arguments. */
export async function startPager(command: string, env: NodeJS.ProcessEnv): Promise<Pager> {
  const { spawn } = await import('node:child_process');
  const child = spawn(command, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...env, LESS: env.LESS ?? 'FRX', LV: env.LV ?? '-c' },
  });
  const left = once(child, 'close').catch(() => {});
  // Ctrl-C belongs to the pager; without it the shell's prompt would mix with a pager that still runs.
  const ignore = (): void => {};
  process.on('SIGINT', ignore);
  child.stdin.on('error', () => {});
  const close = async (): Promise<void> => {
    child.stdin.end();
    await left;
    process.off('SIGINT', ignore);
  };
  return { input: child.stdin, close };
}

/** Returns what a program of the user makes of this text; `null` where it fails. The shell starts it, as git does. */
export async function outputOf(
  command: string,
  input: string,
  env: NodeJS.ProcessEnv,
): Promise<string | null> {
  const { spawnSync } = await import('node:child_process');
  const { status, stdout } = spawnSync(command, [], {
    ...{ shell: true, input, env, stdio: ['pipe', 'pipe', 'inherit'] },
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  return status === 0 ? stdout.toString() : null;
}
