/** `vedit land` killed while git waits for a hook: the commit is made as planned or not at all, and all goes on. */

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Place } from '../helpers/person-repo.ts';
import { some } from '../helpers/sampling.ts';
import { bin } from '../helpers/vedit.ts';
import {
  expectSound,
  HOOKS,
  hold,
  landAndKill,
  letGo,
  readyToLand,
  slowHook,
  unstaged,
  waiting,
  writeHook,
} from './killed-landing.ts';

const EDIT = ['replace', 'b.txt', 'b', 'B'];

describe.each(some(HOOKS, 1))('killed for good in %s', name => {
  it('an edit waits for git, and the commit is the planned one', async () => {
    const killed = await readyToLand();
    slowHook(killed.repo, name);
    expect((await landAndKill(killed.repo, 'SIGKILL')).signal).toBe('SIGKILL');
    expect(await waiting(killed.repo, EDIT)).toMatchObject({ code: 0 });
    expectSound(killed, true);
    expect(unstaged(killed.repo)).toEqual(['b.txt']);
  });

  it('another landing waits, and has nothing left to land', async () => {
    const killed = await readyToLand();
    slowHook(killed.repo, name);
    await landAndKill(killed.repo, 'SIGKILL');
    const { code, err } = await waiting(killed.repo, ['land', '-m', 'again']);
    expect([code, err]).toEqual([1, expect.stringContaining('no edit')]);
    expectSound(killed, true);
    expect(unstaged(killed.repo)).toEqual([]);
  });

  it('status answers at once, and changes nothing', async () => {
    const killed = await readyToLand();
    slowHook(killed.repo, name);
    await landAndKill(killed.repo, 'SIGKILL');
    const { code, out } = await bin(killed.repo, ['status', '--json']);
    expect([code, JSON.parse(out).data.interrupted]).toEqual([0, true]);
    expect(await waiting(killed.repo, EDIT)).toMatchObject({ code: 0 });
    expectSound(killed, true);
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

describe('killed for good', () => {
  it('in the second of several commits, both are made and the index has both', async () => {
    const killed = await readyToLand();
    const { repo, before } = killed;
    expect(await bin(repo, EDIT)).toMatchObject({ code: 0 });
    slowAtSecond(repo);
    await landAndKill(repo, 'SIGKILL', ['--each']);
    expect(await waiting(repo, ['replace', 'd/e.txt', 'e', 'E'])).toMatchObject({ code: 0 });
    const planned = repo.git('rev-parse', 'vedit/main~1^{tree}');
    expect(repo.git('rev-parse', 'HEAD~2', 'HEAD^{tree}')).toBe(`${before}\n${planned}`);
    expect(repo.git('status', '--porcelain')).toBe('M  c.txt\n M d/e.txt');
  });

  it('twice, the second time in the landing of what the first one left', async () => {
    const killed = await readyToLand();
    const { repo } = killed;
    slowHook(repo, 'commit-msg');
    await landAndKill(repo, 'SIGKILL');
    expect(await waiting(repo, EDIT)).toMatchObject({ code: 0 });
    expectSound(killed, true);
    hold(repo);
    const second = { repo, before: repo.git('rev-parse', 'HEAD'), planned: treeOfTrail(repo) };
    await landAndKill(repo, 'SIGKILL');
    expect(await waiting(repo, ['land'])).toMatchObject({ code: 1 });
    expectSound(second, true);
    expect(unstaged(repo)).toEqual([]);
  });

  it('with a hook that then says no, nothing is committed', async () => {
    const killed = await readyToLand();
    slowHook(killed.repo, 'pre-commit', 'exit 1');
    await landAndKill(killed.repo, 'SIGKILL');
    expect(await waiting(killed.repo, EDIT)).toMatchObject({ code: 0 });
    expectSound(killed, false);
    expect(unstaged(killed.repo)).toEqual(['a.txt', 'b.txt']);
  });

  it('without anything that says which process git is, its socket tells', async () => {
    const killed = await readyToLand();
    const { repo } = killed;
    slowHook(repo, 'pre-commit');
    await landAndKill(repo, 'SIGKILL');
    rmSync(landFile(repo, /\.git$/));
    expect(await waiting(repo, EDIT)).toMatchObject({ code: 0 });
    expectSound(killed, true);
    expect(unstaged(repo)).toEqual(['b.txt']);
  });

  it('who has no patience is told what is going on, and may come back', async () => {
    const killed = await readyToLand();
    const { repo } = killed;
    slowHook(repo, 'pre-commit');
    await landAndKill(repo, 'SIGKILL');
    const session = await repo.session('s1', { patience: { engine: 100 } });
    const edit = { path: 'b.txt', old_str: 'b', new_str: 'B' };
    const journals = new Set<number>();
    for (const _ of ['once', 'twice', 'and again']) {
      await expect(session.edit('str_replace', edit)).rejects.toMatchObject({
        code: 'LOCKED',
        message: expect.stringMatching(/landing still runs its hooks.*process \d+/),
      });
      journals.add(readdirSync(repo.path('.git/vedit')).filter(name => name.startsWith('journal.')).length);
    }
    expect([...journals]).toEqual([2]);
    letGo(repo);
    expect(await bin(repo, EDIT)).toMatchObject({ code: 0 });
    expectSound(killed, true);
    expect(unstaged(repo)).toEqual(['b.txt']);
  });

  it('what the person takes out of the index after the repair stays out', async () => {
    const killed = await readyToLand();
    const { repo } = killed;
    slowHook(repo, 'post-commit');
    await landAndKill(repo, 'SIGKILL');
    expect(await waiting(repo, ['land'])).toMatchObject({ code: 1 });
    repo.git('restore', '--staged', '--source=HEAD^', 'a.txt');
    expect(await bin(repo, EDIT)).toMatchObject({ code: 0 });
    expect(repo.git('diff', '--cached', '--name-only')).toBe('a.txt\nc.txt');
  });
});

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

  it('keeps nobody waiting for a killed landing either', async () => {
    const killed = await readyToLand();
    const { repo } = killed;
    writeHook(repo, 'pre-commit', DAEMON);
    slowHook(repo, 'commit-msg');
    await landAndKill(repo, 'SIGKILL');
    const isAlive = daemonLives(repo);
    expect(await waiting(repo, EDIT)).toMatchObject({ code: 0 });
    expect([isAlive, existsSync(repo.path('.git/vedit/land'))]).toEqual([true, false]);
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

const treeOfTrail = (repo: Place): string => repo.git('rev-parse', 'vedit/main^{tree}');

function landFile(repo: Place, ending: RegExp): string {
  const name = readdirSync(repo.path('.git/vedit/land')).find(one => ending.test(one));
  return repo.path('.git/vedit/land', name!);
}

/** It is ended with the test. */
function daemonLives(repo: Place): boolean {
  const pid = Number(readFileSync(repo.path('.git/daemon'), 'utf8'));
  onTestFinished(() => {
    process.kill(pid);
  });
  return process.kill(pid, 0);
}
