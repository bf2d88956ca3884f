/** What one waiter makes of the lock of another: who counts as dead, how that was told, and how long a lease still lasts. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OwnerWatch, PACE, type Verdict, type WatchOptions } from '../../../src/fs/lock/liveness.ts';
import type { LockFile, Seen } from '../../../src/fs/lock/lock-file.ts';
import type { Processes, Reached, SocketFolder } from '../../../src/fs/lock/processes.ts';
import { anotherProcess, deadLock } from '../../helpers/locks.ts';

const SOCKET = { dev: '1', ino: '2' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.UTC(2026, 0, 1) });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A lock as it looks now; `file: null` of one that cannot be read. */
function seen(file: Partial<LockFile> | null, changes: Partial<Seen> = {}): Seen {
  const lock = file && deadLock({ socket: SOCKET, disk: 'local', ...file });
  const now = Date.now();
  const stat = { regular: true, torn: false, mtimeMs: now, ctimeMs: now, state: 'same', ino: 1n };
  return { file: lock, token: lock?.token ?? 'unreadable-1', ...stat, ...changes };
}

type Contact = Reached['contact'] | 'stuck';

/** Watches a lock of which the system does not know whether its owner runs, and whose socket answers `contact`. */
function watch(
  contact: Contact | null,
  changes: Partial<Processes> = {},
  options: Partial<WatchOptions> = {},
): OwnerWatch {
  const reached: Reached =
    contact === 'stuck'
      ? { contact: 'open', said: 'owner token stuck 0' }
      : { contact: contact ?? 'open', said: 'owner token held 5' };
  const sockets = { ask: async () => reached, idOf: () => SOCKET, close: () => {} };
  const openSockets = async (): Promise<SocketFolder | null> =>
    contact && (sockets as unknown as SocketFolder);
  const processes = anotherProcess({ isAlive: () => null, bootTime: () => null, openSockets, ...changes });
  const pace = { ...PACE, asked: 0 };
  return new OwnerWatch('token', { processes, disk: 'local', live: '/live', pace, ...options });
}

/** One look after another, so many milliseconds apart. */
async function looks(owner: OwnerWatch, lock: Seen, count: number, apart: number): Promise<Verdict[]> {
  const verdicts = [await owner.judge(lock)];
  while (verdicts.length < count) {
    vi.advanceTimersByTime(apart);
    verdicts.push(await owner.judge(lock));
  }
  return verdicts;
}

const lasting = (verdicts: Verdict[]): unknown[] =>
  verdicts.map(one => (one.kind === 'unknown' ? one.lastsFor : one.kind));

it('a lease lasts for fifteen looks two seconds apart', async () => {
  const verdicts = await looks(watch(null), seen({}), PACE.looks + 1, PACE.look);
  expect(lasting(verdicts.slice(0, 3))).toEqual([30_000, 28_000, 26_000]);
  expect(lasting(verdicts.slice(-2))).toEqual([2_000, 'dead']);
  expect(verdicts.at(-1)!.how).toBe('it has no socket to ask, and it gave no sign for 30 s');
});

it('looks that follow each other sooner count once, and the rest of the time is what is left', async () => {
  expect(lasting(await looks(watch(null), seen({}), 5, 500))).toEqual([
    30_000, 29_500, 29_000, 28_500, 28_000,
  ]);
});

it('a gap between two looks starts a lease again, since the waiter itself may have slept', async () => {
  const owner = watch(null);
  await looks(owner, seen({}), 10, PACE.look);
  vi.advanceTimersByTime(PACE.longestGap + 1);
  expect(lasting([await owner.judge(seen({}))])).toEqual([30_000]);
});

it('so does a gap that one of the two clocks alone shows, as where the machine slept', async () => {
  const owner = watch(null);
  await looks(owner, seen({}), 10, PACE.look);
  vi.setSystemTime(Date.now() + PACE.longestGap + 1);
  expect(lasting([await owner.judge(seen({}))])).toEqual([30_000]);
});

it('a sign of life starts a lease again, and the owner is not quiet for a while', async () => {
  const owner = watch(null);
  await looks(owner, seen({}), 10, PACE.look);
  expect(owner.isQuiet()).toBe(true);
  expect(lasting([await owner.judge(seen({}, { state: 'renewed' }))])).toEqual([30_000]);
  expect(owner.isQuiet()).toBe(false);
  vi.advanceTimersByTime(2_501);
  expect(owner.isQuiet()).toBe(true);
});

it('a socket on which nobody listens is believed when it was refused twice, three seconds apart', async () => {
  const verdicts = await looks(watch('refused'), seen({}), 4, 1_000);
  expect(lasting(verdicts)).toEqual([3_000, 2_000, 1_000, 'dead']);
  expect(verdicts.at(-1)!.how).toBe('nobody listens on its socket any more');
});

it('once is not enough, however long nothing was seen', async () => {
  const owner = watch('refused');
  const first = await owner.judge(seen({}));
  vi.advanceTimersByTime(4_000);
  const second = await owner.judge(seen({}));
  expect(lasting([first, second])).toEqual([3_000, 'dead']);
});

it.each<[string, Partial<LockFile>, Partial<WatchOptions>]>([
  ['is another socket', { socket: { dev: '1', ino: '3' } }, {}],
  ['lies on another disk', { socket: { dev: '3', ino: '2' } }, {}],
  ['is of another start of the machine', { boot: 'another' }, {}],
  ['is of a start that is not known', { boot: null }, {}],
  ['lies in a layer for its owner', { disk: 'layered' }, {}],
  ['lies in a layer from here', {}, { disk: 'layered' }],
])('a refused socket says nothing where it %s: the lease decides', async (_, file, options) => {
  const verdicts = await looks(watch('refused', {}, options), seen(file), 4, 2_000);
  expect(lasting(verdicts)).toEqual([30_000, 28_000, 26_000, 24_000]);
});

it.each<[string, Contact | null, Partial<Processes>, Partial<Verdict>]>([
  [
    'its process has ended',
    'open',
    { isAlive: () => false },
    { kind: 'dead', how: 'process 4194301 has ended' },
  ],
  ['its process runs', null, { isAlive: () => true }, { kind: 'alive', how: 'process 4194301 is running' }],
  ['it answers', 'open', {}, { kind: 'alive', how: 'it accepts connections on its socket' }],
  ['it is stuck', 'stuck', {}, { kind: 'dead', how: 'it let go of the lock and could not remove it' }],
  [
    'it is out of reach',
    'unreachable',
    {},
    { kind: 'unknown', how: 'its socket cannot be reached from here' },
  ],
  ['it is refused and runs', 'refused', { isAlive: () => true }, { kind: 'alive' }],
  ['it is out of reach and runs', 'unreachable', { isAlive: () => true }, { kind: 'alive' }],
])('%s', async (_, contact, processes, verdict) => {
  expect(await watch(contact, processes).judge(seen({}))).toMatchObject(verdict);
});

const HOST = 'the same host';
const BOOT = 'this boot';

/** A machine that was started so many seconds ago, and a lock from before that. */
function afterRestart(
  seconds: number,
  file: Partial<LockFile> | null,
  options: Partial<WatchOptions> = {},
): Promise<Verdict> {
  const now = Date.now();
  const { self } = anotherProcess();
  const processes: Partial<Processes> = {
    self: { ...self, host: HOST, boot: BOOT },
    bootTime: () => now - seconds * 1_000,
  };
  const before = { mtimeMs: now - 100_000, ctimeMs: now - 100_000 };
  return watch(null, processes, options).judge(seen(file, before));
}

it.each<[string, number, Partial<LockFile> | null, Partial<WatchOptions>, Verdict['kind']]>([
  ['long enough ago', 36, { host: HOST, boot: 'before' }, {}, 'dead'],
  [
    'a moment ago: an owner elsewhere may not have given a sign yet',
    34,
    { host: HOST, boot: 'before' },
    {},
    'unknown',
  ],
  ['at the moment of its last sign', 100, { host: HOST, boot: 'before' }, {}, 'unknown'],
  ['before the lock', 200, { host: HOST, boot: 'before' }, {}, 'unknown'],
  ['and the lock is of this start', 36, { host: HOST, boot: BOOT }, {}, 'unknown'],
  ['and the lock is of a start that is not known', 36, { host: HOST, boot: null }, {}, 'unknown'],
  ['and the lock is of another machine', 36, { host: 'another', boot: 'before' }, {}, 'unknown'],
  ['and the owner saw another disk', 36, { host: HOST, boot: 'before', disk: 'layered' }, {}, 'unknown'],
  [
    'and the disk is of another machine',
    36,
    { host: HOST, boot: 'before', disk: 'other' },
    { disk: 'other' },
    'unknown',
  ],
  ['and the lock cannot be read', 36, null, {}, 'dead'],
  ['a moment ago, and the lock cannot be read', 34, null, {}, 'unknown'],
])('the machine was started %s', async (_, seconds, file, options, kind) => {
  expect(await afterRestart(seconds, file, options)).toMatchObject({ kind });
});

it('what is no lock is in the way of nobody; one that cannot be read is', async () => {
  expect(await watch(null).judge(seen(null, { regular: false }))).toMatchObject({ kind: 'dead' });
  expect(await watch(null).judge(seen(null))).toMatchObject({ kind: 'unknown', how: 'it cannot be read' });
  const torn = seen(null, { torn: true });
  expect(await watch(null).judge(torn)).toMatchObject({ kind: 'dead', how: 'it was cut off by a power cut' });
  expect(await watch(null, {}, { disk: 'other' }).judge(torn)).toMatchObject({ kind: 'unknown' });
});

it('one that runs is asked only when it was watched for a while; it says since when it holds the lock', async () => {
  const owner = watch('open', { isAlive: () => true }, { pace: PACE });
  expect(await owner.judge(seen({}))).toMatchObject({ how: 'process 4194301 is running' });
  expect(owner.heldSince).toBe(null);
  vi.advanceTimersByTime(100);
  expect(await owner.judge(seen({}))).toMatchObject({ how: 'it accepts connections on its socket' });
  expect(owner.heldSince).toBe(5);
});
