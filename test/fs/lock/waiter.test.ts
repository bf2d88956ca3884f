/** One wait for the lock, with a clock that only its pauses move: how often it looks, and what it tells those behind it. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LockFile, Seen } from '../../../src/fs/lock/lock-file.ts';
import type { Seat } from '../../../src/fs/lock/seat.ts';
import { Waiter, type WaitOptions } from '../../../src/fs/lock/waiter.ts';
import { deadLock, stranger } from '../../helpers/locks.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Counted {
  seat: Seat;
  looks: number;
  /** What those who wait behind this process were told at the end. */
  stopped: boolean[];
}

/** A seat before a lock that is free after so many milliseconds, and whose owner nobody here can ask. */
function seatBefore(owner: Partial<LockFile>, freeAfter: number): Counted {
  const file = deadLock({ host: 'elsewhere', boot: 'another', ...owner });
  const now = Date.now();
  const free = performance.now() + freeAfter;
  const seen: Seen = {
    file,
    token: file.token,
    regular: true,
    mtimeMs: now,
    ctimeMs: now,
    state: 's',
    ino: 1n,
  };
  const counted = { looks: 0, stopped: [] } as unknown as Counted;
  const isFree = (): boolean => performance.now() >= free;
  const turns = {
    successor: null,
    startWaiting: () => {},
    stopWaiting: (isTaken: boolean) => counted.stopped.push(isTaken),
    pause: async (milliseconds: number) => {
      vi.advanceTimersByTime(milliseconds);
      return false;
    },
    reach: async () => 'unreachable',
    sinceOf: () => null,
  };
  const look = async (): Promise<Seen | null> => {
    counted.looks++;
    return isFree() ? null : seen;
  };
  const options = { processes: stranger('here', { isAlive: () => null }) };
  const calls = { usable: true, becomeReachable: async () => {}, tryTake: async () => isFree(), look };
  counted.seat = { ...calls, options, disk: 'other', turns } as unknown as Seat;
  return counted;
}

const waits = ({ seat }: Counted, patience: number, options: WaitOptions = {}) =>
  new Waiter(seat, options, performance.now() + patience).wait();

it('who waits for a lease looks a few times a second, also when its patience is over', async () => {
  const counted = seatBefore({}, 20_000);
  expect(await waits(counted, 100)).toEqual([]);
  // Between 80 and 170, and a few at the beginning, where it looks sooner.
  expect(counted.looks).toBeGreaterThan(60);
  expect(counted.looks).toBeLessThan(200);
});

it('who got the lock keeps those who wait behind it, and who gives up passes them on', async () => {
  const got = seatBefore({}, 50);
  await waits(got, 1_000);
  const gaveUp = seatBefore({}, 60_000);
  gaveUp.seat.look = () => Promise.reject(new Error('of the disk'));
  await expect(waits(gaveUp, 0)).rejects.toThrow('of the disk');
  expect([got.stopped, gaveUp.stopped]).toEqual([[true], [false]]);
});
