import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeOf, filesEqual, personRepo, place } from '../helpers/person-repo.ts';
import { at } from '../helpers/real-git.ts';

describe('a trail beside the branch of a person', () => {
  it('records each edit as a commit that changes the file and nothing of the person', async () => {
    const repo = personRepo({ 'a.txt': 'one\ntwo\n', 'b/c.txt': 'x\n' });
    const index = readFileSync(repo.path('.git/index'));
    const session = await repo.session();
    const { data } = await session.edit('str_replace', {
      path: 'a.txt',
      old_str: 'two',
      new_str: 'TWO',
      reason: 'louder',
    });
    expect(repo.read('a.txt')).toBe('one\nTWO\n');
    expect(repo.git('rev-parse', 'refs/vedit/main')).toBe(data.commit);
    expect(repo.git('show', '--format=%s|%b', '--stat=60', 'vedit/main')).toContain(
      'louder (a.txt)|Vedit-Op: str_replace',
    );
    expect(
      repo
        .git(
          'log',
          '--format=%(trailers:key=Vedit-Op,valueonly)%(trailers:key=Vedit-Agent,valueonly)',
          '-1',
          'vedit/main',
        )
        .trim(),
    ).toBe('str_replace\nclaude');
    expect(repo.git('rev-parse', 'HEAD')).toBe(data.parent);
    expect(repo.git('log', '--format=%an <%ae> %cn', '-1', 'vedit/main')).toBe(
      'claude <claude@vedit.invalid> vedit',
    );
    expect(repo.git('diff', 'HEAD', 'vedit/main')).toBe(repo.git('diff', 'HEAD'));
    expect(
      `${repo.git('diff', 'HEAD~0', 'vedit/main', '--no-ext-diff', '--full-index').replace(/^index .*\n/m, '')}\n`,
    ).toBe(data.diff);
    expect(readFileSync(repo.path('.git/index')).equals(index)).toBe(true);
    expect(repo.git('fsck', '--strict')).toBe('');
    expect(repo.git('status', '--porcelain')).toBe(' M a.txt');
  });

  it('records what a person changed before it edits', async () => {
    const repo = personRepo({ 'a.txt': 'one\ntwo\n' });
    repo.write('a.txt', 'one\ntwo\nthree by hand\n');
    const session = await repo.session();
    const { data } = await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    expect(data.outside?.paths).toEqual(['a.txt']);
    expect(repo.git('log', '--format=%s', 'vedit/main').split('\n')).toEqual([
      'str_replace a.txt (+1 -1)',
      'outside a.txt',
      'start',
    ]);
    expect(repo.git('show', 'vedit/main~1:a.txt')).toBe('one\ntwo\nthree by hand');
    expect(repo.git('diff', '--shortstat', 'vedit/main~1', 'vedit/main')).toContain(
      '1 insertion(+), 1 deletion(-)',
    );
  });

  it('refuses outside changes when it was told to', async () => {
    const repo = personRepo({ 'a.txt': 'one\n' });
    repo.write('a.txt', 'one\nmore\n');
    const session = await repo.session('s1', { outside: 'refuse' });
    expect(await codeOf(session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' }))).toBe(
      'STALE',
    );
    expect(repo.git('for-each-ref', 'refs/vedit')).toBe('');
  });

  it('creates, deletes and moves, with modes kept', async () => {
    const repo = personRepo({ 'a.sh': '#!/bin/sh\n', 'x/y.txt': 'y\n' });
    repo.git('update-index', '--chmod=+x', 'a.sh');
    repo.git('commit', '-qm', 'mode');
    repo.git('checkout', '-q', '--', 'a.sh');
    const session = await repo.session();
    await session.edit('move', { path: 'a.sh', new_path: 'bin/b.sh' });
    expect(repo.git('ls-tree', 'vedit/main', 'bin/b.sh')).toMatch(/^100755 blob/);
    await session.edit('create', { path: 'new/deep/file.txt', file_text: 'hi' });
    await session.edit('delete', { path: 'x/y.txt' });
    expect(repo.git('ls-tree', '-r', '--name-only', 'vedit/main').split('\n')).toEqual([
      'bin/b.sh',
      'new/deep/file.txt',
    ]);
    expect(filesEqual(repo, 'vedit/main')).toBe(true);
    expect(repo.git('log', '--format=%s', 'vedit/main').split('\n').slice(0, 3)).toEqual([
      'delete x/y.txt (+0 -1)',
      'create new/deep/file.txt (+1 -0)',
      'move a.sh -> bin/b.sh (+0 -0)',
    ]);
  });

  it('of a linked work tree cannot begin below a ref that is in its way, until that is gone', async () => {
    const repo = personRepo({ 'f.txt': '1\n' });
    repo.git('worktree', 'add', '-q', '--detach', '../side');
    const side = place(at(repo.path('..', 'side')));
    repo.git('update-ref', 'refs/vedit/worktree', 'main');
    const edit = async (): Promise<unknown> =>
      (await side.session()).edit('str_replace', { path: 'f.txt', old_str: '1', new_str: '2' });
    await expect(edit()).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('there is a history worktree'),
      data: { trail: 'worktree/side', in_the_way: 'worktree' },
    });
    expect(side.read('f.txt')).toBe('1\n');
    repo.git('update-ref', '-d', 'refs/vedit/worktree');
    await edit();
    expect(repo.git('show', 'refs/vedit/worktree/side:f.txt')).toBe('2');
  });

  it('a change of several edits is one commit or none', async () => {
    const repo = personRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const session = await repo.session();
    const failing = [
      { edit: 'str_replace', path: 'a.txt', old_str: 'a', new_str: 'A' },
      { edit: 'str_replace', path: 'b.txt', old_str: 'nope', new_str: 'B' },
    ];
    await expect(session.change(failing)).rejects.toMatchObject({
      code: 'NO_MATCH',
      message: expect.stringMatching(/^edit 2 of 2: /),
    });
    expect(repo.read('a.txt')).toBe('a\n');
    const { data } = await session.change([
      { edit: 'str_replace', path: 'a.txt', old_str: 'a', new_str: 'A' },
      { edit: 'str_replace', path: 'a.txt', old_str: 'A', new_str: 'AA' },
      { edit: 'create', path: 'c.txt', file_text: 'c\n' },
    ]);
    expect(repo.git('rev-list', '--count', 'main..vedit/main')).toBe('1');
    expect(data.paths.map(one => `${one.kind} ${one.path}`)).toEqual(['modify a.txt', 'create c.txt']);
    expect(repo.read('a.txt')).toBe('AA\n');
  });

  it('a dry run answers the same and writes nothing', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const session = await repo.session();
    const before = repo.git('count-objects', '-v');
    const { data, message } = await session.edit('str_replace', {
      path: 'a.txt',
      old_str: 'a',
      new_str: 'b',
      dry_run: true,
    });
    expect(data).toMatchObject({
      commit: null,
      dry_run: true,
      paths: [{ path: 'a.txt', added: 1, removed: 1 }],
    });
    expect(message).toMatch(/^Dry run/);
    expect(repo.read('a.txt')).toBe('a\n');
    expect(repo.git('count-objects', '-v')).toBe(before);
    expect(repo.git('for-each-ref', 'refs/vedit')).toBe('');
  });

  it('an edit_id makes a retry safe', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const session = await repo.session();
    const input = { path: 'a.txt', old_str: 'a', new_str: 'aa', edit_id: 'call-1' };
    const first = await session.edit('str_replace', input);
    const again = await (await repo.session('s2')).edit('str_replace', input);
    expect(again.data).toMatchObject({
      commit: first.data.commit,
      repeated: true,
      paths: first.data.paths,
      diff: first.data.diff,
    });
    expect(repo.read('a.txt')).toBe('aa\n');
    expect(repo.git('rev-list', '--count', 'main..vedit/main')).toBe('1');
  });

  it('HEAD that moved is joined by one commit with both parents', async () => {
    const repo = personRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
    repo.write('b.txt', 'b by hand\n');
    repo.git('commit', '-qm', 'hand', 'b.txt');
    await session.edit('create', { path: 'c.txt', file_text: 'c\n' });
    expect(repo.git('log', '--format=%s', '--first-parent', 'vedit/main').split('\n')).toEqual([
      'create c.txt (+1 -0)',
      `your commit ${repo.git('rev-parse', '--short=12', 'HEAD')}`,
      'str_replace a.txt (+1 -1)',
      'start',
    ]);
    expect(repo.git('rev-parse', 'vedit/main~1^2')).toBe(repo.git('rev-parse', 'HEAD'));
    expect(filesEqual(repo, 'vedit/main')).toBe(true);
    expect(repo.git('show', 'vedit/main:b.txt')).toBe('b by hand');
  });
});
