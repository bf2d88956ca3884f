import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeOf, ownRepo, personRepo } from '../../helpers/person-repo.ts';

describe.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('undo, redo and rollback %s', (_where, makeRepo) => {
  it('undoes and redoes like Ctrl-Z, each as a commit', async () => {
    const repo = makeRepo({ 'a.txt': '1\n' });
    const session = await repo.session();
    for (const n of [1, 2, 3])
      await session.edit('str_replace', { path: 'a.txt', old_str: `${n}`, new_str: `${n + 1}` });
    await session.undo();
    expect(repo.read('a.txt')).toBe('3\n');
    await session.undo({ count: 2 });
    expect(repo.read('a.txt')).toBe('1\n');
    await session.redo();
    expect(repo.read('a.txt')).toBe('2\n');
    await session.redo({ count: 2 });
    expect(repo.read('a.txt')).toBe('4\n');
    expect(await codeOf(session.redo())).toBe('NO_CHANGE');
    expect(repo.git('fsck', '--strict')).toBe('');
    const head = repo.git('rev-parse', '--verify', '-q', makeRepo === ownRepo ? 'main' : 'vedit/main');
    expect(repo.git('rev-list', '--count', head)).toBe('8');
  });

  it('takes back a creation, a deletion and a move', async () => {
    const repo = makeRepo({ 'old.txt': 'old\n', 'gone.txt': 'gone\n' });
    const session = await repo.session();
    await session.edit('create', { path: 'dir/new.txt', file_text: 'new\n' });
    await session.edit('delete', { path: 'gone.txt' });
    await session.edit('move', { path: 'old.txt', new_path: 'dir/moved.txt' });
    const { data } = await session.rollback('~3');
    expect(data.paths.map(one => one.path).sort()).toEqual([
      'dir/moved.txt',
      'dir/new.txt',
      'gone.txt',
      'old.txt',
    ]);
    expect(existsSync(repo.path('dir'))).toBe(false);
    expect([repo.read('old.txt'), repo.read('gone.txt')]).toEqual(['old\n', 'gone\n']);
    await session.undo();
    expect(repo.read('dir/moved.txt')).toBe('old\n');
    expect(existsSync(repo.path('gone.txt'))).toBe(false);
  });

  it('refuses to overwrite what a person wrote since', async () => {
    const repo = makeRepo({ 'a.txt': 'a\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'b' });
    repo.write('a.txt', 'by hand\n');
    expect(await codeOf(session.undo())).toBe('CONFLICT');
    expect(await codeOf(session.rollback('~1'))).toBe('CONFLICT');
    expect(repo.read('a.txt')).toBe('by hand\n');
  });

  it('undo is the session’s own, or with scope trail anybody’s', async () => {
    const repo = makeRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const one = await repo.session('one');
    const two = await repo.session('two');
    await one.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
    await two.edit('str_replace', { path: 'b.txt', old_str: 'b', new_str: 'B' });
    await one.undo();
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['a\n', 'B\n']);
    await one.undo({ scope: 'trail' });
    expect(repo.read('b.txt')).toBe('b\n');
    expect(await codeOf(two.undo())).toBe('NO_CHANGE');
  });

  it('a dry run shows the diff and leaves everything', async () => {
    const repo = makeRepo({ 'a.txt': 'a\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'b' });
    const { data } = await session.undo({ dryRun: true });
    expect(data.diff).toContain('-b\n+a\n');
    expect(repo.read('a.txt')).toBe('b\n');
  });
});

describe('a rollback by ~N', () => {
  const files = { 'a.txt': 'a\n', 'b.txt': 'b\n' };
  const one = { path: 'a.txt', old_str: 'a', new_str: 'A' };
  const two = { path: 'b.txt', old_str: 'b', new_str: 'B' };

  async function both(makeRepo: typeof personRepo) {
    const repo = makeRepo(files);
    const a = await repo.session('a');
    const b = (await repo.open()).session({ id: 'b', agent: 'codex' });
    await a.edit('str_replace', one);
    const { commit } = (await b.edit('str_replace', two)).data;
    return { repo, a, b, commit: commit! };
  }

  it.each([
    ['~1', personRepo],
    ['@~2', personRepo],
    ['vedit/main~1', personRepo],
    ['HEAD~1', ownRepo],
  ])('%s does not take back what others edited, unless it is told to', async (name, makeRepo) => {
    const { repo, a, commit } = await both(makeRepo);
    const error = await a.rollback(name).catch(refused => refused);
    expect(error).toMatchObject({
      code: 'CONFLICT',
      data: { others: [{ commit, op: 'str_replace', session: 'b', agent: 'codex', paths: ['b.txt'] }] },
    });
    expect(error.message).toContain(
      `- ${commit.slice(0, 12)} str_replace b.txt (+1 -1) (codex, session b)\nNothing was changed.`,
    );
    expect(await codeOf(a.rollback(name, { dryRun: true }))).toBe('CONFLICT');
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['A\n', 'B\n']);
    await a.rollback(name, { withOthers: true });
    expect(repo.read('b.txt')).toBe('b\n');
  });

  it('is done where others edited other files than it is about, or took their edits back', async () => {
    const { repo, a, b } = await both(personRepo);
    await a.rollback('~2', { paths: ['a.txt'] });
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['a\n', 'B\n']);
    await b.undo();
    expect(await codeOf(a.rollback('~4'))).toBe('NO_CHANGE');
    await b.redo();
    expect(await codeOf(a.rollback('~5'))).toBe('CONFLICT');
  });

  it('an id means what was edited since, whoever did', async () => {
    const { repo, a } = await both(personRepo);
    await a.rollback(repo.git('rev-parse', 'vedit/main~1'));
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['A\n', 'b\n']);
  });

  it('what others took back since is theirs, too', async () => {
    const { repo, a, b } = await both(personRepo);
    await b.undo();
    const error = await a.rollback('~1').catch(refused => refused);
    expect(error).toMatchObject({ code: 'CONFLICT', data: { others: [{ op: 'undo', session: 'b' }] } });
    expect(repo.read('b.txt')).toBe('b\n');
  });
});

describe('a trail on the checked-out branch', () => {
  it('keeps HEAD, index and work tree in step, and only the edited entry', async () => {
    const repo = ownRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    repo.write('b.txt', 'staged\n');
    repo.git('add', 'b.txt');
    repo.write('b.txt', 'unstaged\n');
    repo.write('u.txt', 'untracked\n');
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
    expect(repo.git('status', '--porcelain').split('\n')).toEqual(['MM b.txt', '?? u.txt']);
    expect(repo.git('log', '--format=%s', '-1')).toBe('str_replace a.txt (+1 -1)');
    expect(repo.git('reflog', '-1', '--format=%gs')).toBe('vedit: str_replace a.txt (+1 -1)');
    expect(repo.git('show', '--format=', '--name-only', 'HEAD')).toBe('a.txt');
  });

  it('what was staged and is no longer in the file goes into history first', async () => {
    const repo = ownRepo({ 'a.txt': 'a\n' });
    repo.write('a.txt', 'staged\n');
    repo.git('add', 'a.txt');
    repo.write('a.txt', 'in the file\n');
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'in', new_str: 'IN' });
    expect(repo.git('log', '--format=%s').split('\n')).toEqual([
      'str_replace a.txt (+1 -1)',
      'outside a.txt',
      'staged a.txt',
      'start',
    ]);
    expect(repo.git('show', 'HEAD~2:a.txt')).toBe('staged');
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('refuses while a merge is in progress', async () => {
    const repo = ownRepo({ 'a.txt': 'a\n' });
    repo.write('.git/MERGE_HEAD', `${repo.git('rev-parse', 'HEAD')}\n`);
    expect(await codeOf((await repo.session()).edit('create', { path: 'n.txt', file_text: 'n' }))).toBe(
      'CONFLICT',
    );
    expect(readFileSync(repo.path('a.txt'), 'utf8')).toBe('a\n');
  });
});

it('a step of HEAD is no edit: its refusal names the commit, and git revert', async () => {
  const repo = personRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const session = await repo.session();
  await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
  repo.write('b.txt', 'mine\n');
  repo.git('commit', '-qm', 'mine', 'b.txt');
  await session.edit('str_replace', { path: 'a.txt', old_str: 'A', new_str: 'AA' });
  const mine = repo.git('rev-parse', 'HEAD').slice(0, 12);
  await expect(session.revert('~1')).rejects.toThrow(`To take that commit back, use git revert ${mine}.`);
});
