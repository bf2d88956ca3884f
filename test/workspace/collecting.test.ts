import { existsSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../src/index.ts';
import { ADA } from '../helpers/landing.ts';
import { personRepo } from '../helpers/person-repo.ts';
import type { Sandbox } from '../helpers/real-git.ts';

/** As a git gc writes it; without a process of that number nobody runs. */
function collecting(repo: Sandbox, pid: number = process.pid): void {
  repo.write('.git/gc.pid', `${pid} ${hostname()}`);
}

async function edit(repo: Sandbox, path: string): Promise<void> {
  const workspace = await openWorkspace({ root: repo.dir });
  await workspace.session().edit('create', { path, file_text: `${path}\n` });
  await workspace.close();
}

/** What a gc does at its end that looked at the refs before the edit. */
function deleteLoose(repo: Sandbox): void {
  for (const name of readdirSync(repo.path('.git/objects')))
    if (name.length === 2) rmSync(repo.path('.git/objects', name), { recursive: true });
}

const packs = (repo: Sandbox, ending: string): string[] =>
  readdirSync(repo.path('.git/objects/pack')).filter(name => name.endsWith(ending));

describe('beside a git gc', () => {
  it('an edit outlives that its objects are deleted late', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    repo.git('gc', '-q');
    collecting(repo);
    await edit(repo, 'new.txt');
    deleteLoose(repo);
    expect(repo.git('show', 'vedit/main:new.txt')).toBe('new.txt');
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
    expect(packs(repo, '.keep')).toHaveLength(1);
  });

  it('a landing outlives it, too', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    repo.git('branch', 'release');
    await edit(repo, 'new.txt');
    repo.git('gc', '-q');
    collecting(repo);
    const workspace = await openWorkspace({ root: repo.dir, user: ADA });
    await workspace.land({ onto: 'release' });
    await workspace.close();
    deleteLoose(repo);
    expect(repo.git('show', 'release:new.txt')).toBe('new.txt');
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('the packs are git’s again when it has ended', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    collecting(repo);
    await edit(repo, 'one.txt');
    await edit(repo, 'two.txt');
    expect(packs(repo, '.keep')).toHaveLength(2);
    rmSync(repo.path('.git/gc.pid'));
    await edit(repo, 'three.txt');
    expect(packs(repo, '.keep')).toEqual([]);
    expect(readdirSync(repo.path('.git/vedit'))).toEqual(['events', 'live', 'packs', 'tmp', 'wanted']);
    repo.git('gc', '-q', '--prune=now');
    expect(packs(repo, '.pack')).toHaveLength(1);
    expect(repo.git('show', 'vedit/main:one.txt')).toBe('one.txt');
  });

  it('who joins packs of the engine is none', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    repo.write('.git/gc.pid', `${process.pid} ${hostname()} versioned-edit`);
    await edit(repo, 'one.txt');
    expect(packs(repo, '.keep')).toEqual([]);
  });

  it('one that died, or began half a day ago, is none', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    collecting(repo, 2 ** 22 - 3);
    await edit(repo, 'one.txt');
    collecting(repo);
    const long = Date.now() / 1000 - 13 * 3600;
    utimesSync(repo.path('.git/gc.pid'), long, long);
    await edit(repo, 'two.txt');
    expect(packs(repo, '.keep')).toEqual([]);
    expect(existsSync(repo.path('.git/gc.pid'))).toBe(true);
  });
});
