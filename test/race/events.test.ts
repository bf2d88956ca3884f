/** Followers and writers as real processes: every commit once in each follower's eyes, whoever is killed and whatever git does. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { TrailEvent } from '../../src/index.ts';
import { at, type Sandbox } from '../helpers/real-git.ts';
import { startRepository } from '../helpers/shared-repository.ts';
import { type Agent, startAgent } from './agents.ts';

const VEDIT = join(import.meta.dirname, '..', '..', 'bin', 'vedit.js');

/** `vedit events --follow --json`, which goes on from the last whole line when it was killed. */
class Follower {
  readonly events: TrailEvent[] = [];
  restarts = 0;
  readonly #dir: string;
  #child: ChildProcess | null = null;

  constructor({ dir }: Sandbox) {
    this.#dir = dir;
    this.#start();
  }

  #start(): void {
    const cursor = this.events.at(-1)?.cursor;
    const since = cursor === undefined ? [] : ['--since', cursor];
    const child = spawn(process.execPath, [VEDIT, '-C', this.#dir, 'events', '-f', '--json', ...since]);
    this.#child = child;
    let rest = '';
    child.stderr.pipe(process.stderr);
    child.stdout.on('data', chunk => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      for (const line of lines) this.events.push(JSON.parse(line));
    });
  }

  get commits(): string[] {
    return this.events.filter(one => one.durable).map(one => one.commit!);
  }

  async begun(): Promise<void> {
    while (this.events.length === 0) await sleep(10);
  }

  /** In the middle of whatever it does. */
  async kill(): Promise<void> {
    await this.end();
    this.restarts++;
    this.#start();
  }

  async end(): Promise<void> {
    const child = this.#child!;
    const closed = new Promise(resolve => child.once('close', resolve));
    child.kill('SIGKILL');
    await closed;
  }
}

/** Every commit of these refs that the engine made. */
function made(repo: Sandbox, own: boolean): string[] {
  const refs = own ? ['--branches'] : ['--glob=refs/vedit'];
  const format = '--format=%H %(trailers:key=Vedit-Op,valueonly,separator=%x2C)';
  const lines = repo.git('log', '--reverse', '--topo-order', format, ...refs).split('\n');
  return lines.filter(line => line.split(' ')[1]).map(line => line.split(' ')[0]!);
}

function childrenBeforeParents(repo: Sandbox, commits: readonly string[]): string[] {
  const place = new Map(commits.map((one, index) => [one, index]));
  return commits.filter(one =>
    repo
      .git('rev-parse', `${one}^@`)
      .split('\n')
      .some(parent => (place.get(parent) ?? -1) > place.get(one)!),
  );
}

async function ended(agents: readonly Agent[]): Promise<void> {
  for (const agent of agents) await agent.done;
}

it.each([
  ['beside the branch', false],
  ['on the branch', true],
])(
  '10 followers of 8 writers miss nothing and are told nothing twice, %s',
  async (_, own) => {
    const repo = startRepository(own);
    const linked = at(`${repo.dir}-linked`);
    onTestFinished(() => {
      for (const { dir } of [repo, linked]) rmSync(dir, { recursive: true, force: true });
    });
    mkdirSync(linked.dir);
    repo.git('worktree', 'add', '-q', '-b', 'linked', linked.dir);
    const followers = Array.from({ length: 10 }, () => new Follower(repo));
    for (const one of followers) await one.begun();
    const agents = Array.from({ length: 8 }, (_, n) =>
      startAgent(n < 6 ? repo : linked, { name: `w${n}`, count: 12, pause: 20 }),
    );
    await Promise.all(agents.map(one => one.edited));
    // Writers and readers die, and git packs the refs under all of them.
    for (let round = 0; round < 6; round++) {
      repo.git('pack-refs', '--all');
      await followers[round]!.kill();
      if (round < 3) agents[round]!.process.kill('SIGKILL');
      await sleep(60);
    }
    await ended(agents);
    const last = startAgent(repo, { name: 'last', count: 2 });
    await last.done;
    const expected = made(repo, own);
    for (const one of followers) {
      for (let looks = 0; looks < 500 && one.commits.length < expected.length; looks++) await sleep(20);
      await one.end();
    }
    for (const { commits } of followers) {
      expect(commits.length).toBe(new Set(commits).size);
      expect([...commits].sort()).toEqual([...expected].sort());
      expect(childrenBeforeParents(repo, commits)).toEqual([]);
    }
    expect(followers.filter(one => one.restarts > 0)).toHaveLength(6);
  },
  180_000,
);
