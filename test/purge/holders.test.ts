/** What is not the engine's: named with its command, and never touched. */

import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { openAs } from '../engine/transaction/ended-process.ts';
import { allOf } from '../helpers/all-of.ts';
import { failing, overriding } from '../helpers/overriding.ts';
import { codeOf, type Place, personRepo, place } from '../helpers/person-repo.ts';
import { at } from '../helpers/real-git.ts';

const KEY = 'hunter2-4711-swordfish';
const what = { text: KEY, reason: 'a key' };

async function landed(): Promise<Place> {
  const repo = personRepo({ 'a.txt': 'a\n' });
  repo.git('config', 'user.name', 'Ada');
  repo.git('config', 'user.email', 'ada@example.com');
  const workspace = await repo.open();
  const session = workspace.session({ id: 's1', agent: 'claude' });
  await session.edit('create', { path: 'conf.env', file_text: `PASS=${KEY}\nB=1\n` });
  await workspace.land({ message: 'Land it' });
  await session.edit('str_replace', { path: 'conf.env', old_str: 'B=1', new_str: 'B=2' });
  await repo.close();
  return repo;
}

it('names branches, tags, stashes, logs, the index and files, each with a command that works', async () => {
  const repo = await landed();
  repo.git('tag', 'v1');
  repo.git('branch', 'copy');
  repo.git('add', 'conf.env');
  repo.git('stash', 'push', '-q');
  repo.git('stash', 'apply', '-q', '--index');
  const refs = (): string =>
    repo.git('for-each-ref', 'refs/heads', 'refs/tags', 'refs/stash') + repo.git('status', '--porcelain');
  const before = refs();
  const workspace = await repo.open();
  const { data, message } = await workspace.purge(what);
  const named = data.held.filter(({ kind }) => kind !== 'HEAD').map(({ kind, name }) => `${kind} ${name}`);
  expect(named.sort()).toEqual([
    'branch copy',
    'branch main',
    'file conf.env',
    'index conf.env',
    'reflog HEAD',
    'reflog refs/heads/copy',
    'reflog refs/heads/main',
    'stash stash',
    'tag v1',
  ]);
  expect(message).toContain('git tag -d v1');
  expect(refs()).toBe(before);
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  // The history's own commits hold it no more, though the branch does.
  const own = repo.git('rev-list', 'refs/vedit/main', '^main').split('\n');
  for (const id of own)
    expect(
      repo.git('ls-tree', id, 'conf.env') && repo.git('show', `${id}:conf.env`).includes(KEY),
    ).toBeFalsy();
  // The file has it, so the next edit would record it again: said, and what was landed still counts as landed.
  expect((await workspace.verify()).data.faults).toEqual([]);
  await repo.close();
  // Each command does what is said of it.
  repo.write('conf.env', 'PASS=\nB=2\n');
  repo.git('add', 'conf.env');
  for (const { kind, command } of data.held) {
    if (kind === 'file' || kind === 'index') continue;
    if (kind === 'branch') repo.git('stash', 'push', '-q', '-u');
    execute(repo, command);
    if (kind === 'branch') execute(repo, 'git stash drop -q');
  }
  execute(repo, 'git reflog expire --expire=now --all');
  const again = await repo.open();
  const second = await again.purge(what);
  expect(second.data.held).toEqual([]);
  expect((await again.verify()).data.faults).toEqual([]);
  await repo.close();
  expect(allOf(repo)).not.toContain(KEY);
});

function execute(repo: Place, command: string): void {
  repo.git('-c', `alias.run=!${command.replace(/^git /, 'git ')}`, 'run');
}

it('says that a file records its text again, and removes one that git does not track', async () => {
  const repo = await landed();
  repo.git('rm', '-q', '--cached', 'conf.env');
  const workspace = await repo.open();
  const { data, message } = await workspace.purge(what);
  expect(message).toContain('A file that still holds the text is recorded again by the next edit.');
  const file = data.held.find(({ kind }) => kind === 'file')!;
  execute(repo, file.command);
  expect(existsSync(repo.path('conf.env'))).toBe(false);
  expect((await workspace.purge(what)).message).not.toContain('A file that still holds');
  await repo.close();
});

it('names a file that holds it by hand, which no history knows of yet', async () => {
  const repo = personRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const session = await repo.session();
  await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: KEY });
  await session.edit('str_replace', { path: 'a.txt', old_str: KEY, new_str: 'from-env' });
  repo.write('b.txt', `b ${KEY}\n`);
  const { data, message } = await (await repo.open()).purge(what);
  expect(data.held.map(({ kind, name }) => [kind, name])).toEqual([['file', 'b.txt']]);
  expect(message).not.toContain('It is nowhere in this repository any more.');
  await repo.close();
});

it('keeps unsaved work that git put aside for a merge or a rebase', async () => {
  for (const how of ['merge', 'rebase']) {
    const repo = personRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    repo.git('checkout', '-q', '-b', 'other');
    repo.write('a.txt', 'other\n');
    repo.git('commit', '-qam', 'other');
    repo.git('checkout', '-q', 'main');
    repo.write('a.txt', 'main\n');
    repo.git('commit', '-qam', 'main');
    await edited(repo);
    repo.write('b.txt', `unsaved ${KEY}\n`);
    expect(() => repo.git(how, '--autostash', 'other')).toThrow();
    const workspace = await repo.open();
    const { data, message } = await workspace.purge(what);
    const name = how === 'merge' ? 'MERGE_AUTOSTASH' : 'rebase-merge/autostash';
    const aside = data.held.find(one => one.name === name)!;
    expect(message).not.toContain('nowhere');
    await repo.close();
    execute(repo, aside.command.replace(/ \(.*/, ''));
    expect(repo.git('stash', 'show', '-p')).toContain(`unsaved ${KEY}`);
  }
});

it('keeps what only a ref of another work tree leads to', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  await edited(repo);
  repo.git('worktree', 'add', '-q', '--detach', '../side');
  const side = place(at(repo.path('..', 'side')));
  side.write('a.txt', `${KEY}\n`);
  side.git('commit', '-qam', 'mine');
  side.git('update-ref', 'refs/worktree/mine', 'HEAD');
  side.git('checkout', '-q', 'main~0');
  side.git('reflog', 'expire', '--expire=now', '--all');
  const workspace = await repo.open();
  const { data } = await workspace.purge(what);
  expect(data.held).toMatchObject([{ kind: 'ref', name: 'worktrees/side/refs/worktree/mine' }]);
  expect(side.git('show', 'refs/worktree/mine:a.txt')).toContain(KEY);
  execute(repo, data.held[0]!.command);
  expect((await workspace.purge(what)).data.held).toEqual([]);
  await repo.close();
  expect(allOf(repo)).not.toContain(KEY);
});

async function edited(repo: Place): Promise<void> {
  const session = (await repo.open()).session({ id: 's1', agent: 'claude' });
  await session.edit('create', { path: 'k.txt', file_text: `${KEY}\n` });
  await session.edit('delete', { path: 'k.txt' });
  await repo.close();
}

it('claims nothing of an object that it cannot read', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  await edited(repo);
  repo.write(`.git/objects/ab/${'c'.repeat(38)}`, 'damaged');
  const { data, message } = await (await repo.open()).purge(what);
  expect([data.held, data.unread.length]).toEqual([[], 1]);
  expect(message).toContain('Not to be read: ab');
  expect(message).not.toContain('nowhere');
  await repo.close();
});

it('leaves names of files as they are, in what the commits say of them too', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const session = (await repo.open()).session({ id: 's1', agent: 'claude' });
  await session.edit('create', { path: `${KEY}.txt`, file_text: `${KEY}\n`, reason: `as ${KEY}` });
  await session.edit('create', { path: `${KEY}.txt`, file_text: 'gone\n', overwrite: true });
  const workspace = await repo.open();
  const { data } = await workspace.purge(what);
  expect(data.held).toMatchObject([{ kind: 'ref', name: 'refs/vedit/main' }]);
  expect((await workspace.verify()).data.faults).toEqual([]);
  const log = repo.git('log', '-p', '--format=%B', 'refs/vedit/main');
  expect(log).toContain('as [purged]');
  expect(log).not.toContain(`+${KEY}`);
  expect(log).toContain(`Vedit-Path: ${KEY}.txt`);
  expect((await workspace.purge(what)).data.commits).toBe(0);
  await repo.close();
});

it('tells edits that landed under their old ids', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  repo.git('config', 'user.name', 'Ada');
  repo.git('config', 'user.email', 'ada@example.com');
  const workspace = await repo.open();
  const session = workspace.session({ id: 's1', agent: 'claude' });
  await session.edit('create', { path: 'k.txt', file_text: `${KEY}\n` });
  await session.edit('create', { path: 'k.txt', file_text: 'gone\n', overwrite: true });
  const { data } = await session.edit('create', { path: 'b.txt', file_text: 'b\n' });
  await workspace.land({ message: 'Land b', paths: ['b.txt'] });
  await workspace.purge(what);
  const open = await repo.open();
  const { entries } = (await open.session({ id: 's2' }).log({ path: 'b.txt' })).data;
  expect(entries.find(one => one.op === 'create')!.status.landed_in).toBe(repo.git('rev-parse', 'main'));
  expect((await open.session({ id: 's2' }).show(data.commit!)).message).toContain('+b');
  await repo.close();
});

it('refuses what cannot be purged, and changes nothing', async () => {
  const repo = await landed();
  const before = allOf(repo);
  const workspace = await repo.open();
  const refused = async (options: object, code: string): Promise<void> =>
    expect(await codeOf(workspace.purge(options as typeof what))).toBe(code);
  await refused({ reason: 'r' }, 'INVALID_INPUT');
  await refused({ text: KEY }, 'INVALID_INPUT');
  await refused({ text: KEY, reason: ' ' }, 'INVALID_INPUT');
  await refused({ text: KEY, reason: `it was ${KEY}` }, 'INVALID_INPUT');
  await refused({ text: 'B=1\n', reason: 'r' }, 'INVALID_INPUT');
  await refused({ text: '[purged]', reason: 'r' }, 'INVALID_INPUT');
  await refused({ text: KEY, path: 'conf.env', reason: 'r' }, 'INVALID_INPUT');
  await refused({ path: '../conf.env', reason: 'r' }, 'OUTSIDE_WORKSPACE');
  repo.write('.vedit/policy.json', '{ "version": 1, "read_only": ["conf.env"] }');
  await refused({ path: 'conf.env', reason: 'r' }, 'DENIED');
  await refused(what, 'DENIED');
  await repo.close();
  const { rmSync } = await import('node:fs');
  rmSync(repo.path('.vedit'), { recursive: true });
  expect(allOf(repo)).toBe(before);
});

it('names files that cannot be read, and does not say that the text is nowhere', async () => {
  const repo = personRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const session = await repo.session();
  await session.edit('create', { path: 'conf.env', file_text: `PASS=${KEY}\n` });
  await session.edit('str_replace', { path: 'conf.env', old_str: KEY, new_str: 'gone' });
  await repo.close();
  const disk = nodeFs();
  const deny = failing('EACCES');
  const readFile: typeof disk.readFile = path => (path.endsWith('/b.txt') ? deny() : disk.readFile(path));
  const workspace = await openAs(repo, { fs: overriding(disk, { readFile }) });
  const { data, message } = await workspace.purge(what);
  expect(data.unread).toEqual(['b.txt: permission denied (EACCES)']);
  expect(message).not.toContain('nowhere');
  await workspace.close();
  expect(allOf(repo)).not.toContain(KEY);
});
