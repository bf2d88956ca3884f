import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import { openWorkspace } from '../../../src/index.ts';
import { openOn } from '../../../src/workspace/open.ts';
import { processOfBoot } from '../../crash/fault-harness.ts';
import { faultFs } from '../../helpers/fault-fs.ts';
import { overriding } from '../../helpers/overriding.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';
import { everythingIn } from '../../repositories/folder-contents.ts';

const ONE_EDIT = join(import.meta.dirname, '../../crash/one-edit.mjs');
const FILES = { 'a.txt': 'one\ntwo\n' };

/** A linked work tree on the branch `side`, beside the repository. */
function linked(repo: Place): string {
  const root = repo.path('..', 'side');
  repo.git('worktree', 'add', '-q', '-B', 'side', root);
  return root;
}

/** A process that edits a.txt in the work tree and is killed at the point. */
function killedAt(root: string, point: string): void {
  const { signal } = spawnSync(process.execPath, [ONE_EDIT, root, 'SIGKILL', point]);
  expect(signal).toBe('SIGKILL');
}

function leftIn(repo: Place): string[] {
  const names = readdirSync(repo.path('.git/vedit'), { recursive: true, encoding: 'utf8' });
  return names.filter(name => /^(journal|lock)|^(tmp|live)\//.test(name));
}

const REMOVALS: [string, (repo: Place, root: string) => unknown][] = [
  ['git worktree remove', (repo, root) => repo.git('worktree', 'remove', '--force', root)],
  [
    'its folder deleted and pruned',
    (repo, root) => {
      rmSync(root, { recursive: true });
      repo.git('worktree', 'prune');
    },
  ],
  ['its folder deleted', (_, root) => rmSync(root, { recursive: true })],
];

it.each(REMOVALS)('an open agent is told that the work tree is gone: %s', async (_, remove) => {
  const repo = personRepo(FILES);
  const root = linked(repo);
  const workspace = await openWorkspace({ root });
  const session = workspace.session();
  await session.edit('create', { path: 'b.txt', file_text: 'b\n' });
  remove(repo, root);
  const gone = {
    code: 'NOT_A_REPOSITORY',
    message: expect.stringMatching(/ is gone: .* Open another|Put the/),
  };
  for (const call of [
    () => session.edit('create', { path: 'c.txt', file_text: 'c\n' }),
    () => session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' }),
    () => session.undo(),
    () => session.view({ path: 'a.txt' }),
  ])
    await expect(call()).rejects.toMatchObject(gone);
  await workspace.close();
  // Git's own entry is there as long as nobody prunes it: the folder may only not be seen.
  const isUnseen = existsSync(repo.path('.git/worktrees'));
  expect(existsSync(root)).toBe(false);
  expect(leftIn(repo)).toEqual(isUnseen ? [expect.stringMatching(/^journal\.\d+$/)] : []);
  expect(repo.git('show', 'vedit/worktree/side:b.txt')).toBe('b');
});

it('a work tree that is removed while git’s locks are taken is not made again', async () => {
  const repo = personRepo(FILES);
  repo.git('config', 'vedit.trail', 'HEAD');
  const root = linked(repo);
  const disk = nodeFs();
  const fs = overriding(disk, {
    link: async (from, to) => {
      if (to.endsWith('/worktrees/side/index.lock') && existsSync(root))
        repo.git('worktree', 'remove', '--force', root);
      return disk.link(from, to);
    },
  });
  const workspace = await openOn({ fs, codec: nativeCodec, processes: processOfBoot('first') }, { root });
  const edit = workspace.session().edit('create', { path: 'b.txt', file_text: 'b\n' });
  await expect(edit).rejects.toMatchObject({ code: 'NOT_A_REPOSITORY' });
  await workspace.close();
  expect([existsSync(root), existsSync(repo.path('.git/worktrees/side'))]).toEqual([false, false]);
});

it('a repository that was removed is not made again', async () => {
  const repo = personRepo(FILES);
  const workspace = await repo.open();
  const session = workspace.session();
  await session.edit('create', { path: 'b.txt', file_text: 'b\n' });
  rmSync(repo.dir, { recursive: true });
  const edit = session.edit('create', { path: 'c.txt', file_text: 'c\n' });
  await expect(edit).rejects.toMatchObject({ code: 'NOT_A_REPOSITORY' });
  await workspace.close();
  expect(existsSync(repo.dir)).toBe(false);
});

it.each(['recorded', 'before-ref', 'after-ref', 'after-file'])(
  'killed at %s in a work tree that is then removed, nothing stands in the way of another one',
  async point => {
    const repo = personRepo(FILES);
    const root = linked(repo);
    killedAt(root, point);
    repo.git('worktree', 'remove', '--force', root);
    const workspace = await repo.open();
    await workspace.session().edit('create', { path: 'b.txt', file_text: 'b\n' });
    await workspace.close();
    expect([existsSync(root), repo.read('a.txt'), leftIn(repo)]).toEqual([false, FILES['a.txt'], []]);
    expect(existsSync(repo.path('.git/refs/vedit/worktree/side.lock'))).toBe(false);
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
    const isMade = point.startsWith('after');
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/vedit/worktree/side') !== '').toBe(isMade);
  },
);

it('in a process that has both work trees open, the journal of the removed one is settled by the other', async () => {
  const repo = personRepo(FILES);
  const root = linked(repo);
  const [side, main] = [await openWorkspace({ root }), await repo.open()];
  await side.session().edit('create', { path: 'b.txt', file_text: 'b\n' });
  repo.git('worktree', 'remove', '--force', root);
  await main.session().edit('create', { path: 'c.txt', file_text: 'c\n' });
  await side.close();
  await main.close();
  expect(leftIn(repo)).toEqual([]);
});

it('after a power cut each work tree gets its own detached HEAD back', async () => {
  const repo = personRepo(FILES);
  repo.git('config', 'vedit.trail', 'HEAD');
  repo.git('checkout', '-q', '--detach');
  const root = repo.path('..', 'side');
  repo.git('worktree', 'add', '-q', '--detach', root);
  const open = (at: string, boot: string) =>
    openOn({ fs: faultFs(nodeFs()), codec: nativeCodec, processes: processOfBoot(boot) }, { root: at });
  const edit = async (at: string, path: string): Promise<string> => {
    const workspace = await open(at, 'first');
    return (await workspace.session().edit('create', { path, file_text: path })).data.commit!;
  };
  const made = [await edit(root, 'side.txt'), await edit(repo.dir, 'main.txt')];
  writeFileSync(repo.path('.git/worktrees/side/HEAD'), '');
  await (await open(repo.dir, 'second')).close();
  expect([repo.git('-C', root, 'rev-parse', 'HEAD'), repo.git('rev-parse', 'HEAD')]).toEqual(made);
});

it('another repository in the place of the open one gets nothing of it', async () => {
  const [repo, other] = [personRepo(FILES), personRepo({ 'z.txt': 'of another\n' })];
  const workspace = await openWorkspace({ root: repo.dir });
  const session = workspace.session();
  await session.edit('create', { path: 'secret.txt', file_text: 'SECRET\n' });
  rmSync(repo.dir, { recursive: true });
  renameSync(other.dir, repo.dir);
  const before = everythingIn(repo.dir);
  const replaced = { code: 'NOT_A_REPOSITORY', message: expect.stringContaining('Another repository is in') };
  for (const call of [
    () => session.edit('create', { path: 'c.txt', file_text: 'c\n' }),
    () => session.undo(),
    () => session.view({ path: 'z.txt' }),
    () => workspace.land({ message: 'm' }),
    () => workspace.gc(),
  ])
    await expect(call()).rejects.toMatchObject(replaced);
  await workspace.close();
  expect(everythingIn(repo.dir)).toEqual(before);
  const anew = await openWorkspace({ root: repo.dir });
  await anew.session().edit('create', { path: 'c.txt', file_text: 'c\n' });
  await anew.close();
  expect(repo.git('fsck', '--strict', '--dangling')).toBe('');
});
