import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { dirty, edit, git, LINES } from '../helpers/landing.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

async function twoFiles(): Promise<Place> {
  const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
  const session = await repo.session();
  await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
  await session.edit('str_replace', { path: 'b.txt', old_str: 'two', new_str: 'TWO' });
  return repo;
}

it('leaves out what the person discarded, and says so', async () => {
  const repo = await twoFiles();
  const edit = repo.git('rev-parse', 'vedit/main');
  repo.git('checkout', '-q', 'b.txt');
  const { data } = await (await repo.open()).land({ git });
  expect(repo.git('show', '--format=', '--name-only', 'HEAD')).toBe('a.txt');
  expect(data).toMatchObject({ discarded: ['b.txt'], left: 0, commits: [{ edits: [expect.any(String)] }] });
  expect(data.notes.join()).toContain(`restore b.txt from: "${edit.slice(0, 12)}"`);
  expect(dirty(repo)).toEqual([]);
});

it('names the newest of several discarded edits, which holds all of them', async () => {
  const repo = await twoFiles();
  const session = await repo.session();
  const { data: last } = await session.edit('str_replace', {
    path: 'b.txt',
    old_str: 'three',
    new_str: 'THREE',
  });
  const held = repo.read('b.txt');
  repo.git('checkout', '-q', 'b.txt');
  const { data } = await (await repo.open()).land({ git });
  const [, path, from] = /restore (\S+) from: "(\w+)"/.exec(data.notes.join())!;
  expect(last.commit).toMatch(new RegExp(`^${from}`));
  await session.restore({ path: path!, from: from! });
  expect(repo.read('b.txt')).toBe(held);
});

it.each([{}, { outside: true }])('of a deletion after an edit names the deletion, with %j', async options => {
  const repo = await twoFiles();
  await (await repo.session()).edit('delete', { path: 'b.txt' });
  repo.git('checkout', '-q', 'b.txt');
  const { data } = await (await repo.open()).land({ git, ...options });
  expect(data.notes.join()).toMatch(/bring them back first: delete b\.txt\.$/);
});

it('names the newest five of the edits of a part that was taken back, and how many were before', async () => {
  const repo = personRepo({ 'a.txt': LINES });
  const words = LINES.trim().split('\n');
  const commits = await edit(
    repo,
    ...words.map(word => ['a.txt', `${word}\n`, `${word.toUpperCase()}\n`] as const),
  );
  repo.write('a.txt', [words[0]!.toUpperCase(), ...words.slice(1), ''].join('\n'));
  const { data } = await (await repo.open()).land({ git });
  const ids = commits.slice(2).map(commit => commit.slice(0, 12));
  expect(data.notes.join()).toContain(`${ids.join(', ')} taken out by hand; 1 older edit`);
});

it('names what was taken back of a file that lands with other edits, and which edit', async () => {
  const repo = personRepo({ 'a.txt': LINES });
  const [kept, back] = await edit(repo, ['a.txt', 'one', 'ONE'], ['a.txt', 'seven', 'SEVEN']);
  repo.write('a.txt', repo.read('a.txt').replace('SEVEN', 'seven'));
  const { data } = await (await repo.open()).land({ git });
  expect(data.commits.flatMap(commit => commit.edits)).toEqual([kept]);
  expect(data.notes.join()).toContain(`${back!.slice(0, 12)} taken out by hand`);
});

it('of an edit of two files lands the one that is still there', async () => {
  const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
  const session = await repo.session();
  await session.edit('move', { path: 'a.txt', new_path: 'c.txt' });
  repo.git('checkout', '-q', 'a.txt');
  await (await repo.open()).land({ git });
  expect(repo.git('ls-tree', '--name-only', 'HEAD').split('\n')).toEqual(['a.txt', 'b.txt', 'c.txt']);
  expect(repo.git('status', '--porcelain')).toBe('');
});

it('a created file that was deleted by hand does not come back as a commit', async () => {
  const repo = personRepo({ 'a.txt': LINES });
  await (await repo.session()).edit('create', { path: 'n.txt', file_text: 'n\n' });
  rmSync(repo.path('n.txt'));
  await expect((await repo.open()).land({ git })).rejects.toMatchObject({
    code: 'NO_CHANGE',
    data: { discarded: ['n.txt'] },
  });
});

it('holds for edits that are named one by one, too', async () => {
  const repo = await twoFiles();
  repo.git('checkout', '-q', 'b.txt');
  await expect((await repo.open()).land({ git, commits: ['@'] })).rejects.toThrow(
    'the files hold nothing of',
  );
  expect(repo.git('log', '--format=%s')).toBe('start');
});

it('names the way to land lines that the person rewrote, and not where they are as they were', async () => {
  const repo = await twoFiles();
  repo.git('checkout', '-q', 'b.txt');
  repo.write('a.txt', repo.read('a.txt').replace('ONE', 'ONE!'));
  const workspace = await repo.open();
  await expect(workspace.land({ git })).rejects.toThrow('(outside: true).');
  await workspace.land({ git, outside: true });
  expect(repo.git('show', 'HEAD:a.txt')).toContain('ONE!');
  repo.git('checkout', '-q', 'HEAD~', 'a.txt');
  await edit(repo, ['a.txt', 'two', 'TWO']);
  repo.git('checkout', '-q', 'HEAD', 'a.txt');
  await expect(workspace.land({ git })).rejects.toThrow(
    /bring them back first: restore a.txt from: "\w+"\.$/,
  );
});
