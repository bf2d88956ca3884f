import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { initRepository } from '../../src/index.ts';
import { codeOf, type Place, personRepo, place } from '../helpers/person-repo.ts';
import { sandbox } from '../helpers/real-git.ts';
import { bin } from '../helpers/vedit.ts';
import { everythingIn } from './folder-contents.ts';

function made(...options: string[]): Place {
  const repo = place(sandbox());
  repo.git('init', '-q', '-b', 'main', ...options);
  repo.write('a.txt', 'a\n');
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'start');
  return repo;
}

/** What a newer git, or another program, makes of a repository. */
const UNKNOWN: ReadonlyArray<readonly [name: string, feature: RegExp, make: () => Place]> = [
  ['SHA-256', /object format sha256/, () => made('--object-format=sha256')],
  [
    'reftable',
    /ref storage reftable/,
    () => {
      const repo = made();
      repo.git('config', 'core.repositoryFormatVersion', '1');
      repo.git('config', 'extensions.refStorage', 'reftable');
      return repo;
    },
  ],
  [
    'an extension of tomorrow',
    /extension tomorrow/,
    () => {
      const repo = made();
      repo.git('config', 'core.repositoryFormatVersion', '1');
      repo.git('config', 'extensions.tomorrow', 'true');
      return repo;
    },
  ],
  [
    'a format of tomorrow',
    /format version 2/,
    () => {
      const repo = made();
      repo.git('config', 'core.repositoryFormatVersion', '2');
      return repo;
    },
  ],
  [
    'a .git that is a symbolic link',
    /\.git is a symbolic link/,
    () => {
      const repo = made();
      renameSync(repo.path('.git'), repo.path('..', 'elsewhere.git'));
      symlinkSync('../elsewhere.git', repo.path('.git'));
      return repo;
    },
  ],
  [
    'a work tree that is another folder',
    /does not lead back/,
    () => {
      const repo = made();
      repo.git('config', 'core.worktree', repo.path('..'));
      return repo;
    },
  ],
  [
    'a HEAD that is a symbolic link',
    /HEAD is a symbolic link/,
    () => {
      const repo = made();
      renameSync(repo.path('.git/HEAD'), repo.path('.git/OTHER'));
      symlinkSync('OTHER', repo.path('.git/HEAD'));
      return repo;
    },
  ],
];

describe.each(UNKNOWN)('a repository with %s', (_name, feature, make) => {
  it('is refused with the feature, by library and command line, and nothing is written', async () => {
    const repo = make();
    const before = everythingIn(repo.path('..'));
    const error = await repo.session().catch(error => error);
    expect(error).toMatchObject({ code: 'UNSUPPORTED_REPOSITORY' });
    expect(error.data.feature).toMatch(feature);
    for (const args of [['create', 'b.txt', '--text', 'x'], ['view', 'a.txt'], ['status'], ['undo']]) {
      const { code, out, err } = await bin(repo, args);
      expect({ code, out }).toEqual({ code: 128, out: '' });
      expect(err).toContain('UNSUPPORTED_REPOSITORY');
    }
    expect(await codeOf(initRepository({ root: repo.dir }))).toBe('UNSUPPORTED_REPOSITORY');
    const after = everythingIn(repo.path('..'));
    for (const path of Object.keys(after)) if (/\/home\/?$/.test(path)) delete after[path];
    expect(after).toEqual(before);
  });
});

describe('an open workspace', () => {
  it('notices when its repository becomes one of tomorrow', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'b' });
    repo.git('config', 'core.repositoryFormatVersion', '1');
    repo.git('config', 'extensions.objectFormat', 'sha256');
    const before = everythingIn(repo.dir);
    const call = session.edit('str_replace', { path: 'a.txt', old_str: 'b', new_str: 'c' });
    await expect(call).rejects.toMatchObject({ code: 'UNSUPPORTED_REPOSITORY' });
    expect(everythingIn(repo.dir)).toEqual(before);
  });

  it('reads a config that cannot be parsed as damage, not as an empty one', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const session = await repo.session();
    writeFileSync(repo.path('.git/config'), '[core\n');
    await expect(session.view({ path: 'a.txt' })).rejects.toMatchObject({ code: 'CORRUPT' });
    await expect(repo.open()).rejects.toMatchObject({ code: 'CORRUPT' });
  });
});

it('a merge in progress on the branch of the trail waits for the person', async () => {
  const repo = personRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  repo.git('config', 'vedit.trail', 'HEAD');
  repo.git('checkout', '-q', '-b', 'side');
  repo.write('a.txt', 'side\n');
  repo.git('commit', '-qam', 'side');
  repo.git('checkout', '-q', 'main');
  repo.write('a.txt', 'main\n');
  repo.git('commit', '-qam', 'main');
  expect(() => repo.git('merge', 'side')).toThrow();
  const before = everythingIn(repo.dir);
  const session = await repo.session();
  const call = session.edit('str_replace', { path: 'b.txt', old_str: 'b', new_str: 'B' });
  await expect(call).rejects.toMatchObject({ code: 'CONFLICT', data: { in_progress: 'merge' } });
  for (const key of Object.keys(before)) expect(everythingIn(repo.dir)[key]).toBe(before[key]);
  expect(repo.git('status', '--porcelain')).toBe('UU a.txt');
});
