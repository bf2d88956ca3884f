/** The words about who holds the lock, and the look at it from outside. */

import { utimesSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { inspectLock, isReached, lockedByEngine } from '../../../src/fs/lock/inspect.ts';
import type { Verdict } from '../../../src/fs/lock/liveness.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { anotherProcess, deadLock, plant, scratch } from '../../helpers/locks.ts';

const ALIVE: Verdict = { kind: 'alive', how: 'it runs' };
const HERE = { pid: 1, host: 'here' };

it.each<[string, ...Parameters<typeof lockedByEngine>]>([
  ['process 7 on far (it runs). Try again in a moment. If', { pid: 7, host: 'far' }, ALIVE, null, HERE],
  ['process 7 on this machine (it', { pid: 7, host: 'here' }, ALIVE, null, HERE],
  ['process 7 on this machine (it', { pid: 7, host: '' }, ALIVE, null, HERE],
  ['an unknown process (it', null, ALIVE, null, HERE],
  ['taken over in about 2 s', null, { kind: 'unknown', how: 'it', lastsFor: 1_001 }, null, HERE],
])('a refusal says: %s', (words, ...given) => {
  expect(lockedByEngine(...given).message).toContain(words);
});

it.each([
  [2_340, 'for 2.3 s ('],
  [9_900, 'for 9.9 s ('],
  [12_400, 'for 12 s ('],
  [-5_000, 'for 0.0 s ('],
])('a lock that is held for %i milliseconds is told as %s', (held, words) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { message, data } = lockedByEngine(null, ALIVE, Date.now() - held, HERE);
  expect(message).toContain(words);
  expect(data).toMatchObject({ since: new Date(Date.now() - held).toISOString(), takeover_in_seconds: null });
  vi.useRealTimers();
});

it('a look tells a dead owner and its last sign; a free lock has none', async () => {
  const folder = scratch();
  const where = { fs: nodeFs(), processes: anotherProcess(), folder };
  expect(await inspectLock(where)).toMatchObject({ state: 'free', holder: null, last_sign: null });
  const lock = deadLock();
  plant(folder, lock);
  // It is linked, which gives it no new time of writing, and then touched.
  utimesSync(`${folder}/lock`, 0, 0);
  expect(await inspectLock(where)).toMatchObject({
    state: 'dead',
    holder: { pid: lock.pid, host: lock.host },
    token: lock.token,
    since: null,
    last_sign: expect.stringMatching(/^2\d{3}-/),
  });
});

it.each([
  ['open', 'owner x held 5', true],
  ['open', 'owner x stuck 0', false],
  ['refused', '', false],
] as const)('a process is reached where its socket is %s and says %j: %s', async (contact, said, isIt) => {
  const sockets = { ask: async () => ({ contact, said }), close: () => {} };
  const processes = anotherProcess({ openSockets: async () => sockets as never });
  const where = { fs: nodeFs(), processes, folder: scratch() };
  expect(await isReached(where, '0'.repeat(24))).toBe(isIt);
  expect(await isReached(where, 'unreadable-1')).toBe(false);
});
