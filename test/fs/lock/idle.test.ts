/** A process leaves the folder when nothing happened for long. One that slept amid an edit has lost its lock. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type LockOptions, leaveEngineLock, takeEngineLock } from '../../../src/fs/lock/engine-lock.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { anotherProcess, names, scratch } from '../../helpers/locks.ts';

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const options = (): LockOptions => ({
  fs: nodeFs(),
  processes: anotherProcess({ openSockets: async () => null }),
  folder: scratch(),
  patience: 1_000,
});

const edit = async (here: LockOptions): Promise<void> => (await takeEngineLock(here)).release();

it('the files of a process go ten seconds after its last edit, and not before', async () => {
  const here = options();
  await edit(here);
  const own = names(here.folder);
  expect(own).toHaveLength(2);
  vi.advanceTimersByTime(6_000);
  await edit(here);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(names(here.folder)).toEqual(own);
  await vi.advanceTimersByTimeAsync(14_000);
  vi.useRealTimers();
  await vi.waitFor(() => expect(names(here.folder)).toEqual(['wanted']), 10_000);
});

it.each([false, true])('a process renews its lock while it holds it (brief: %s)', async brief => {
  const here = { ...options(), processes: anotherProcess({ brief, openSockets: async () => null }) };
  const lock = await takeEngineLock(here);
  const renewed = vi.spyOn(here.fs, 'touch');
  for (let second = 0; second < 30; second++) await vi.advanceTimersByTimeAsync(1_000);
  expect(renewed.mock.calls.length).toBeGreaterThan(10);
  expect(await lock.isMine()).toBe(true);
  await lock.release();
  await leaveEngineLock(here);
});

it('one that slept amid an edit has lost its lock, and takes it over from itself, as what is to be repaired', async () => {
  const here = options();
  const lock = await takeEngineLock(here);
  vi.advanceTimersByTime(26_000);
  expect(await lock.isMine()).toBe(false);
  await lock.release();
  expect(names(here.folder)).toContain('lock');
  const next = await takeEngineLock(here);
  expect([next.tookOver, await next.isMine()]).toEqual([[lock.token], true]);
  await next.release();
  const third = await takeEngineLock(here);
  expect([third.tookOver, third.token]).toEqual([[], next.token]);
  await third.release();
  await leaveEngineLock(here);
  expect(names(here.folder)).toEqual(['wanted']);
});

it('also when it left the folder in between', async () => {
  const here = options();
  const lock = await takeEngineLock(here);
  vi.advanceTimersByTime(26_000);
  expect(await lock.isMine()).toBe(false);
  await lock.release();
  await leaveEngineLock(here);
  await leaveEngineLock(here);
  const next = await takeEngineLock(here);
  expect(next.tookOver).toEqual([lock.token]);
  await next.release();
  await leaveEngineLock(here);
});
