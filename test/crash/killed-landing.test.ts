/** `vedit land` killed while a hook runs: nothing is locked, nothing is to be repaired, and all goes on. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Place } from '../helpers/person-repo.ts';
import { some } from '../helpers/sampling.ts';
import { bin } from '../helpers/vedit.ts';
import {
  expectSound,
  HOOKS,
  landAndKill,
  letGo,
  readyToLand,
  slowHook,
  unstaged,
  until,
  writeHook,
} from './killed-landing.ts';

const EDIT = ['replace', 'b.txt', 'b', 'B'];

const BEFORE = HOOKS.filter(name => name !== 'post-commit');

describe.each(some(BEFORE, 1))('killed for good in %s', name => {
  it('nothing is committed, nobody waits for the hook, and the next landing lands and sweeps', async () => {
    const killed = await readyToLand();
    const { repo } = killed;
    slowHook(repo, name);
    expect((await landAndKill(repo, 'SIGKILL')).signal).toBe('SIGKILL');
    expect((await bin(repo, ['status', '--json'])).code).toBe(0);
    expect(await bin(repo, EDIT)).toMatchObject({ code: 0 });
    expect(readdirSync(repo.path('.git/vedit/land'))).toHaveLength(1);
    expectSound(killed, false);
    letGo(repo);
    expect(await bin(repo, ['land', 'a.txt', '-m', 'landed'])).toMatchObject({ code: 0 });
    expect(existsSync(repo.path('.git/vedit/land'))).toBe(false);
    expectSound(killed, true);
    expect(unstaged(repo)).toEqual(['b.txt']);
  });
});

it('killed for good in post-commit, all is done', async () => {
  const killed = await readyToLand();
  slowHook(killed.repo, 'post-commit');
  await landAndKill(killed.repo, 'SIGKILL');
  expectSound(killed, true);
  expect(await bin(killed.repo, EDIT)).toMatchObject({ code: 0 });
  letGo(killed.repo);
  expect(unstaged(killed.repo)).toEqual(['b.txt']);
});

describe('while a hook runs', () => {
  it('others edit, and other files do not disturb the landing', async () => {
    const killed = await readyToLand();
    const { repo } = killed;
    slowHook(repo, 'pre-commit');
    const landing = bin(repo, ['land', '-m', 'landed']);
    await until(() => existsSync(repo.path('../in')));
    expect(await bin(repo, EDIT)).toMatchObject({ code: 0 });
    letGo(repo);
    expect(await landing).toMatchObject({ code: 0 });
    expectSound(killed, true);
    expect(unstaged(repo)).toEqual(['b.txt']);
  });

  it('an edit of what lands makes it begin again', async () => {
    const { repo, before } = await readyToLand();
    slowHook(repo, 'pre-commit', 'echo ran >> .git/runs');
    const landing = bin(repo, ['land', '-m', 'landed']);
    await until(() => existsSync(repo.path('../in')));
    expect(await bin(repo, ['replace', 'a.txt', 'one', 'ONE'])).toMatchObject({ code: 0 });
    letGo(repo);
    expect(await landing).toMatchObject({ code: 0 });
    expect(repo.git('rev-parse', 'HEAD^')).toBe(before);
    expect([repo.git('show', 'HEAD:a.txt'), repo.read('.git/runs')]).toEqual(['ONE\nTWO', 'ran\nran\n']);
  });
});

describe.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('%s', (signal, exit) => {
  it.each(some(HOOKS, 1))('in %s is handed on to git, and what came of it is told', async name => {
    const killed = await readyToLand();
    const { repo } = killed;
    slowHook(repo, name);
    const { code, err } = await landAndKill(repo, signal);
    const landed = name === 'post-commit';
    expect([code, err]).toEqual([exit, expect.stringContaining(landed ? '] landed' : signal)]);
    expectSound(killed, landed);
    expect(unstaged(repo)).toEqual(landed ? [] : ['a.txt']);
    letGo(repo);
    expect(await bin(repo, ['status'])).toMatchObject({ code: 0 });
    expect(await bin(repo, ['land', '-m', 'landed'])).toMatchObject({ code: landed ? 1 : 0 });
    expect(await bin(repo, EDIT)).toMatchObject({ code: 0 });
    expectSound(killed, true);
  });

  it('to all of them, as from a terminal, ends the landing as well', async () => {
    const killed = await readyToLand();
    slowHook(killed.repo, 'commit-msg');
    const { code, err } = await landAndKill(killed.repo, signal, ['-m', 'landed'], { group: true });
    expect([code, err]).toEqual([exit, expect.stringContaining('nothing was changed')]);
    expectSound(killed, false);
  });

  it('before the second of several commits takes back the first', async () => {
    const killed = await readyToLand();
    const { repo } = killed;
    expect(await bin(repo, EDIT)).toMatchObject({ code: 0 });
    slowAtSecond(repo);
    const { code, err } = await landAndKill(repo, signal, ['--each']);
    expect([code, err]).toEqual([exit, expect.stringContaining('nothing was changed')]);
    expectSound(killed, false);
    expect(unstaged(repo)).toEqual(['a.txt', 'b.txt']);
  });
});

/** The first commit passes. */
function slowAtSecond(repo: Place): void {
  slowHook(repo, 'slow');
  writeHook(repo, 'pre-commit', 'test -e .git/once && exec .git/hooks/slow; touch .git/once');
}

describe('a hook that leaves a daemon', () => {
  const DAEMON = 'sleep 100 & echo $! > .git/daemon';

  it('keeps nobody waiting', async () => {
    const killed = await readyToLand();
    const { repo } = killed;
    writeHook(repo, 'post-commit', DAEMON);
    expect(await bin(repo, ['land', '-m', 'landed'])).toMatchObject({ code: 0 });
    expect(daemonLives(repo)).toBe(true);
    expect(await bin(repo, EDIT)).toMatchObject({ code: 0 });
    expectSound(killed, true);
  });
});

it('the library listens for no signals', async () => {
  const { repo } = await readyToLand();
  const { git } = await import('../helpers/landing.ts');
  const counts: number[] = [];
  const count = (): void => {
    counts.push(process.listenerCount('SIGINT') + process.listenerCount('SIGTERM'));
  };
  count();
  await (await repo.open()).land({
    git: call => {
      count();
      return git(call);
    },
  });
  expect(new Set(counts).size).toBe(1);
});

/** It is ended with the test. */
function daemonLives(repo: Place): boolean {
  const pid = Number(readFileSync(repo.path('.git/daemon'), 'utf8'));
  onTestFinished(() => {
    process.kill(pid);
  });
  return process.kill(pid, 0);
}
