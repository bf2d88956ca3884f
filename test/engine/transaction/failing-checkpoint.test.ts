/** A checkpoint that fails each time: it is tried less and less often, and leaves no more behind than one that fails once. */

import { mkdirSync, readdirSync, rmSync, statSync, truncateSync, utimesSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Context } from '../../../src/engine/context.ts';
import { Checkpoints } from '../../../src/engine/transaction/checkpoint.ts';
import type { Journal } from '../../../src/engine/transaction/journal/journal.ts';
import type { ChangeRecord } from '../../../src/engine/transaction/journal/record.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { openWorkspace, type Session } from '../../../src/index.ts';
import { failing, overriding } from '../../helpers/overriding.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';
import { openAs } from './ended-process.ts';

const realTimeout = setTimeout;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const named = (repo: Place, folder: string, name: RegExp): string[] =>
  readdirSync(repo.path(folder)).filter(one => name.test(one));
const journals = (repo: Place): string[] => named(repo, '.git/vedit', /^journal\./);
const packs = (repo: Place): string[] => named(repo, '.git/objects/pack', /\.pack$/);

/** An edit in a linked work tree whose pointer cannot be read after that, and a workspace on the main one. */
async function withUnreadableWorkTree(): Promise<{ repo: Place; session: Session; close(): Promise<void> }> {
  const repo = personRepo({ 'a.txt': 'a\n' });
  repo.git('worktree', 'add', '-q', '-b', 'other', '../linked');
  const other = await openWorkspace({ root: repo.path('../linked') });
  await other.session().edit('create', { path: 'n.txt', file_text: 'n\n' });
  const workspace = await repo.open();
  rmSync(repo.path('.git/worktrees/linked/gitdir'));
  mkdirSync(repo.path('.git/worktrees/linked/gitdir'));
  return { repo, session: workspace.session(), close: () => workspace.close() };
}

/** Until everything that timers began has ended. */
async function passes(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  for (let turns = 0; turns < 20; turns++) await new Promise(resolve => realTimeout(resolve, 10));
}

it('is tried after twice as long each time, up to five minutes', async () => {
  const journal = { end: { file: 1 }, begin: async () => {}, readAll: failing('EIO') };
  const checkpoints = new Checkpoints(journal as unknown as Journal<ChangeRecord>);
  const context = { processes: { self: { boot: 'this' } } } as Context;
  const seconds: number[] = [];
  for (let n = 0; n < 10; n++) {
    await checkpoints.roll(context, 'token', true);
    await checkpoints.ended();
    seconds.push(checkpoints.pause / 1_000);
    vi.advanceTimersByTime(checkpoints.pause);
  }
  expect(seconds).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
});

it('adds neither journal files nor packs', async () => {
  const { repo, session, close } = await withUnreadableWorkTree();
  for (let n = 0; n < 8; n++) {
    await session.edit('create', { path: `m${n}.txt`, file_text: `${n}\n` });
    await passes(1_500);
  }
  expect(journals(repo).length).toBeLessThanOrEqual(2);
  expect(packs(repo).length).toBeLessThanOrEqual(1);
  await close();
  expect(packs(repo).length).toBeLessThanOrEqual(2);
  expect(repo.git('log', '--oneline', 'vedit/main').split('\n')).toHaveLength(9);
});

it('ends when the system has had the time to write the files of that work tree by itself', async () => {
  const { repo, session, close } = await withUnreadableWorkTree();
  await session.edit('create', { path: 'm.txt', file_text: 'x\n' });
  await passes(1_500);
  expect(journals(repo)).toHaveLength(2);
  const before = Date.now() / 1000 - 120;
  utimesSync(repo.path('.git/vedit', journals(repo)[0]!), before, before);
  await session.edit('create', { path: 'n.txt', file_text: 'x\n' });
  await passes(4_000);
  expect(journals(repo)).toHaveLength(1);
  await close();
});

it('is made again when its cause is gone', async () => {
  const { repo, session, close } = await withUnreadableWorkTree();
  await session.edit('create', { path: 'm.txt', file_text: 'x\n' });
  await passes(1_500);
  rmSync(repo.path('.git/worktrees/linked'), { recursive: true });
  await session.edit('create', { path: 'n.txt', file_text: 'x\n' });
  await close();
  expect(journals(repo)).toEqual([]);
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
});

/** A disk on which no pack gets its name. */
async function withoutPacks(): Promise<{
  repo: Place;
  session: Session;
  close(): Promise<void>;
  mend(): void;
}> {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const disk = nodeFs();
  let isBroken = true;
  const fs = overriding(disk, {
    rename: (from, to) =>
      isBroken && to.endsWith('.pack')
        ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO', path: to }))
        : disk.rename(from, to),
  });
  const workspace = await openAs(repo, { fs });
  return {
    repo,
    session: workspace.session(),
    close: () => workspace.close(),
    mend: () => {
      isBroken = false;
    },
  };
}

it('is told in the next answer and by status, until one is made', async () => {
  const { repo, session, close, mend } = await withoutPacks();
  const create = async (path: string): Promise<string[]> =>
    (await session.edit('create', { path, file_text: 'x\n' })).data.warnings ?? [];
  expect(await create('1.txt')).toEqual([]);
  await passes(1_500);
  expect(await create('2.txt')).toEqual([expect.stringMatching(/could not be made durable .*\.pack/)]);
  expect(await create('3.txt')).toEqual([]);
  expect((await session.status()).message).toContain('could not be made durable in its own place');
  mend();
  await passes(4_000);
  await create('4.txt');
  await close();
  expect(journals(repo)).toEqual([]);
  expect((await (await repo.session()).status()).data.unsettled).toBeNull();
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
});

it('from 64 MiB of journal on edits are refused, by other processes too, until its cause is gone', async () => {
  const { repo, session, close, mend } = await withoutPacks();
  await session.edit('create', { path: '1.txt', file_text: 'x\n' });
  await passes(1_500);
  const oldest = repo.path('.git/vedit', journals(repo)[0]!);
  const { size } = statSync(oldest);
  const edit = { path: '2.txt', file_text: 'x\n' };
  // Bytes behind the end, which the next file seals.
  truncateSync(oldest, 64 * 1024 * 1024 + 1);
  for (const one of [session, (await openAs(repo)).session()])
    await expect(one.edit('create', edit)).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining('It has over 64 MiB by now, so nothing more is edited until then.'),
    });
  truncateSync(oldest, size);
  await session.edit('create', edit);
  mend();
  await close();
  expect(repo.git('log', '--format=%s', 'vedit/main').split('\n')).toHaveLength(3);
});
