/** Which errors of a lock of git are waited out. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { lockedByGit, releaseGitLocks, takeGitLocks } from '../../src/git/git-locks.ts';
import { failing, overriding } from '../helpers/overriding.ts';
import { codeOf } from '../helpers/person-repo.ts';
import { sandbox } from '../helpers/real-git.ts';

it.each([
  ['EIO', 'refs/heads/main.lock', 1],
  ['ENOENT', 'index.lock', 1],
  // Somebody may remove the empty folder of a ref again.
  ['ENOENT', 'refs/heads/main.lock', 3],
])('%s at %s is told after so many tries: %i', async (code, name, most) => {
  const commonDir = sandbox().dir;
  let tries = 0;
  const link = (): Promise<never> => {
    tries++;
    return failing(code)();
  };
  const waiting = { fs: overriding(nodeFs(), { link }), commonDir, patience: 0 };
  const wanted = [{ path: `${commonDir}/${name}`, staged: `${commonDir}/staged` }];
  expect([await codeOf(takeGitLocks(wanted, waiting)), tries]).toEqual([code, most]);
});

it('a lock of somebody is not waited for where that is of no use any more', async () => {
  const box = sandbox();
  for (const name of ['index.lock', 'staged']) box.write(name, name);
  const wanted = [{ path: box.path('index.lock'), staged: box.path('staged') }];
  const waiting = { fs: nodeFs(), commonDir: box.dir, patience: 10_000 };
  expect(await takeGitLocks(wanted, waiting, async () => false)).toBe(false);
  expect(readFileSync(box.path('index.lock'), 'utf8')).toBe('index.lock');
});

it('a file in the place of the folder of a ref is told at once, and is no lock', async () => {
  const box = sandbox();
  for (const name of ['staged', 'refs/heads/a']) box.write(name, name);
  const wanted = ['refs/heads/b.lock', 'refs/heads/a/c.lock'].map(name => {
    return { path: box.path(name), staged: box.path('staged') };
  });
  const waiting = { fs: nodeFs(), commonDir: box.dir, patience: 10_000 };
  expect(await codeOf(takeGitLocks(wanted, waiting, async () => false))).toBe('EEXIST');
  expect(readdirSync(box.path('refs/heads'))).toEqual(['a']);
});

it('a lock that cannot be removed is told, and keeps no other', async () => {
  const box = sandbox();
  for (const name of ['a.lock', 'b.lock']) box.write(name, '');
  const disk = nodeFs();
  const unlink = (path: string): Promise<void> =>
    path.endsWith('/b.lock') ? failing('EIO')() : disk.unlink(path);
  const releasing = releaseGitLocks(overriding(disk, { unlink }), [box.path('a.lock'), box.path('b.lock')]);
  expect([await codeOf(releasing), readdirSync(box.dir)]).toEqual(['EIO', ['b.lock']]);
});

it('a lock of git is named in its folder, or by its last two names elsewhere', async () => {
  const named = async (path: string) => (await lockedByGit(nodeFs(), path, '/repo/.git')).data.file;
  expect(await named('/repo/.git/refs/heads/x.lock')).toBe('refs/heads/x.lock');
  expect(await named('/repo/.git/worktrees/a/index.lock')).toBe('worktrees/a/index.lock');
  expect(await named('/elsewhere/a/index.lock')).toBe('a/index.lock');
});
