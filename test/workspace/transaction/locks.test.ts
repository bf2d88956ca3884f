/** Git's locks that a dead process left, and those of somebody else in their place. */

import { existsSync, linkSync, lstatSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { takeGitLocks } from '../../../src/git/git-locks.ts';
import { locate } from '../../../src/git/repository/repository.ts';
import { lockContent, removeLocksOf } from '../../../src/workspace/transaction/locks.ts';
import { type Place, personRepo } from '../person-repo.ts';

const OLD = 'a'.repeat(40);

/** Removes what the record of a change on main says to be ours, where index.lock holds these bytes. */
async function isRemoved(repo: Place, boot: 'same' | 'other', bytes: Uint8Array): Promise<boolean> {
  const lock = repo.path('.git/index.lock');
  writeFileSync(lock, bytes);
  const record = { ref: 'refs/heads/main', old: OLD, lockInode: String(lstatSync(lock).ino) };
  await removeLocksOf(await locate(nodeFs(), repo.dir), boot, record);
  return !existsSync(lock);
}

it.each<[string, Uint8Array, same: boolean, other: boolean]>([
  ['the old commit', lockContent(OLD), true, true],
  ['nothing, as the lock of a git that begins', new Uint8Array(), false, true],
  ['zeros, as after a power cut', new Uint8Array(41), false, true],
  ['an index', new TextEncoder().encode('DIRC'), false, false],
])('a lock with the inode of the record that holds %s', async (_, bytes, same, other) => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  expect(await isRemoved(repo, 'same', bytes)).toBe(same);
  expect(await isRemoved(repo, 'other', bytes)).toBe(other);
});

it('a lock that is a link of the ref was left behind, and is taken over; any other one is waited for', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const ref = repo.path('.git/refs/heads/main');
  const wanted = [{ path: `${ref}.lock`, staged: ref }];
  const waiting = { fs: nodeFs(), commonDir: repo.path('.git'), patience: 50 };
  linkSync(ref, `${ref}.lock`);
  expect(await takeGitLocks(wanted, waiting)).toBe(true);
  expect(lstatSync(ref).nlink).toBe(2);
  const index = repo.path('.git/index.lock');
  writeFileSync(index, '');
  await expect(takeGitLocks([{ path: index, staged: ref }], waiting)).rejects.toMatchObject({
    code: 'LOCKED',
  });
  expect(existsSync(index)).toBe(true);
});
