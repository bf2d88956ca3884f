import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeOf, ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';

function sparse(make: typeof personRepo, ...options: string[]): Place {
  const repo = make({ 'in/a.txt': 'a\n', 'out/deep/b.txt': 'b\n', 'out/c.txt': 'c\n' });
  repo.git('sparse-checkout', 'set', ...options, 'in');
  expect(existsSync(repo.path('out'))).toBe(false);
  return repo;
}

describe.each([
  ['beside the branch', 'vedit/main', personRepo, ['--cone']],
  ['beside the branch, without cones', 'vedit/main', personRepo, ['--no-cone']],
  ['beside the branch, with a sparse index', 'vedit/main', personRepo, ['--cone', '--sparse-index']],
  ['on the branch', 'main', ownRepo, ['--cone']],
] as const)('a sparse checkout %s', (_where, trail, make, options) => {
  it('is edited where it has files, and loses none of the others', async () => {
    const repo = sparse(make, ...options);
    const session = await repo.session();
    await session.edit('str_replace', { path: 'in/a.txt', old_str: 'a', new_str: 'A' });
    await session.edit('create', { path: 'in/new.txt', file_text: 'new\n' });
    expect(repo.git('ls-tree', '-r', '--name-only', trail).split('\n')).toEqual([
      'in/a.txt',
      'in/new.txt',
      'out/c.txt',
      'out/deep/b.txt',
    ]);
    expect(repo.git('status', '--porcelain')).toBe(trail === 'main' ? '' : ' M in/a.txt\n?? in/new.txt');
    expect(repo.git('fsck', '--strict')).toBe('');
  });

  it('refuses a file that is not checked out, whatever is wanted of it, and takes it for no deletion', async () => {
    const repo = sparse(make, ...options);
    const session = await repo.session();
    const path = 'out/deep/b.txt';
    const calls = [
      () => session.edit('str_replace', { path, old_str: 'b', new_str: 'B' }),
      () => session.edit('create', { path, file_text: 'x' }),
      () => session.edit('create', { path, file_text: 'x', overwrite: true }),
      () => session.edit('delete', { path: 'out/c.txt' }),
      () => session.edit('move', { path: 'in/a.txt', new_path: path, overwrite: true }),
      () => session.view({ path }),
    ];
    for (const call of calls) {
      const error = await call().catch(error => error);
      expect(error).toMatchObject({ code: 'FILE_NOT_FOUND', message: expect.stringContaining('sparse') });
    }
    expect(existsSync(repo.path('out'))).toBe(false);
    expect((await session.view({ path, at: 'HEAD' })).message).toContain('b\n');
  });
});

it('a file that was edited and then left out is no outside change, and comes back with what was edited', async () => {
  const repo = ownRepo({ 'in/a.txt': 'a\n', 'out/b.txt': 'b\n' });
  const session = await repo.session();
  await session.edit('str_replace', { path: 'out/b.txt', old_str: 'b', new_str: 'B' });
  repo.git('sparse-checkout', 'set', '--cone', 'in');
  expect((await session.status()).data.outside).toEqual([]);
  expect(await codeOf(session.undo())).toBe('FILE_NOT_FOUND');
  repo.git('sparse-checkout', 'disable');
  await session.undo();
  expect(repo.read('out/b.txt')).toBe('b\n');
  expect(repo.git('status', '--porcelain')).toBe('');
});
