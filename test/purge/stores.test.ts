/** Purging wherever objects lie: in packs with deltas, in alternates, in linked work trees, in bare repositories, in memory. */

import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { initRepository } from '../../src/index.ts';
import { allOf } from '../helpers/all-of.ts';
import { inMemory } from '../helpers/in-memory.ts';
import { type Place, personRepo, place } from '../helpers/person-repo.ts';
import { at, sandbox } from '../helpers/real-git.ts';

const KEY = 'hunter2-4711-swordfish';
const what = { text: KEY, reason: 'a key' };

async function withKey(repo: Place, options = {}): Promise<void> {
  const workspace = await repo.open(options);
  const session = workspace.session({ id: 's1', agent: 'claude' });
  const lines = Array.from({ length: 60 }, (_, i) => `line ${i}\n`).join('');
  await session.edit('create', { path: 'conf.env', file_text: `${lines}PASS=${KEY}\n` });
  await session.edit('str_replace', { path: 'conf.env', old_str: 'line 7\n', new_str: 'line seven\n' });
  await session.edit('str_replace', { path: 'conf.env', old_str: KEY, new_str: 'from-env' });
  await repo.close();
}

async function purged(repo: Place, options = {}) {
  const workspace = await repo.open(options);
  const { data } = await workspace.purge(what);
  const { faults } = (await workspace.verify()).data;
  await repo.close();
  return { ...data, faults };
}

it.each([
  ['loose, as a journal leaves them', () => {}],
  ['in a pack with deltas', (repo: Place) => repo.git('repack', '-adfq', '--depth=50')],
  [
    'in packs, with an index over them, a bitmap and a commit-graph',
    (repo: Place) => {
      repo.git('pack-refs', '--all');
      repo.git('repack', '-adq');
      repo.git('multi-pack-index', 'write');
      repo.git('commit-graph', 'write', '--reachable');
    },
  ],
  [
    'in a pack that is kept',
    (repo: Place) => {
      repo.git('repack', '-adq');
      const [pack] = readdirSync(repo.path('.git/objects/pack')).filter(name => name.endsWith('.pack'));
      repo.write(`.git/objects/pack/${pack!.replace('.pack', '.keep')}`, 'kept\n');
    },
  ],
  [
    'unreachable and in a cruft pack',
    (repo: Place) => {
      repo.git('config', 'gc.cruftPacks', 'true');
      repo.git('hash-object', '-w', 'conf.env');
      repo.git('repack', '--cruft', '-dq');
    },
  ],
])('objects that lie %s', async (name, lay) => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  await withKey(repo);
  lay(repo);
  const data = await purged(repo);
  expect(data).toMatchObject({ held: [], faults: [], unread: [] });
  expect(data.removed).toBeGreaterThan(5);
  expect(allOf(repo)).not.toContain(KEY);
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  if (name.includes('kept'))
    expect(
      readdirSync(repo.path('.git/objects/pack')).filter(one => one.endsWith('.keep')).length,
    ).toBeGreaterThan(0);
});

it('leaves an alternate alone that has it', async () => {
  const lender = personRepo({ 'a.txt': 'a\n' });
  await withKey(lender);
  execFileSync('git', ['clone', '-q', '--shared', lender.dir, 'borrower'], {
    cwd: lender.path('..'),
    stdio: 'ignore',
  });
  const borrower = place(at(lender.path('..', 'borrower')));
  borrower.git('fetch', '-q', '--no-write-fetch-head', 'origin', 'refs/vedit/main:refs/vedit/main');
  const before = allOf(lender);
  const data = await purged(borrower);
  expect(data.held).toEqual([]);
  expect(borrower.git('log', '-p', '--all')).not.toContain(KEY);
  expect(allOf(lender)).toBe(before);
});

it('purges the histories of all work trees, from any of them', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  repo.git('worktree', 'add', '-q', '-b', 'side', '../side');
  const side = place(at(repo.path('..', 'side')));
  await withKey(repo);
  await withKey(side);
  const data = await purged(side);
  expect(data.trails.map(({ ref }) => ref)).toEqual(['refs/vedit/main', 'refs/vedit/worktree/side']);
  expect(data.held).toEqual([]);
  expect(allOf(repo)).not.toContain(KEY);
  for (const tree of [repo, side]) {
    await using(tree, async workspace => expect((await workspace.verify()).data.faults).toEqual([]));
    await using(tree, workspace => workspace.session({ id: 's1' }).undo());
    expect(tree.read('conf.env')).toContain('PASS=[purged]');
  }
});

async function using(repo: Place, work: (workspace: Awaited<ReturnType<Place['open']>>) => Promise<unknown>) {
  await work(await repo.open());
  await repo.close();
}

it('purges a bare repository, and one in memory', async () => {
  const bare = place(sandbox('bare.git'));
  await initRepository({ root: bare.dir, bare: true });
  await withKey(bare);
  expect(bare.git('log', '-p', '--all')).toContain(KEY);
  const data = await purged(bare);
  expect(data).toMatchObject({ held: [], faults: [] });
  expect(bare.git('log', '-p', '--all')).not.toContain(KEY);
  expect(bare.git('fsck', '--strict', '--no-dangling')).toBe('');

  const { workspace } = await inMemory();
  const session = workspace.session({ agent: 'a' });
  await session.edit('create', { path: 'k', file_text: `${KEY}\n` });
  await session.edit('create', { path: 'k', file_text: 'gone\n', overwrite: true });
  expect((await workspace.purge(what)).data).toMatchObject({ commits: 2, held: [] });
  expect((await workspace.verify()).data.faults).toEqual([]);
  expect((await session.log()).data.entries.map(({ op }) => op)).toEqual(['purge', 'write', 'create']);
  await workspace.close();
});
