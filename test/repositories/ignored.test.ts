import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeOf, ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';
import { succeeds } from '../helpers/real-git.ts';

const RULES = '*.log\n!keep.log\n/build/\nsecret?\ndeep/**/x\n# comment\n\\#literal\n';

function withRules(make: typeof personRepo): Place {
  const repo = make({ '.gitignore': RULES, 'sub/.gitignore': '*.tmp\n!important.tmp\n' });
  repo.write('tracked.log', 'old\n');
  repo.git('add', '-f', 'tracked.log');
  repo.git('commit', '-qm', 'tracked although ignored');
  repo.write('.git/info/exclude', 'local\n');
  return repo;
}

const PATHS = [
  ['a.log', 'keep.log', 'b/c.log', 'build/x', 'src/build/x', 'build', 'secret1', 'secret', 'b/secret2'],
  [
    'deep/x',
    'deep/a/b/x',
    'deep/y',
    '#literal',
    'sub/a.tmp',
    'sub/important.tmp',
    'a.tmp',
    'local',
    'b/local',
  ],
].flat();

describe.each([
  ['beside the branch', personRepo, 'vedit/main'],
  ['on the branch', ownRepo, 'main'],
] as const)('files that git ignores, %s', (_where, make, trail) => {
  it.each(PATHS)('%s is refused exactly where git ignores it', async path => {
    const repo = withRules(make);
    const session = await repo.session();
    const ignored = succeeds(repo, 'check-ignore', '-q', path);
    expect(await codeOf(session.edit('create', { path, file_text: 'x\n' }))).toBe(
      ignored ? 'IGNORED_PATH' : null,
    );
    expect(existsSync(repo.path(path))).toBe(!ignored);
    if (ignored)
      expect(await codeOf(session.edit('move', { path: 'tracked.log', new_path: path }))).toBe(
        'IGNORED_PATH',
      );
  });

  it('one that git tracks all the same is edited; one that is not is never read into history', async () => {
    const repo = withRules(make);
    repo.write('secret1', 'token\n');
    const session = await repo.session();
    await session.edit('str_replace', { path: 'tracked.log', old_str: 'old', new_str: 'new' });
    expect(repo.git('show', `${trail}:tracked.log`)).toBe('new');
    for (const call of [
      () => session.edit('str_replace', { path: 'secret1', old_str: 'token', new_str: 'x' }),
      () => session.edit('delete', { path: 'secret1' }),
      () => session.edit('move', { path: 'secret1', new_path: 'public' }),
      () => session.edit('create', { path: 'secret1', file_text: 'x', overwrite: true }),
    ])
      expect(await codeOf(call())).toBe('IGNORED_PATH');
    expect(repo.read('secret1')).toBe('token\n');
    expect(repo.git('rev-list', '--all', '--objects', '--', 'secret1')).toBe('');
    const listed = (await session.view({ path: '.' })).data.entries;
    expect(listed).not.toContain('secret1');
    expect(listed).toContain('tracked.log');
  });

  it('allowIgnored lifts it; rules of the user count where they are given', async () => {
    const repo = withRules(make);
    const open = await repo.session('s1', { allowIgnored: true });
    await open.edit('create', { path: 'a.log', file_text: 'x\n' });
    expect(repo.git('ls-tree', '--name-only', trail, 'a.log')).toBe('a.log');
    repo.write('.git/mine', '*.mine\n');
    const strict = await repo.session('s2', { excludesFiles: [repo.path('.git/mine')] });
    expect(await codeOf(strict.edit('create', { path: 'x.mine', file_text: '' }))).toBe('IGNORED_PATH');
    repo.git('config', 'core.excludesFile', repo.path('.git/mine'));
    expect(await codeOf(open.edit('create', { path: 'x.mine', file_text: '' }))).toBe(null);
    const other = await repo.session('s3');
    expect(await codeOf(other.edit('create', { path: 'y.mine', file_text: '' }))).toBe('IGNORED_PATH');
  });
});
