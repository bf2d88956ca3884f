/**
 * A process between its edits listens to those who wait, now and then, and leaves the folder when nothing happened for long.
 * One that slept amid an edit has lost its lock.
 */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type LockOptions, leaveEngineLock, takeEngineLock } from '../../../src/fs/lock/engine-lock.ts';
import type { SocketFolder } from '../../../src/fs/lock/sockets.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { anotherProcess, names, scratch } from '../../helpers/locks.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A process whose sockets only count how often it listened. */
function listener(): { options: LockOptions; heard: () => number } {
  let turns = 0;
  const sockets: SocketFolder = {
    listen: () => null,
    descriptor: () => null,
    idOf: () => null,
    connect: async () => 'unreachable',
    turn: async () => void turns++,
    close: () => {},
  };
  const processes = anotherProcess({ openSockets: async () => sockets });
  return { options: { fs: nodeFs(), processes, folder: scratch(), patience: 1_000 }, heard: () => turns };
}

const edit = async (options: LockOptions): Promise<void> => (await takeEngineLock(options)).release();

it('edits that follow each other at once do not listen each time, and do when ten milliseconds are over', async () => {
  const { options, heard } = listener();
  for (let count = 0; count < 5; count++) await edit(options);
  expect(heard()).toBe(0);
  vi.advanceTimersByTime(10);
  for (let count = 0; count < 5; count++) await edit(options);
  expect(heard()).toBe(1);
  await leaveEngineLock(options);
});

it('the files of a process go ten seconds after its last edit, and not before', async () => {
  const { options } = listener();
  await edit(options);
  const own = names(options.folder);
  expect(own).toHaveLength(1);
  vi.advanceTimersByTime(6_000);
  await edit(options);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(names(options.folder)).toEqual(own);
  await vi.advanceTimersByTimeAsync(14_000);
  vi.useRealTimers();
  await vi.waitFor(() => expect(names(options.folder)).toEqual([]), 10_000);
});

it('one that slept amid an edit has lost its lock, and takes it over from itself, as what is to be repaired', async () => {
  const { options } = listener();
  const lock = await takeEngineLock(options);
  vi.advanceTimersByTime(26_000);
  expect(await lock.isMine()).toBe(false);
  await lock.release();
  expect(names(options.folder)).toContain('lock');
  const next = await takeEngineLock(options);
  expect([next.tookOver, await next.isMine()]).toEqual([[lock.token], true]);
  await next.release();
  const third = await takeEngineLock(options);
  expect([third.tookOver, third.token]).toEqual([[], next.token]);
  await third.release();
  await leaveEngineLock(options);
  expect(names(options.folder)).toEqual([]);
});

it('also when it left the folder in between', async () => {
  const { options } = listener();
  const lock = await takeEngineLock(options);
  vi.advanceTimersByTime(26_000);
  expect(await lock.isMine()).toBe(false);
  await lock.release();
  await leaveEngineLock(options);
  await leaveEngineLock(options);
  const next = await takeEngineLock(options);
  expect(next.tookOver).toEqual([lock.token]);
  await next.release();
  await leaveEngineLock(options);
});
