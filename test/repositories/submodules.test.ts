import { existsSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeOf, ownRepo, type Place, personRepo, place } from '../helpers/person-repo.ts';
import { at } from '../helpers/real-git.ts';

/** A repository with a submodule at `lib/sub`. */
function withSubmodule(make: typeof personRepo): { repo: Place; sub: Place } {
  const source = personRepo({ 'x.c': 'x\n', 'deep/y.c': 'y\n' });
  const repo = make({ 'a.txt': 'a\n', 'lib/b.txt': 'b\n' });
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source.dir, 'lib/sub');
  repo.git('commit', '-qm', 'submodule');
  return { repo, sub: place(at(repo.path('lib/sub'))) };
}

describe.each([
  ['beside the branch', personRepo, 'vedit/main'],
  ['on the branch', ownRepo, 'main'],
] as const)('a submodule %s', (_where, make, trail) => {
  it('is refused as a path, and so is everything in it, whether its files are there or not', async () => {
    const { repo, sub } = withSubmodule(make);
    const session = await repo.session();
    const calls = [
      () => session.edit('str_replace', { path: 'lib/sub/x.c', old_str: 'x', new_str: 'X' }),
      () => session.edit('create', { path: 'lib/sub/new.c', file_text: '' }),
      () => session.edit('create', { path: 'lib/sub', file_text: '', overwrite: true }),
      () => session.edit('move', { path: 'lib/b.txt', new_path: 'lib/sub/deep/b.txt' }),
      () => session.edit('delete', { path: 'lib/sub/deep/y.c' }),
    ];
    for (const call of calls) expect(await codeOf(call())).toBe('NESTED_REPOSITORY');
    repo.git('submodule', '--quiet', 'deinit', '-f', 'lib/sub');
    for (const call of calls) expect(await codeOf(call())).toBe('NESTED_REPOSITORY');
    rmSync(sub.dir, { recursive: true });
    for (const call of calls) expect(await codeOf(call())).toBe('NESTED_REPOSITORY');
    expect(existsSync(sub.dir)).toBe(false);
  });

  it('stays what it is when files beside it are edited, created and deleted', async () => {
    const { repo } = withSubmodule(make);
    const session = await repo.session();
    const link = repo.git('ls-tree', 'HEAD', 'lib/sub');
    await session.edit('str_replace', { path: 'lib/b.txt', old_str: 'b', new_str: 'B' });
    await session.edit('create', { path: 'lib/sub.c', file_text: 'c\n' });
    await session.edit('delete', { path: 'lib/b.txt' });
    await session.rollback('~3');
    expect(repo.git('ls-tree', trail, 'lib/sub')).toBe(link);
    expect(repo.git('submodule', 'status')).toMatch(/^ \w{40} lib\/sub/);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.git('fsck', '--strict')).toBe('');
  });
});

describe('a submodule', () => {
  it('is a workspace of its own, with a trail in its own repository', async () => {
    const { repo, sub } = withSubmodule(personRepo);
    const config = readFileSync(repo.path('.git/config'));
    const session = await sub.session();
    await session.edit('str_replace', { path: 'x.c', old_str: 'x', new_str: 'X' });
    expect(sub.git('show', 'vedit/main:x.c')).toBe('X');
    expect(repo.git('for-each-ref', 'refs/vedit')).toBe('');
    expect(existsSync(repo.path('.git/modules/lib/sub/vedit'))).toBe(true);
    expect(readFileSync(repo.path('.git/config')).equals(config)).toBe(true);
    await session.undo();
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('.gitmodules is refused in every spelling, a nested repository is not entered', async () => {
    const { repo } = withSubmodule(personRepo);
    const session = await repo.session();
    for (const path of ['.gitmodules', '.GITMODULES', 'GITMOD~1', '.gitmodules::$DATA'])
      expect(await codeOf(session.edit('create', { path, file_text: 'x', overwrite: true }))).toBe(
        'PROTECTED_PATH',
      );
    at(repo.path('lib')).git('init', '-q', 'nested');
    expect(await codeOf(session.edit('create', { path: 'lib/nested/x', file_text: 'x' }))).toBe(
      'NESTED_REPOSITORY',
    );
    const names = (await session.view({ path: 'lib' })).data.entries;
    expect(names).toEqual(expect.arrayContaining(['lib/b.txt']));
  });
});
