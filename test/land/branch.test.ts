import { memfs } from 'memfs';
import { describe, expect, it } from 'vitest';
import { initRepository, openWorkspace } from '../../src/index.ts';
import { ADA, edited, git, LINES } from '../helpers/landing.ts';
import { codeOf, ownRepo, personRepo, place } from '../helpers/person-repo.ts';
import { repository } from '../helpers/real-git.ts';

describe('the branch', () => {
  it('may be another one, whose own text stays', async () => {
    const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
    repo.git('branch', 'release');
    repo.git('worktree', 'add', '-q', '../linked', 'release');
    repo.write('../linked/a.txt', LINES.replace('four', 'FOUR'));
    repo.git('-C', repo.path('../linked'), 'commit', '-qam', 'on release');
    repo.git('worktree', 'remove', '../linked');
    await edited(repo);
    const index = repo.git('ls-files', '-s');
    const { data } = await (await repo.open()).land({ git, onto: 'release' });
    expect(repo.git('show', 'release:a.txt')).toBe(
      LINES.replace('one', 'ONE').replace('four', 'FOUR').replace('seven', 'SEVEN').trimEnd(),
    );
    expect(repo.git('log', '--format=%an %s', '-2', 'release').split('\n')[1]).toContain('on release');
    expect(data.notes).toEqual(['Hooks did not run: release is not checked out.']);
    expect([repo.git('rev-parse', 'HEAD'), repo.git('ls-files', '-s')]).toEqual([
      data.parent && repo.git('rev-parse', 'main'),
      index,
    ]);
    expect(await codeOf((await repo.open()).land({ git, onto: 'release' }))).toBe('NO_CHANGE');
    expect((await (await repo.open()).land({ git })).data.onto).toBe('main');
  });

  it('may have lines that the person took out here, beside those that an edit replaced', async () => {
    const repo = personRepo({ 'a.txt': '1\n2\n3\n4\n5\n6\n' });
    repo.git('branch', 'topic');
    repo.write('a.txt', '1\n4\n5\n6\n');
    repo.git('commit', '-qam', 'less');
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: '4\n5\n', new_str: 'four\nfive\n' });
    await (await repo.open()).land({ git, onto: 'topic' });
    expect(repo.git('show', 'topic:a.txt')).toBe('1\n2\n3\nfour\nfive\n6');
  });

  it('may not be checked out in another work tree', async () => {
    const repo = await edited();
    repo.git('worktree', 'add', '-q', '-b', 'other', '../linked', 'main');
    await expect((await repo.open()).land({ git, onto: 'other' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('another work tree'),
    });
  });

  it('in a linked work tree is that work tree’s', async () => {
    const main = personRepo({ 'a.txt': LINES });
    main.git('worktree', 'add', '-q', '-b', 'topic', '../linked');
    const workspace = await main.open({ root: main.path('../linked') });
    await workspace
      .session({ id: 's' })
      .edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    await workspace.land({ git });
    expect(main.git('show', 'topic:a.txt')).toBe(LINES.replace('one', 'ONE').trimEnd());
    expect(main.git('-C', main.path('../linked'), 'status', '--porcelain')).toBe('');
    expect(main.git('log', '--format=%s', '-1', 'main')).toBe('start');
  });

  it('may be a detached HEAD, or one without commits', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    repo.git('checkout', '-q', '--detach');
    await (await repo.session()).edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    expect((await (await repo.open()).land({ git })).data.onto).toBe('HEAD');
    expect(repo.git('log', '--format=%s', '-1', 'main')).toBe('start');
    repo.git('checkout', '-q', '--orphan', 'fresh');
    repo.git('rm', '-rq', '--cached', '.');
    await (await repo.session()).edit('create', { path: 'f.txt', file_text: 'f\n' });
    // Of a.txt the branch has nothing: an edit within it cannot land there by itself.
    await (await repo.open()).land({ git, paths: ['f.txt'] });
    expect(repo.git('ls-tree', '--name-only', 'fresh')).toBe('f.txt');
    expect(repo.git('log', '--format=%P', 'fresh')).toBe('');
  });

  it('that gave a file up does not get it back, nor a part of it', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    await (await repo.session()).edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    repo.git('rm', '-q', '--cached', 'a.txt');
    repo.git('commit', '-qm', 'out of git');
    const workspace = await repo.open({ user: ADA });
    for (const options of [{}, { outside: true }])
      await expect(workspace.land({ git, ...options })).rejects.toMatchObject({
        code: 'NO_CHANGE',
        message: expect.stringContaining('what is in a.txt, which your branch gave up'),
      });
    expect(repo.git('ls-tree', '--name-only', 'HEAD')).toBe('');
  });

  it('in a repository without commits and index gets the first', async () => {
    const repo = place(repository());
    await (await repo.session()).edit('create', { path: 'f.txt', file_text: 'f\n' });
    await (await repo.open()).land({ git });
    expect(repo.git('log', '--format=%P%s')).toBe('create f.txt (+1 -0)');
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('in memory is committed by the engine: a git of the machine sees another disk', async () => {
    const { fs } = memfs();
    const root = '/repo';
    const options = { root, fs: fs as never };
    fs.mkdirSync(root);
    await initRepository(options);
    const workspace = await openWorkspace({ ...options, user: ADA });
    const session = workspace.session();
    const { data: first } = await session.edit('create', { path: 'a.txt', file_text: LINES });
    fs.writeFileSync('/repo/.git/refs/heads/clean', `${first.commit}\n`);
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    const { data } = await workspace.land({ onto: 'clean', git });
    expect(data).toMatchObject({ hooks: false, paths: [{ path: 'a.txt', kind: 'modify' }] });
    expect(String(fs.readFileSync('/repo/.git/refs/heads/clean'))).toBe(`${data.commit}\n`);
  });

  it('where the trail is the checked-out branch, is another one', async () => {
    const repo = ownRepo({ 'a.txt': LINES });
    repo.git('branch', 'clean');
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    repo.write('m.txt', 'm\n');
    repo.git('add', 'm.txt');
    repo.git('commit', '-qm', 'by hand');
    await session.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'TWO' });
    const workspace = await repo.open();
    await expect(workspace.land({ git })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { field: 'onto' },
    });
    await workspace.land({ git, onto: 'clean' });
    expect(repo.git('ls-tree', '--name-only', 'clean')).toBe('a.txt');
    expect(repo.git('show', 'clean:a.txt')).toBe(LINES.replace('one', 'ONE').replace('two', 'TWO').trimEnd());
    expect(await codeOf(workspace.land({ git, onto: 'clean' }))).toBe('NO_CHANGE');
  });
});
