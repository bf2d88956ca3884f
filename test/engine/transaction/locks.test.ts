/** Git's locks that a dead process left, and those of somebody else in their place. */

import { existsSync, linkSync, lstatSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import type { Context } from '../../../src/engine/context.ts';
import {
  checkPlaces,
  linkable,
  lockContent,
  removeLocksOf,
  removeOldLocks,
  wantedLocks,
} from '../../../src/engine/transaction/locks.ts';
import type { Stat } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { takeGitLocks } from '../../../src/git/git-locks.ts';
import { locate, type Repository } from '../../../src/git/repository/repository.ts';
import { codeOf, ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';

const OLD = 'a'.repeat(40);

async function homeOf(place: Place): Promise<{ repo: Repository }> {
  return { repo: await locate(nodeFs(), place.dir) };
}

/** Removes what the record of a change on main says to be ours, where index.lock holds these bytes. */
async function isRemoved(repo: Place, boot: 'same' | 'other', bytes: Uint8Array): Promise<boolean> {
  const lock = repo.path('.git/index.lock');
  writeFileSync(lock, bytes);
  const record = { ref: 'refs/heads/main', old: OLD, lockInode: String(lstatSync(lock).ino) };
  await removeLocksOf(await homeOf(repo), boot, record);
  return !existsSync(lock);
}

it.each<[string, Uint8Array, same: boolean, other: boolean]>([
  ['the old commit', lockContent(OLD), true, true],
  ['nothing, as the lock of a git that begins', new Uint8Array(), false, true],
  ['the half of the old commit', lockContent(OLD).slice(0, 20), false, true],
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

it('are links of the file of the ref where that is a file of ours, on a disk', async () => {
  const { repo } = await homeOf(personRepo({}));
  const path = `${repo.gitDir}/refs/heads/main`;
  const linked = (ref: object | null, volatile = false): string | null =>
    linkable({ fs: { volatile }, repo, euid: 1 } as Context, 'refs/heads/main', ref as Stat | null);
  expect(linked({ type: 'file', uid: 1 })).toBe(path);
  expect(linked({ type: 'file', uid: 2 })).toBeNull();
  expect(linked({ type: 'symlink', uid: 1 })).toBeNull();
  expect(linked({ type: 'file', uid: 1 }, true)).toBeNull();
  expect(linked(null)).toBeNull();
});

it('are those of git commit, in its order, where the trail is the checked-out branch', async () => {
  const repo = await locate(nodeFs(), personRepo({}).dir);
  const named = (ref: string, checkedOut: boolean, bare = false): string[] =>
    wantedLocks({ repo: { ...repo, bare } }, { ref, checkedOut }, 'staged').map(({ path }) =>
      path.slice(repo.gitDir.length + 1),
    );
  expect(named('refs/heads/main', true)).toEqual(['index.lock', 'HEAD.lock', 'refs/heads/main.lock']);
  expect(named('HEAD', true)).toEqual(['index.lock', 'HEAD.lock']);
  expect(named('refs/vedit/main', false)).toEqual(['refs/vedit/main.lock']);
  expect(named('refs/heads/main', true, true)).toEqual(['refs/heads/main.lock']);
});

it('a ref that is a link is replaced, one in a folder that is a link is refused', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const context = { fs: nodeFs(), repo: (await homeOf(repo)).repo } as unknown as Context;
  const check = (ref: string): Promise<string | null> =>
    codeOf(Promise.resolve(checkPlaces(context, { ref })));
  symlinkSync('main', repo.path('.git/refs/heads/linked'));
  symlinkSync('heads', repo.path('.git/refs/vedit'));
  expect(await check('refs/heads/linked')).toBe(null);
  expect(await check('refs/vedit/main')).toBe('UNSUPPORTED_REPOSITORY');
});

it.each(['index', 'HEAD', 'refs/heads/main'])(
  'an edit on the branch waits for %s.lock of a git',
  async name => {
    const repo = ownRepo({ 'a.txt': 'a\n' });
    repo.write(`.git/${name}.lock`, 'of somebody');
    const session = await repo.session('s1', { patience: { git: 50 } });
    expect(await codeOf(session.edit('create', { path: 'n.txt', file_text: 'n\n' }))).toBe('LOCKED');
    expect([existsSync(repo.path('n.txt')), existsSync(repo.path(`.git/${name}.lock`))]).toEqual([
      false,
      true,
    ]);
  },
);

it.each<[string, Uint8Array, boolean]>([
  ['the old commit', lockContent(OLD), true],
  ['another commit, as the lock of a git that writes', lockContent('b'.repeat(40)), false],
  ['nothing, as the lock of a git that begins', new Uint8Array(), false],
])('a lock in a copy of the repository, where inodes are others, that holds %s', async (_, bytes, isGone) => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  for (const name of ['index', 'HEAD', 'refs/heads/main']) {
    const lock = repo.path(`.git/${name}.lock`);
    writeFileSync(lock, bytes);
    const record = { ref: 'refs/heads/main', old: OLD, lockInode: 'another' };
    await removeLocksOf(await homeOf(repo), 'same', record);
    expect(existsSync(lock)).toBe(!isGone);
  }
});

it('after a power cut the empty lock of a git that begins is left alone', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  repo.write('.git/index.lock', '');
  const record = { ref: 'refs/heads/main', old: OLD, lockInode: 'another' };
  await removeLocksOf(await homeOf(repo), 'other', record);
  expect(existsSync(repo.path('.git/index.lock'))).toBe(true);
});

it('a lock of the index that a repair left, which died too, is removed by what it holds', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const lock = repo.path('.git/index.lock');
  const record = { ref: 'refs/heads/main', old: OLD, lockInode: 'another' };
  const remove = async (content: Uint8Array): Promise<boolean> => {
    writeFileSync(lock, content);
    await removeLocksOf(await homeOf(repo), 'same', record);
    return !existsSync(lock);
  };
  expect(await remove(lockContent(null))).toBe(true);
  expect(await remove(new Uint8Array())).toBe(false);
});

it.each<[string, isRemoved: boolean, (ref: string, lock: string) => void]>([
  ['is a link of the file that was the ref', true, () => {}],
  [
    'is another file',
    false,
    (ref, lock) => {
      writeFileSync(ref, lockContent(OLD));
      renameSync(ref, lock);
    },
  ],
  ['is a link of the ref as it is', false, (ref, lock) => linkSync(lock, ref)],
  ['is of that number again, and holds nothing', false, (_, lock) => writeFileSync(lock, '')],
])('who lost the engine’s lock takes away of its git locks one that %s: %s', async (_, isGone, change) => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const ref = repo.path('.git/refs/vedit/main');
  mkdirSync(dirname(ref));
  const lock = `${ref}.lock`;
  writeFileSync(lock, lockContent(OLD));
  const inode = String(lstatSync(lock).ino);
  change(ref, lock);
  const context = { fs: nodeFs(), repo: (await homeOf(repo)).repo } as unknown as Context;
  await removeOldLocks(context, { ref: 'refs/vedit/main', oid: OLD }, inode, [lock]);
  expect(existsSync(lock)).toBe(!isGone);
});
