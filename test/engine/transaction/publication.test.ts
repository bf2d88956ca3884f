/** What a change waits for before it is made, and what comes of one of which a step fails. */

import { existsSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { Edit } from '../../../src/edits/edit.ts';
import { strReplace } from '../../../src/edits/str-replace.ts';
import { sleep } from '../../../src/fs/all-done.ts';
import type { FileHandle, Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import { nodePlatform } from '../../../src/git/native/platform.ts';
import type { Workspace } from '../../../src/index.ts';
import { openOn } from '../../../src/workspace/open.ts';
import { processOfBoot } from '../../crash/fault-harness.ts';
import { failing, overriding } from '../../helpers/overriding.ts';
import { ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';

const open = (repo: Place, fs: Fs): Promise<Workspace> =>
  openOn({ fs, codec: nativeCodec, processes: processOfBoot('first') }, { root: repo.dir });

/** Notes each sync when it has come to its end, and each rename: paths in the repository's own folder. */
function watched(repo: Place, done: string[]): Fs {
  const disk = nodeFs();
  const git = repo.path('.git');
  const name = (path: string): string => relative(git, path).replace(/[0-9a-f]{24}\.\d+/, '<name>');
  const slow = async (path: string, sync: () => Promise<void>): Promise<void> => {
    await sync();
    await sleep(5);
    done.push(`sync ${name(path)}`);
  };
  return overriding(disk, {
    open: async (path, how, mode) => {
      const handle: FileHandle = await disk.open(path, how, mode);
      const real = realpathSync(path);
      return overriding(handle, {
        sync: () => slow(real, () => handle.sync()),
        syncData: () => slow(real, () => handle.syncData()),
      });
    },
    rename: async (from, to) => {
      done.push(`rename ${name(from)}`);
      await disk.rename(from, to);
    },
  });
}

it('record, files and index are durable before the ref moves', async () => {
  const repo = ownRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const done: string[] = [];
  const workspace = await open(repo, watched(repo, done));
  const session = workspace.session();
  await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'x' });
  done.length = 0;
  await session.change([
    { edit: 'str_replace', path: 'a.txt', old_str: 'x', new_str: 'y' },
    { edit: 'str_replace', path: 'b.txt', old_str: 'b', new_str: 'y' },
  ]);
  const before = done.slice(0, done.indexOf('rename vedit/tmp/<name>-ref'));
  const synced = before.filter(line => line.startsWith('sync'));
  const journal = readdirSync(repo.path('.git/vedit')).find(file => file.startsWith('journal.'));
  expect(synced.toSorted()).toEqual(
    [
      'sync vedit/tmp/<name>-0',
      'sync vedit/tmp/<name>-1',
      'sync vedit/tmp/<name>-index',
      `sync vedit/${journal}`,
    ].toSorted(),
  );
  await workspace.close();
});

it('folders of files and the refs are durable before the journal goes', async () => {
  const repo = personRepo({ 'sub/a.txt': 'a\n' });
  const done: string[] = [];
  const workspace = await open(repo, watched(repo, done));
  await workspace.session().edit('create', { path: 'sub/b.txt', file_text: 'b\n' });
  done.length = 0;
  await workspace.close();
  expect(done).toEqual(expect.arrayContaining(['sync ../sub', 'sync refs/vedit']));
  expect(readdirSync(repo.path('.git/vedit')).filter(name => name.startsWith('journal.'))).toEqual([]);
});

it('an error at the locks of git is told at once: only a lock of somebody is waited for', async () => {
  const repo = ownRepo({ 'a.txt': 'a\n' });
  const disk = nodeFs();
  let tries = 0;
  const fs = overriding(disk, {
    link: async (from, to) => {
      if (!to.endsWith('/index.lock')) return disk.link(from, to);
      tries++;
      return failing('EIO')();
    },
  });
  const workspace = await open(repo, fs);
  const edit = workspace.session().edit('create', { path: 'b.txt', file_text: 'b\n' });
  await expect(edit).rejects.toMatchObject({ code: 'STORE_FAILED' });
  expect(tries).toBe(1);
  await workspace.close();
});

it.each([
  ['tmp', 'the engine’s folder is still there', 1, []],
  ['lock', 'the lock is still held', 1, []],
  // What may be somebody else's by then is left to the next call.
  ['lock', 'the lock is still held, for long', 9, [expect.any(String)]],
])('an error is told at once also where nobody can tell whether %s: %s', async (name, _, most, left) => {
  const repo = ownRepo({ 'a.txt': 'a\n' });
  const disk = nodeFs();
  let [fails, looks] = [0, 0];
  const fs = overriding(disk, {
    link: (from, to) =>
      fails === 0 && to.endsWith('/index.lock') && ++fails ? failing('EIO')() : disk.link(from, to),
    lstat: path =>
      fails === 1 && looks < most && path.endsWith(`/vedit/${name}`) && ++looks
        ? failing('EIO')()
        : disk.lstat(path),
  });
  const workspace = await open(repo, fs);
  const edit = (path: string) => workspace.session().edit('create', { path, file_text: 'b\n' });
  await expect(edit('b.txt')).rejects.toMatchObject({ code: 'STORE_FAILED' });
  expect(looks).toBeGreaterThan(0);
  expect(readdirSync(repo.path('.git/vedit/tmp')).slice(0, 1)).toEqual(left);
  looks = most;
  await edit('c.txt');
  expect(readdirSync(repo.path('.git/vedit/tmp'))).toEqual([]);
  expect(repo.git('log', '--format=%s').split('\n')).toHaveLength(2);
  expect(repo.git('status', '--porcelain')).toBe('');
  await workspace.close();
});

it.each([
  ['index', 'the index'],
  ['a.txt', 'the file'],
])(
  'the next edit finishes one of which %s could not be put in place, and leaves nothing of it',
  async target => {
    const repo = ownRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const disk = nodeFs();
    let fails = 0;
    const fs = overriding(disk, {
      rename: (from, to) =>
        fails > 0 && to.endsWith(`/${target}`) && fails-- ? failing('EMFILE')() : disk.rename(from, to),
    });
    const workspace = await open(repo, fs);
    const session = workspace.session();
    fails = 1;
    const { data } = await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'x' });
    expect([fails, data.warnings]).toEqual([0, [expect.stringContaining('the next call finishes it')]]);
    await session.edit('str_replace', { path: 'b.txt', old_str: 'b', new_str: 'x' });
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['x\n', 'x\n']);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(readdirSync(repo.path('.git/vedit/tmp'))).toEqual([]);
    await workspace.close();
  },
);

it('an edit amid which the machine slept is planned again, and made once', async () => {
  const repo = ownRepo({ 'a.txt': 'a\n' });
  const disk = nodeFs();
  let isToSleep = true;
  const fs = overriding(disk, {
    open: async (path, how, mode) => {
      const handle: FileHandle = await disk.open(path, how, mode);
      const syncData = async (): Promise<void> => {
        if (isToSleep) vi.advanceTimersByTime(60_000);
        isToSleep = false;
        await handle.syncData();
      };
      return how === 'journal' ? overriding(handle, { syncData }) : handle;
    },
  });
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() });
  try {
    const workspace = await openOn({ ...nodePlatform(), fs }, { root: repo.dir });
    await workspace.session().edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'x' });
    expect([isToSleep, repo.read('a.txt')]).toEqual([false, 'x\n']);
    expect(repo.git('rev-list', '--count', 'HEAD')).toBe('2');
    expect(repo.git('status', '--porcelain')).toBe('');
    await workspace.close();
    expect(readdirSync(repo.path('.git/vedit/tmp'))).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

it('a ref that moves between the look at it and its lock is not moved back: the change is planned again', async () => {
  const repo = personRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const disk = nodeFs();
  let other = '';
  const link = async (from: string, to: string): Promise<void> => {
    const isLock = to.endsWith('/refs/vedit/main.lock');
    if (isLock && other !== '') writeFileSync(repo.path('.git/refs/vedit/main'), `${other}\n`);
    if (isLock) other = '';
    await disk.link(from, to);
  };
  const workspace = await open(repo, overriding(disk, { link }));
  const session = workspace.session();
  await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'x' });
  const theirs = repo.git('commit-tree', '-p', 'vedit/main', '-m', 'theirs', 'vedit/main^{tree}');
  other = theirs;
  await session.edit('str_replace', { path: 'b.txt', old_str: 'b', new_str: 'y' });
  expect([other, repo.read('b.txt')]).toEqual(['', 'y\n']);
  expect(repo.git('rev-list', 'vedit/main').split('\n')).toContain(theirs);
  await workspace.close();
});

it('a ref that git packs before its lock is taken moves with that lock held all the same', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const disk = nodeFs();
  const lock = repo.path('.git/refs/vedit/main.lock');
  const held: boolean[] = [];
  let isToPack = false;
  const fs = overriding(disk, {
    link: (from, to) => {
      if (to === lock && isToPack) repo.git('pack-refs', '--all');
      if (to === lock) isToPack = false;
      return disk.link(from, to);
    },
    rename: (from, to) => {
      if (to === repo.path('.git/refs/vedit/main')) held.push(existsSync(lock));
      return disk.rename(from, to);
    },
  });
  const workspace = await openOn({ ...nodePlatform(), fs }, { root: repo.dir });
  await workspace.session().edit('create', { path: 'one.txt', file_text: 'one\n' });
  isToPack = true;
  await workspace.session().edit('create', { path: 'two.txt', file_text: 'two\n' });
  expect([isToPack, held]).toEqual([false, [true, true]]);
  await workspace.close();
});

it.each<[string, string[], log: string[]]>([
  ['a commit', ['commit', '-q', '--allow-empty', '-m', 'mine'], ['mine']],
  ['a switch of the branch', ['switch', '-qc', 'other'], []],
])('%s between the plan and the locks is seen, and the change is planned again', async (_, act, log) => {
  const repo = ownRepo({ 'a.txt': 'a\n' });
  const main = repo.git('rev-parse', 'main');
  const disk = nodeFs();
  let hasActed = false;
  const fs = overriding(disk, {
    link: async (from, to) => {
      if (!hasActed && to.endsWith('/index.lock')) {
        hasActed = true;
        repo.git(...act);
      }
      return disk.link(from, to);
    },
  });
  const workspace = await open(repo, fs);
  await workspace.session().edit('create', { path: 'b.txt', file_text: 'b\n' });
  await workspace.close();
  const made = repo.git('log', '--format=%s', `${main}..HEAD~1`).split('\n').filter(Boolean);
  expect([hasActed, made]).toEqual([true, log]);
  if (log.length === 0) expect(repo.git('rev-parse', 'main')).toBe(main);
});

it.each<[string, () => Place, string[]]>([
  ['on the branch', () => ownRepo({ 'sub/a.txt': 'a\n' }), ['', '..', '../sub', 'refs/heads']],
  ['beside the branch', () => personRepo({ 'sub/a.txt': 'a\n' }), ['..', '../sub', 'refs/vedit']],
])(
  'with durability full all folders of a change are durable before the answer, %s',
  async (_, make, folders) => {
    const repo = make();
    const done: string[] = [];
    const platform = { fs: watched(repo, done), codec: nativeCodec, processes: processOfBoot('first') };
    const workspace = await openOn(platform, { root: repo.dir, durability: 'full' });
    for (const name of ['b', 'c']) {
      done.length = 0;
      await workspace.session().edit('create', { path: `sub/${name}.txt`, file_text: 'b\n' });
    }
    const moved = done.indexOf('rename vedit/tmp/<name>-ref');
    const synced = done.slice(moved).filter(line => line.startsWith('sync'));
    expect(synced.map(line => line.slice('sync '.length)).toSorted()).toEqual(folders);
    await workspace.close();
  },
);

it('an answer that cannot be made leaves nothing of its edit', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const worse = {
    toString: () => {
      throw new Error('no words');
    },
  } as unknown as string;
  const own: Edit<never> = {
    ...strReplace,
    name: 'worse_replace',
    plan: (...given) =>
      strReplace
        .plan(...(given as Parameters<typeof strReplace.plan>))
        .map(one => ({ ...one, notes: [worse] })),
  };
  const workspace = await repo.open({ edits: [own] });
  const session = workspace.session();
  const before = await session.edit('create', { path: 'b.txt', file_text: 'b\n' });
  const input = { path: 'a.txt', old_str: 'a', new_str: 'x' };
  await expect(session.edit('worse_replace' as string as never, input)).rejects.toThrow();
  expect(repo.read('a.txt')).toBe('a\n');
  expect(repo.git('rev-parse', 'refs/vedit/main')).toBe(before.data.commit);
  expect(readdirSync(repo.path('.git/vedit/tmp'))).toEqual([]);
  await session.edit('str_replace', input);
  await workspace.close();
  expect(repo.git('log', '--format=%s', 'refs/vedit/main').split('\n').slice(0, 2)).toEqual([
    'str_replace a.txt (+1 -1)',
    'create b.txt (+1 -0)',
  ]);
  expect(repo.git('fsck', '--strict')).toBe('');
});
