/** Which errors of a lock of git are waited out. */

import { expect, it } from 'vitest';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { lockedByGit, takeGitLocks } from '../../src/git/git-locks.ts';
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

it('a lock of git is named in its folder, or by its last two names elsewhere', async () => {
  const named = async (path: string) => (await lockedByGit(nodeFs(), path, '/repo/.git')).data.file;
  expect(await named('/repo/.git/refs/heads/x.lock')).toBe('refs/heads/x.lock');
  expect(await named('/repo/.git/worktrees/a/index.lock')).toBe('worktrees/a/index.lock');
  expect(await named('/elsewhere/a/index.lock')).toBe('a/index.lock');
});
