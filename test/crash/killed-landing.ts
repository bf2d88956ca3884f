/** A real `vedit land` that is killed while the real git runs a hook, which goes on until the test lets it end. */

import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { type Place, personRepo } from '../helpers/person-repo.ts';
import { BIN, bin, cleanEnv, type Ran } from '../helpers/vedit.ts';

export const HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'] as const;

/** A killed `land`, and what the branch was before it and shall be after it. */
export interface Killed {
  repo: Place;
  before: string;
  planned: string;
}

/** An agent's edit of a.txt, and a change of c.txt that the person staged. */
export async function readyToLand(): Promise<Killed> {
  const repo = personRepo({ 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'd/e.txt': 'e\n' });
  repo.git('config', 'user.name', 'Ada');
  repo.git('config', 'user.email', 'ada@example.com');
  expect((await bin(repo, ['replace', 'a.txt', 'two', 'TWO'])).code).toBe(0);
  repo.write('c.txt', 'C\n');
  repo.git('add', 'c.txt');
  return { repo, before: repo.git('rev-parse', 'HEAD'), planned: repo.git('rev-parse', 'vedit/main^{tree}') };
}

/** A file beside the repository. */
const beside = (repo: Place, name: string): string => repo.path('..', name);

/** Says when it begins, and goes on until it is let, or for twenty seconds. `then`: more of the script. */
export function slowHook(repo: Place, name: string, then = ''): void {
  const wait = `n=0; while [ ! -e '${beside(repo, 'go')}' ] && [ $n -lt 1000 ]; do sleep 0.02; n=$((n+1)); done`;
  writeHook(repo, name, `touch '${beside(repo, 'in')}'; ${wait}; ${then}`);
}

export function writeHook(repo: Place, name: string, script: string): void {
  repo.write(`.git/hooks/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(repo.path('.git/hooks', name), 0o755);
}

/** From now on hooks come to their end. */
export function letGo(repo: Place): void {
  writeFileSync(beside(repo, 'go'), '');
}

/**
 * Starts `land`, and hands a signal to it when git has come to the slow hook. `group`: git and the hook get it too, as
 * from a terminal.
 */
export async function landAndKill(
  repo: Place,
  signal: NodeJS.Signals,
  args: readonly string[] = ['-m', 'landed'],
  { group = false }: { group?: boolean } = {},
): Promise<Ran & { signal: string | null }> {
  const options = { cwd: repo.dir, env: cleanEnv(repo), detached: group };
  const child = spawn(process.execPath, [BIN, 'land', ...args], options);
  const ended = ending(child);
  await until(() => existsSync(beside(repo, 'in')));
  process.kill(group ? -child.pid! : child.pid!, signal);
  return ended;
}

async function ending(child: ChildProcess): Promise<Ran & { signal: string | null }> {
  const said = { out: '', err: '' };
  child.stdout!.on('data', chunk => {
    said.out += String(chunk);
  });
  child.stderr!.on('data', chunk => {
    said.err += String(chunk);
  });
  const [code, signal] = await new Promise<[number | null, string | null]>(resolve =>
    child.once('exit', (...how) => setImmediate(() => resolve(how))),
  );
  return { code: code ?? -1, signal, ...said };
}

/** Resolves when it is so; a time that is never reached says that it never will be. */
export async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(`not in time: ${isSo}`);
    await pause(10);
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise(resolve => setTimeout(resolve, milliseconds));

/** The branch has the commit as planned or none, nothing is broken, and the person's index is theirs. */
export function expectSound({ repo, before, planned }: Killed, landed: boolean): void {
  expect(repo.git('rev-parse', landed ? 'HEAD^' : 'HEAD')).toBe(before);
  if (landed) expect(repo.git('log', '-1', '--format=%s')).toBe('landed');
  if (landed) expect(repo.git('rev-parse', 'HEAD^{tree}')).toBe(planned);
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  expect(repo.git('diff', '--cached', '--name-only')).toBe('c.txt');
  expect(leftovers(repo)).toEqual([]);
}

/** What is in the work tree and neither committed nor staged. */
export const unstaged = (repo: Place): string[] =>
  repo.git('diff', '--name-only').split('\n').filter(Boolean);

/** Locks, and files of the engine that nobody needs any more. */
export function leftovers(repo: Place): string[] {
  const names = readdirSync(repo.path('.git'), { recursive: true, encoding: 'utf8' });
  return names.filter(name =>
    name.startsWith('vedit/')
      ? !/^vedit\/(tmp$|live($|\/)|packs|events$|wanted$|journal\.\d+$|land($|\/))/.test(name)
      : name.endsWith('.lock'),
  );
}
