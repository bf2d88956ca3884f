import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../../src/index.ts';
import { codeOf, ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';

/** Edits of two tracked files and five new ones, one of each below src. */
async function edited(repo: Place): Promise<Session> {
  const session = await repo.session();
  await session.edit('str_replace', { path: 'a.txt', old_str: '2', new_str: 'two' });
  await session.edit('str_replace', { path: 'src/b.txt', old_str: 'b', new_str: 'B' });
  for (const name of ['1', '2', '3', '4', 'src/5'])
    await session.edit('create', { path: `${name}.new`, file_text: `${name}\n` });
  return session;
}

const FILES = { 'a.txt': '1\n2\n3\n', 'src/b.txt': 'b\n', 'other.txt': 'o\n' };
const ALL = ['1.new', '2.new', '3.new', '4.new', 'a.txt', 'src/5.new', 'src/b.txt'];

function reset(repo: Place, ...to: string[]): void {
  repo.git('reset', '-q', '--hard', ...to);
  repo.git('clean', '-fdq');
}

function texts(repo: Place, paths: readonly string[] = ALL): Record<string, string | null> {
  return Object.fromEntries(paths.map(path => [path, existsSync(repo.path(path)) ? repo.read(path) : null]));
}

/** Of history: that files differ from it is no fault. */
async function faultsOf(session: Session): Promise<unknown[]> {
  return (await session.verify()).data.faults;
}

describe('what git reset --hard and git clean took', () => {
  it.each([
    ['all of it', '.', ALL],
    ['a folder', 'src', ['src/5.new', 'src/b.txt']],
    ['a folder with a slash', './src/', ['src/5.new', 'src/b.txt']],
    ['a file', '3.new', ['3.new']],
    ['several', ['src', 'a.txt'], ['a.txt', 'src/5.new', 'src/b.txt']],
  ])('comes back as one commit: %s', async (_what, paths, back) => {
    const repo = personRepo(FILES);
    const session = await edited(repo);
    const before = texts(repo);
    reset(repo);
    const after = texts(repo);
    const dry = await session.restore({ path: paths, dryRun: true });
    expect(dry.data.paths.map(({ path }) => path).sort()).toEqual(back);
    expect(texts(repo)).toEqual(after);
    const { data } = await session.restore({ path: paths });
    expect(data.paths.map(({ path }) => path).sort()).toEqual(back);
    const expected = ALL.map(path => [path, (back.includes(path) ? before : after)[path]]);
    expect(texts(repo)).toEqual(Object.fromEntries(expected));
    expect(await faultsOf(session)).toEqual([]);
    await session.undo();
    expect(texts(repo)).toEqual(after);
  });

  it.each([
    ['to the commit before, with what was committed in it', 'HEAD~1'],
    ['to where it stood', 'HEAD'],
  ])('comes back where HEAD was reset %s', async (_where, to) => {
    const repo = personRepo(FILES);
    repo.write('other.txt', 'more\n');
    repo.git('commit', '-qam', 'more');
    const session = await edited(repo);
    const before = texts(repo);
    reset(repo, to);
    await session.restore({ path: '.' });
    expect(texts(repo)).toEqual(before);
    expect(await faultsOf(session)).toEqual([]);
  });

  it('comes back from the commit before it, when edits were made on what was left', async () => {
    const repo = personRepo(FILES);
    const session = await edited(repo);
    const before = texts(repo);
    reset(repo);
    await session.edit('str_replace', { path: 'other.txt', old_str: 'o', new_str: 'O' });
    repo.git('commit', '-qam', 'other');
    await session.edit('str_replace', { path: 'other.txt', old_str: 'O', new_str: 'OO' });
    expect(await codeOf(session.restore({ path: '.' }))).toBe('NO_CHANGE');
    await session.restore({ path: '.', from: '~3', missing: true });
    expect(texts(repo)).toEqual(before);
    expect(repo.read('other.txt')).toBe('OO\n');
  });

  it('leaves the text of a person, links, folders and what HEAD has newer, and says so', async () => {
    const repo = personRepo(FILES);
    const session = await edited(repo);
    reset(repo);
    repo.write('1.new', 'mine\n');
    symlinkSync('other.txt', repo.path('2.new'));
    mkdirSync(repo.path('3.new'));
    repo.write('3.new/file', 'f\n');
    rmSync(repo.path('src'), { recursive: true });
    repo.write('src', 'a file\n');
    repo.write('a.txt', '1\n2\n3\n4\n');
    repo.git('commit', '-qm', 'four', 'a.txt');
    const { data } = await session.restore({ path: '.' });
    expect(data.paths.map(({ path }) => path)).toEqual(['4.new']);
    expect(data.notes).toEqual([
      'kept, since what somebody else wrote is in them now: 1.new',
      'kept as HEAD has them, since their text in HEAD is newer: a.txt',
      'not brought back, since something else is in their place: 2.new, 3.new, src/5.new, src/b.txt',
    ]);
    expect([repo.read('1.new'), repo.read('2.new'), repo.read('src')]).toEqual(['mine\n', 'o\n', 'a file\n']);
    expect(repo.read('a.txt')).toBe('1\n2\n3\n4\n');
    expect(await codeOf(session.restore({ path: '.' }))).toBe('NO_CHANGE');
    expect(await codeOf(session.restore({ path: '3.new' }))).toBe('IS_DIRECTORY');
    expect(await codeOf(session.restore({ path: 'nosuch' }))).toBe('FILE_NOT_FOUND');
  });

  it('comes back where the trail is the branch', async () => {
    const repo = ownRepo(FILES);
    const session = await edited(repo);
    for (const path of ['a.txt', 'src']) rmSync(repo.path(path), { recursive: true });
    repo.write('1.new', 'mine\n');
    const { data } = await session.restore({ path: '.' });
    expect(data.paths.map(({ path }) => path).sort()).toEqual(['a.txt', 'src/5.new', 'src/b.txt']);
    expect(repo.read('1.new')).toBe('mine\n');
    expect(repo.git('status', '--porcelain')).toBe(' M 1.new');
  });

  it('is proposed by status', async () => {
    const repo = personRepo(FILES);
    const session = await edited(repo);
    expect((await session.status()).data.missing).toBe(0);
    rmSync(repo.path('1.new'));
    const one = await session.status();
    expect([one.data.missing, one.message]).toEqual([1, expect.not.stringContaining('restore')]);
    reset(repo);
    const { data, message } = await session.status();
    expect(data.missing).toBe(7);
    expect(message).toContain(
      '7 files of the history are gone, or as HEAD has them: restore of . without a commit brings them back',
    );
    repo.git('commit', '-q', '--allow-empty', '-m', 'HEAD moves');
    expect((await session.status()).data.missing).toBe(7);
    await session.restore({ path: '.' });
    expect((await session.status()).data.missing).toBe(0);
  });
});

describe('what git stash took', () => {
  it('is told as that by undo, revert and land', async () => {
    const repo = personRepo({ 'a.txt': '1\n2\n3\n4\n5\n6\n7\n8\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: '2', new_str: 'two' });
    const seven = await session.edit('str_replace', { path: 'a.txt', old_str: '7', new_str: 'seven' });
    const id = seven.data.commit!.slice(0, 12);
    repo.git('stash', '-q');
    const calls = [() => session.undo({ dryRun: true }), () => session.undo(), () => session.revert('@')];
    for (const call of calls)
      await expect(call()).rejects.toMatchObject({
        code: 'NO_CHANGE',
        message: `Nothing would change: the files hold nothing any more of ${id} (away: in stash@{0}).`,
      });
    repo.git('stash', 'drop', '-q');
    await expect(session.undo()).rejects.toThrow(
      `of ${id} (taken out by hand). restore brings back what was taken out by hand, if that was not meant.`,
    );
    const workspace = await repo.open({ user: { name: 'Ada', email: 'ada@example.com' } });
    await expect(workspace.land()).rejects.toThrow(
      `, ${id} taken out by hand). To land them all the same, bring them back first: restore a.txt from: "${id}".`,
    );
    await session.restore({ path: 'a.txt' });
    expect(repo.read('a.txt')).toBe('1\ntwo\n3\n4\n5\n6\nseven\n8\n');
  });
});

describe('a folder', () => {
  it('becomes what it was, and keeps what is not of then', async () => {
    const repo = personRepo(FILES);
    const session = await edited(repo);
    await session.edit('str_replace', { path: 'src/b.txt', old_str: 'B', new_str: 'C' });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'zwei' });
    const { data } = await session.restore({ path: 'src', from: '~4' });
    expect(data.paths.map(({ path }) => path)).toEqual(['src/b.txt']);
    expect(texts(repo, ['src/b.txt', 'src/5.new', 'a.txt'])).toEqual({
      'src/b.txt': 'B\n',
      'src/5.new': 'src/5\n',
      'a.txt': '1\nzwei\n3\n',
    });
    repo.write('src/b.txt', 'mine\n');
    expect(await codeOf(session.restore({ path: 'src', from: '~9' }))).toBe('CONFLICT');
    expect(repo.read('src/b.txt')).toBe('mine\n');
  });
});
