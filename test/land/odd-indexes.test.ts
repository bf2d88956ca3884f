/** Landing with an index that is in two files, or that leaves folders out. */

import { describe, expect, it } from 'vitest';
import { systemGit } from '../../src/index.ts';
import { ownRepo, personRepo } from '../helpers/person-repo.ts';

const FILES = { 'a.txt': 'a\n', 'd/b.txt': 'b\n', 'd/g.txt': 'g\n', 'e/f/c.txt': 'c\n' };

describe('landing beside the branch with', () => {
  it.each([
    ['a split index', [['update-index', '--split-index']], ''],
    [
      'a split index with a staged file',
      [
        ['update-index', '--split-index'],
        ['add', 'd/g.txt'],
      ],
      'M  d/g.txt',
    ],
    [
      'a split index with a deleted entry',
      [
        ['update-index', '--split-index'],
        ['rm', '-q', '--cached', 'd/g.txt'],
      ],
      'D  d/g.txt\n?? d/g.txt',
    ],
    [
      'a split index of version 4',
      [
        ['update-index', '--index-version', '4'],
        ['update-index', '--split-index'],
      ],
      '',
    ],
    [
      'core.splitIndex',
      [
        ['config', 'core.splitIndex', 'true'],
        ['add', 'a.txt'],
      ],
      '',
    ],
    [
      'core.splitIndex and a flag',
      [
        ['config', 'core.splitIndex', 'true'],
        ['update-index', '--assume-unchanged', 'e/f/c.txt'],
      ],
      '',
    ],
    ['a sparse index', [['sparse-checkout', 'set', '--cone', '--sparse-index', 'd']], ''],
    [
      'a sparse index of version 4',
      [
        ['update-index', '--index-version', '4'],
        ['sparse-checkout', 'set', '--cone', '--sparse-index', 'd'],
      ],
      '',
    ],
    ['a sparse index without any folder', [['sparse-checkout', 'set', '--cone', '--sparse-index']], ''],
    ['a sparse checkout', [['sparse-checkout', 'set', '--cone', 'd']], ''],
  ] as const)('%s keeps it right', async (_what, commands, status) => {
    const repo = personRepo(FILES);
    if (status !== '') repo.write('d/g.txt', 'G\n');
    for (const command of commands) repo.git(...command);
    const workspace = await repo.open({ user: { name: 'P', email: 'p@x' } });
    const session = workspace.session({ agent: 'bot' });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
    await session.edit('create', { path: 'new.txt', file_text: 'new\n' });
    await workspace.land({ git: await systemGit(process.env), message: 'landed' });
    expect(repo.git('show', '--format=%s', '--name-only', 'HEAD')).toBe('landed\n\na.txt\nnew.txt');
    expect(repo.git('status', '--porcelain')).toBe(status.startsWith('M') ? status : status);
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
    repo.git('read-tree', '-m', 'HEAD');
  });

  it('names a path in a folder that a sparse index leaves out', async () => {
    const repo = personRepo(FILES);
    repo.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'd');
    const workspace = await repo.open({ user: { name: 'P', email: 'p@x' } });
    await workspace.session({ agent: 'bot' }).edit('create', { path: 'e/f/new.txt', file_text: 'n\n' });
    const head = repo.git('rev-parse', 'HEAD');
    const landed = workspace.land({ git: await systemGit(process.env), message: 'landed' });
    await expect(landed).rejects.toMatchObject({ code: 'UNSUPPORTED_REPOSITORY' });
    expect(repo.git('rev-parse', 'HEAD')).toBe(head);
  });

  it.each([['assume-unchanged'], ['skip-worktree']])(
    'names a file that git passes over by %s',
    async mark => {
      const repo = personRepo(FILES);
      repo.git('update-index', `--${mark}`, 'a.txt');
      const workspace = await repo.open({ user: { name: 'P', email: 'p@x' } });
      const edit = { path: 'a.txt', old_str: 'a', new_str: 'A' };
      await workspace.session({ agent: 'bot' }).edit('str_replace', edit);
      const head = repo.git('rev-parse', 'HEAD');
      const landed = workspace.land({ git: await systemGit(process.env), message: 'landed' });
      await expect(landed).rejects.toMatchObject({
        code: 'GIT_REFUSED',
        message: expect.stringMatching(new RegExp(`a\\.txt.*${mark}`, 's')),
      });
      expect(repo.git('rev-parse', 'HEAD')).toBe(head);
    },
  );

  it('the branch as the history is refused by name', async () => {
    const repo = ownRepo(FILES);
    repo.git('config', 'core.splitIndex', 'true');
    repo.git('update-index', '--split-index');
    const call = (await repo.session()).edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
    await expect(call).rejects.toMatchObject({
      code: 'UNSUPPORTED_REPOSITORY',
      data: { feature: 'split index' },
    });
  });
});
