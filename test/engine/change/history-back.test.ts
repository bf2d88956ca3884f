import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../src/index.ts';
import { codeOf, filesEqual, ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';

const lines = (n: number): string => Array.from({ length: n }, (_, i) => `${i + 1}\n`).join('');

describe.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('taking back with others around, %s', (_where, makeRepo) => {
  it('reverts edit 2 of 5 and keeps the others', async () => {
    const repo = makeRepo({ 'a.txt': lines(30) });
    const session = await repo.session();
    const commits: string[] = [];
    for (const n of [3, 9, 15, 21, 27]) {
      commits.push(
        (await session.edit('str_replace', { path: 'a.txt', old_str: `\n${n}\n`, new_str: `\nn${n}\n` })).data
          .commit!,
      );
    }
    await session.revert(commits[1]!);
    expect(repo.read('a.txt')).toBe(lines(30).replace(/^(3|15|21|27)$/gm, 'n$1'));
    expect(await codeOf(session.revert(commits[1]!))).toBe('NO_CHANGE');
    const { data } = await session.log();
    expect((data.entries as LogEntry[]).slice(0, 6).map(entry => entry.status.now === 'taken back')).toEqual([
      false,
      false,
      false,
      false,
      true,
      false,
    ]);
    await session.undo();
    expect(repo.read('a.txt')).toContain('n9\n');
    await session.undo();
    expect(repo.read('a.txt')).not.toContain('n27');
  });

  it('undo keeps what a person changed in other lines, and refuses where it is the same line', async () => {
    const repo = makeRepo({ 'a.txt': lines(20) });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: '\n5\n', new_str: '\nfive\n' });
    repo.write('a.txt', repo.read('a.txt').replace('15\n', 'by hand\n'));
    const { data } = await session.undo();
    expect(data.outside?.paths).toEqual(['a.txt']);
    expect(repo.read('a.txt')).toBe(lines(20).replace('15\n', 'by hand\n'));
    await session.redo();
    repo.write('a.txt', repo.read('a.txt').replace('five\n', 'mine\n'));
    const before = repo.read('a.txt');
    await expect(session.undo()).rejects.toMatchObject({
      code: 'CONFLICT',
      data: {
        conflicts: [
          { path: 'a.txt', regions: [{ start_line: 5, end_line: 5, present: 'mine\n', wanted: '5\n' }] },
        ],
      },
    });
    expect(repo.read('a.txt')).toBe(before);
  });

  it('rollback takes the engine’s edits back and keeps a person’s text', async () => {
    const repo = makeRepo({ 'a.txt': lines(20), 'b.txt': 'b\n' });
    const session = await repo.session();
    const start = repo.git('rev-parse', 'HEAD');
    await session.edit('str_replace', { path: 'a.txt', old_str: '\n3\n', new_str: '\nthree\n' });
    repo.write('a.txt', repo.read('a.txt').replace('10\n', 'by hand\n'));
    await session.edit('str_replace', { path: 'a.txt', old_str: '\n17\n', new_str: '\nseventeen\n' });
    await session.edit('delete', { path: 'b.txt' });
    const { data } = await session.rollback(start);
    expect(repo.read('a.txt')).toBe(lines(20).replace('10\n', 'by hand\n'));
    expect(repo.read('b.txt')).toBe('b\n');
    expect(data.notes?.[0]).toBe('a.txt was also changed since then, not through vedit; that was kept');
    expect(repo.git('fsck', '--strict')).toBe('');
  });

  it('restores one file', async () => {
    const repo = makeRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
    await session.edit('delete', { path: 'b.txt' });
    await session.restore({ path: 'b.txt', from: '~1' });
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['A\n', 'b\n']);
    await session.restore({ path: 'a.txt', from: '~3' });
    expect(repo.read('a.txt')).toBe('a\n');
    expect(await codeOf(session.restore({ path: 'none.txt', from: '~1' }))).toBe('FILE_NOT_FOUND');
  });
});

describe('a restore of what was lost by hand', () => {
  it.each([
    ['deleted', (repo: Place) => rmSync(repo.path('a.txt'))],
    ['discarded', (repo: Place) => repo.git('checkout', '-q', 'a.txt')],
  ])('brings a file back that was %s', async (_how, lose) => {
    const repo = personRepo({ 'a.txt': '1\n2\n3\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: '2', new_str: 'two' });
    lose(repo);
    await session.restore({ path: 'a.txt', from: '@' });
    expect(repo.read('a.txt')).toBe('1\ntwo\n3\n');
    expect((await session.verify()).data.faults).toEqual([]);
    const { data } = await (await repo.open({ user: { name: 'Ada', email: 'ada@example.com' } })).land();
    expect(data.paths).toMatchObject([{ path: 'a.txt', added: 1, removed: 1 }]);
  });

  it('keeps what a person wrote there', async () => {
    const repo = personRepo({ 'a.txt': '1\n2\n3\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: '2', new_str: 'two' });
    repo.write('a.txt', '1\nby hand\n3\n');
    expect(await codeOf(session.restore({ path: 'a.txt', from: '~1' }))).toBe('CONFLICT');
    expect(await codeOf(session.undo({ count: 0 }))).toBe('INVALID_INPUT');
    expect(await codeOf(session.rollback('~1', { paths: ['nosuch'] }))).toBe('FILE_NOT_FOUND');
    expect(await codeOf(session.rollback('@', { paths: ['a.txt'] }))).toBe('NO_CHANGE');
  });
});

describe('old bases', () => {
  it('on_stale rebase plans on the old text and merges; line numbers go forward', async () => {
    const repo = personRepo({ 'a.txt': lines(20) });
    const one = await repo.session('one');
    const two = await repo.session('two');
    const version = (await one.view({ path: 'a.txt' })).data.version;
    await two.edit('insert', { path: 'a.txt', insert_line: 2, insert_text: 'new\nlines', version });
    const input = { path: 'a.txt', start_line: 10, end_line: 10, new_content: 'ten', version };
    expect(await codeOf(one.edit('replace_lines', input))).toBe('STALE');
    const { data, message } = await one.edit('replace_lines', { ...input, on_stale: 'rebase' });
    expect(repo.read('a.txt')).toBe(lines(20).replace('2\n', '2\nnew\nlines\n').replace('10\n', 'ten\n'));
    expect(data.notes).toEqual(['a.txt changed since the base; the edit was joined with the present text']);
    expect(message).toContain('    12\tten');
    expect(filesEqual(repo, 'vedit/main')).toBe(true);
  });

  it('is a conflict where the place itself changed, and then nothing is written', async () => {
    const repo = personRepo({ 'a.txt': lines(20) });
    const one = await repo.session('one');
    await one.view({ path: 'a.txt' });
    repo.write('a.txt', lines(20).replace('10\n', 'by hand\n'));
    const input = {
      path: 'a.txt',
      start_line: 10,
      end_line: 10,
      new_content: 'ten',
      on_stale: 'rebase',
    } as const;
    await expect(one.edit('replace_lines', input)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('by hand'),
      data: {
        conflicts: [{ path: 'a.txt', regions: [{ start_line: 10, end_line: 10, present: 'by hand\n' }] }],
      },
    });
    expect(repo.git('for-each-ref', 'refs/vedit')).toBe('');
  });

  it('does not create over, or delete, what came or changed since', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const session = await repo.session();
    repo.write('n.txt', 'by hand\n');
    repo.write('a.txt', 'a\nby hand\n');
    expect(
      await codeOf(session.edit('create', { path: 'n.txt', file_text: 'x', base: '@', on_stale: 'rebase' })),
    ).toBe('CONFLICT');
    expect(await codeOf(session.edit('delete', { path: 'a.txt', base: '@', on_stale: 'rebase' }))).toBe(
      'CONFLICT',
    );
    expect([repo.read('n.txt'), repo.read('a.txt')]).toEqual(['by hand\n', 'a\nby hand\n']);
  });
});
