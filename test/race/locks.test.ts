/** Locks of living, stopped and dead processes of the engine, and of git. */

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type EditError, openWorkspace } from '../../src/index.ts';
import type { Sandbox } from '../helpers/real-git.ts';
import {
  differing,
  gitFaults,
  residue,
  startRepository,
  trailOf,
  unreachable,
} from '../helpers/shared-repository.ts';
import { type Agent, startAgent } from './agents.ts';

const HOMES = [
  ['on the branch', true],
  ['beside the branch', false],
] as const;

function started(own: boolean): Sandbox {
  const repo = startRepository(own);
  onTestFinished(() => rmSync(repo.dir, { recursive: true, force: true }));
  return repo;
}

async function edit(repo: Sandbox, patience: { engine?: number; git?: number }): Promise<string> {
  const workspace = await openWorkspace({ root: repo.dir, patience });
  const { data } = await workspace
    .session()
    .edit('create', { path: 'mine.txt', file_text: 'mine\n' })
    .finally(() => workspace.close());
  return data.commit!;
}

/** An agent that is stopped while it holds the engine's lock. */
async function stoppedHolder(repo: Sandbox): Promise<Agent> {
  const agent = startAgent(repo, { name: 'holder', count: 10_000 });
  onTestFinished(() => void agent.process.kill('SIGKILL'));
  await agent.edited;
  for (;;) {
    agent.process.kill('SIGSTOP');
    await pause(20);
    if (existsSync(repo.path('.git/vedit/lock'))) return agent;
    agent.process.kill('SIGCONT');
    await pause(Math.random() * 10);
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise(resolve => setTimeout(resolve, milliseconds));

describe.each(HOMES)('the lock of another process, %s', (_, own) => {
  it('is left alone while it lives, and taken over when it is dead', async () => {
    const repo = started(own);
    const agent = await stoppedHolder(repo);
    const { pid } = agent.process;
    const refused = await edit(repo, { engine: 100 }).catch(error => error as EditError);
    expect(refused).toMatchObject({ code: 'LOCKED', data: { holder: { pid } } });
    expect((refused as EditError).message).toContain(`process ${pid}`);
    agent.process.kill('SIGKILL');
    await agent.done;
    await edit(repo, { engine: 100 });
    const trail = trailOf(own);
    const broken = [gitFaults(repo), unreachable(repo, agent.acks), differing(repo, trail), residue(repo)];
    expect(broken.flat()).toEqual([]);
  });

  it('is waited for', async () => {
    const repo = started(own);
    const agent = await stoppedHolder(repo);
    const waiting = edit(repo, { engine: 30_000 });
    await pause(50);
    agent.process.kill('SIGCONT');
    expect(await waiting).toMatch(/^[0-9a-f]{40}$/);
  });
});

describe.each([
  ['index.lock', true],
  ['HEAD.lock', true],
  ['refs/heads/main.lock', true],
  ['refs/vedit/main.lock', false],
] as const)('%s of git', (file, own) => {
  it('is waited for, then named with its age, and never removed', async () => {
    const repo = started(own);
    const before = repo.git('rev-parse', 'HEAD');
    const path = repo.path('.git', file);
    repo.write(`.git/${file}`, 'of git');
    const refused = (await edit(repo, { git: 100 }).catch(error => error)) as EditError;
    expect(refused).toMatchObject({ code: 'LOCKED', retryable: true });
    expect(refused.message).toMatch(new RegExp(`${file} \\(for \\d+ s\\)`));
    expect(readFileSync(path, 'utf8')).toBe('of git');
    expect(existsSync(repo.path('mine.txt'))).toBe(false);
    expect(repo.git('rev-parse', 'HEAD')).toBe(before);
    const waiting = edit(repo, { git: 30_000 });
    await pause(50);
    rmSync(path);
    const commit = await waiting;
    expect(repo.git('rev-parse', trailOf(own))).toBe(commit);
    expect([...gitFaults(repo), ...residue(repo)]).toEqual([]);
  });
});
