/** The lock between a host, its sandboxes and its containers: real processes, in short. */

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sleep } from '../../src/fs/all-done.ts';
import { openWorkspace } from '../../src/index.ts';
import { scratch } from '../helpers/locks.ts';
import type { Sandbox } from '../helpers/real-git.ts';
import { gitFaults, residue, startRepository } from '../helpers/shared-repository.ts';
import { editTogether } from './editing.ts';
import {
  BOX,
  container,
  dieInAnEdit,
  HOST,
  innermost,
  mounted,
  noOverlay,
  noSandbox,
  overlay,
  startHolder,
  vedit,
} from './sandboxed-processes.ts';

const reason = noSandbox();

function started(): Sandbox {
  const repo = startRepository(false);
  onTestFinished(() => rmSync(repo.dir, { recursive: true, force: true }));
  return repo;
}

describe.skipIf(reason)(`sandboxes${reason ? ` (left out: ${reason})` : ''}`, () => {
  it.each([
    ['on the branch', true],
    ['beside the branch', false],
  ])('a host and two sandboxes edit one repository, %s', async (_, own) => {
    expect(await editTogether(own, [HOST, BOX, container('c0ffee01')], 12)).toEqual([]);
  });

  it('a container that was killed in an edit locks nobody out', async () => {
    const repo = started();
    dieInAnEdit(container('c0ffee01'), repo);
    expect(readdirSync(repo.path('.git/vedit'))).toContain('lock');
    const { code, err } = vedit(container('c0ffee02'), repo, 'create', 'next.txt', '--text', 'x');
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('create next.txt') });
    expect([...gitFaults(repo), ...residue(repo)]).toEqual([]);
  });

  it('a process of the same sandbox that was killed is known to be dead without asking', async () => {
    const repo = started();
    dieInAnEdit(HOST, repo);
    const workspace = await openWorkspace({ root: repo.dir, patience: { engine: 0 } });
    expect((await workspace.doctor()).data.lock).toMatchObject({ state: 'dead' });
    await workspace.session().edit('create', { path: 'next.txt', file_text: 'x' });
    await workspace.close();
    expect([...gitFaults(repo), ...residue(repo)]).toEqual([]);
  });

  it.each(['SIGSTOP', null] as const)('one that lives in a container keeps its lock (%s)', async signal => {
    const folder = scratch();
    const owner = startHolder(container('c0ffee01'), folder, 0);
    expect(await owner.next()).toMatchObject({ token: expect.any(String) });
    const pid = innermost(owner);
    if (signal) process.kill(pid, signal);
    const other = startHolder(BOX, folder, 300);
    expect(await other.next()).toMatchObject({
      refused: 'LOCKED',
      message: expect.stringMatching(/process \d+ on c0ffee01.*accepts connections/),
    });
    if (signal) process.kill(pid, 'SIGCONT');
    owner.tell('mine');
    expect(await owner.next()).toEqual({ mine: true });
    owner.tell('release');
    await owner.next();
  });

  it('doctor takes the lock from one that is stopped and not from one that works; it goes on, and finds that out', async () => {
    const repo = started();
    const owner = startHolder(container('c0ffee01'), repo.path('.git/vedit'), 0);
    await owner.next();
    expect(vedit(HOST, repo, 'doctor', '--unlock', '--yes')).toMatchObject({
      code: 4,
      err: expect.stringContaining('gives a sign of life each second'),
    });
    process.kill(innermost(owner), 'SIGSTOP');
    await sleep(6_000);
    expect(vedit(HOST, repo, 'doctor', '--unlock', '--yes')).toMatchObject({ code: 0 });
    expect(vedit(HOST, repo, 'create', 'next.txt', '--text', 'x')).toMatchObject({ code: 0 });
    process.kill(innermost(owner), 'SIGCONT');
    owner.tell('mine');
    expect(await owner.next()).toEqual({ mine: false });
  });

  it('it is asked through a bind mount, and its end is seen there', async () => {
    const folder = scratch();
    const [here, there] = [join(folder, 'here'), join(folder, 'there')];
    const owner = startHolder(
      mounted(`mkdir -p ${here} ${there} && mount --bind ${here} ${there}`, 'c0ffee01'),
      there,
      0,
    );
    const { token } = await owner.next();
    const refused = startHolder(HOST, here, 300);
    expect(await refused.next()).toMatchObject({
      refused: 'LOCKED',
      data: { told_by: expect.stringContaining('accepts') },
    });
    const waiting = startHolder(BOX, here, 60_000);
    process.kill(innermost(owner), 'SIGKILL');
    expect(await waiting.next()).toMatchObject({ tookOver: [token] });
  });

  const unlayered = reason ?? noOverlay();
  it.skipIf(unlayered)(
    `a socket in a layer of an overlay proves nothing${unlayered ? ` (left out: ${unlayered})` : ''}`,
    async () => {
      const folder = scratch();
      const walls = mounted(`cd ${folder} && mkdir l u w m && ${overlay(folder)}`, 'c0ffee01');
      const owner = startHolder(walls, join(folder, 'm', 'vedit'), 0);
      expect(await owner.next()).toMatchObject({ disk: 'layered' });
      const other = startHolder(HOST, join(folder, 'u', 'vedit'), 5_000);
      expect(await other.next()).toMatchObject({
        refused: 'LOCKED',
        data: { takeover_in_seconds: expect.any(Number) },
      });
      owner.tell('mine');
      expect(await owner.next()).toEqual({ mine: true });
    },
  );
});
