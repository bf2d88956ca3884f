/** Somebody removes the engine's folder under a living process: the next call goes on. */

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { overriding } from '../../helpers/overriding.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';
import { openAs } from './ended-process.ts';

const subjects = (repo: Place): string[] => repo.git('log', '--format=%s', 'vedit/main').split('\n');

const create = (path: string): [string, { path: string; file_text: string }] => [
  'create',
  { path, file_text: `${path}\n` },
];

it.each(['.git/vedit', '.git/vedit/tmp', '.git/vedit/live', '.git/vedit/journal'])(
  'without %s the next edits are made, and everything before them stays',
  async removed => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const workspace = await repo.open();
    const session = workspace.session();
    await session.edit(...create('one.txt'));
    const [journal] = readdirSync(repo.path('.git/vedit')).filter(name => name.startsWith('journal.'));
    const path = removed.endsWith('journal') ? `.git/vedit/${journal}` : removed;
    rmSync(repo.path(path), { recursive: true });
    await session.edit(...create('two.txt'));
    await session.edit(...create('three.txt'));
    await workspace.close();
    expect(subjects(repo).slice(0, 3)).toEqual([
      'create three.txt (+1 -0)',
      'create two.txt (+1 -0)',
      'create one.txt (+1 -0)',
    ]);
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
    expect(readdirSync(repo.path('.git/vedit/tmp'))).toEqual([]);
  },
);

it('removed in the middle of an edit, that edit is made all the same', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const disk = nodeFs();
  let isArmed = false;
  const fs = overriding(disk, {
    link: async (from, to) => {
      if (isArmed && to.endsWith('refs/vedit/main.lock')) {
        isArmed = false;
        rmSync(repo.path('.git/vedit'), { recursive: true });
      }
      return disk.link(from, to);
    },
  });
  const workspace = await openAs(repo, { fs });
  const session = workspace.session();
  await session.edit(...create('one.txt'));
  isArmed = true;
  await session.edit(...create('two.txt'));
  expect(isArmed).toBe(false);
  await workspace.close();
  expect(subjects(repo).slice(0, 2)).toEqual(['create two.txt (+1 -0)', 'create one.txt (+1 -0)']);
  expect([repo.read('two.txt'), existsSync(repo.path('.git/refs/vedit/main.lock'))]).toEqual([
    'two.txt\n',
    false,
  ]);
  expect(readdirSync(repo.path('.git/vedit/tmp'))).toEqual([]);
});

it.each([false, true])(
  'removed when the ref has moved, the edit is in history, and the next call puts its files in place (trail on the branch: %s)',
  async onBranch => {
    const repo = personRepo({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
    if (onBranch) repo.git('config', 'vedit.trail', 'HEAD');
    const disk = nodeFs();
    let isArmed = false;
    const fs = overriding(disk, {
      rename: async (from, to) => {
        await disk.rename(from, to);
        if (!isArmed || !/\/refs\/(vedit|heads)\/main$/.test(to)) return;
        isArmed = false;
        rmSync(repo.path('.git/vedit'), { recursive: true });
      },
    });
    const workspace = await openAs(repo, { fs });
    const session = workspace.session();
    await session.edit(...create('one.txt'));
    isArmed = true;
    const edits = [
      { edit: 'str_replace', path: 'a.txt', old_str: 'one', new_str: 'ONE' },
      { edit: 'delete', path: 'b.txt' },
    ];
    const { data } = await session.change(edits);
    expect(isArmed).toBe(false);
    expect(data.warnings).toEqual([
      expect.stringMatching(/^a\.txt is set aside: .* is in history and not in the file/),
      expect.stringMatching(/^b\.txt is set aside: /),
    ]);
    expect([repo.read('a.txt'), existsSync(repo.path('b.txt'))]).toEqual(['one\n', true]);
    await session.edit(...create('two.txt'));
    expect([repo.read('a.txt'), existsSync(repo.path('b.txt'))]).toEqual(['ONE\n', false]);
    expect(repo.git('status', '--short').includes('M')).toBe(!onBranch);
    await workspace.close();
    expect(
      readdirSync(repo.path('.git'), { recursive: true }).filter(name => `${name}`.endsWith('.lock')),
    ).toEqual([]);
    expect((await (await repo.open()).verify()).data.faults).toEqual([]);
  },
);

it('a repository that was removed is not made again', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const workspace = await repo.open();
  const session = workspace.session();
  await session.edit(...create('one.txt'));
  rmSync(repo.path('.git'), { recursive: true });
  await expect(session.edit(...create('two.txt'))).rejects.toMatchObject({ code: 'NOT_A_REPOSITORY' });
  await workspace.close();
  expect(existsSync(repo.path('.git'))).toBe(false);
});
