/** One wait for the lock, with a clock that only its pauses move: how often it tries, and how often it looks at the owner. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PACE } from '../../../src/fs/lock/liveness.ts';
import type { Seen } from '../../../src/fs/lock/lock-file.ts';
import type { LockRegistration } from '../../../src/fs/lock/registration.ts';
import { Wait } from '../../../src/fs/lock/wait.ts';
import { anotherProcess, deadLock } from '../../helpers/locks.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Waits before a lock that is free after so many milliseconds. Answers when it was tried, looked at, and told that it is wanted. */
async function waiting({
  freeAfter,
  patience = 120_000,
  isAlive,
}: {
  freeAfter: number;
  patience?: number;
  isAlive: boolean | null;
}): Promise<{ tries: number[]; looks: number[]; notes: number; error: unknown }> {
  const begun = performance.now();
  const since = (): number => performance.now() - begun;
  const file = deadLock({ host: 'elsewhere', boot: 'another' });
  const stat = { regular: true, torn: false, mtimeMs: Date.now(), ctimeMs: Date.now(), state: 's', ino: 1n };
  const seen: Seen = { file, token: file.token, ...stat };
  const [tries, looks]: number[][] = [[], []];
  let notes = 0;
  const calls = {
    usable: true,
    disk: 'other',
    live: '/live',
    options: { processes: anotherProcess({ isAlive: () => isAlive, openSockets: async () => null }) },
    isHeld: async () => tries!.push(since()) > 0 && since() < freeAfter,
    tryTake: async () => true,
    noteWanted: async () => void notes++,
    read: async () => {
      looks!.push(since());
      return seen;
    },
  };
  const wait = new Wait(calls as unknown as LockRegistration, { left: 'l', pace: PACE }, begun + patience);
  let end: unknown;
  const taking = wait.take().then(
    taken => {
      end = taken;
    },
    error => {
      end = error;
    },
  );
  while (end === undefined) await vi.advanceTimersByTimeAsync(1);
  await taking;
  return { tries: tries!, looks: looks!, notes, error: end instanceof Error ? end : null };
}

it('the longer it lasts, the shorter are the pauses, until it is not a turn that lasts so long', async () => {
  const { tries, notes } = await waiting({ freeAfter: 900, isAlive: true });
  const between = (from: number, to: number): number => tries.filter(at => at > from && at <= to).length;
  // Of two milliseconds or more at first, of one then, and of five to ten at last.
  expect(between(0, 20)).toBeLessThan(20);
  expect(between(60, 500)).toBeGreaterThan(350);
  expect(between(550, 900)).toBeLessThan(75);
  // The lock was not free when the wait began.
  expect(notes).toBe(tries.length);
});

it('the owner is looked at some twenty times a second, and at once', async () => {
  const { looks } = await waiting({ freeAfter: 1_000, isAlive: true });
  expect(looks[0]).toBeLessThan(1);
  expect(looks.length).toBeGreaterThan(10);
  expect(looks.length).toBeLessThan(22);
});

it('who waits for a lease tries forty times a second, also when its patience is over', async () => {
  const { tries, error } = await waiting({ freeAfter: 20_000, patience: 100, isAlive: null });
  expect(error).toBe(null);
  expect(tries.length).toBeGreaterThan(600);
  expect(tries.length).toBeLessThan(900);
});

it('who is not patient is refused when its time is over, and not later', async () => {
  const { tries, error } = await waiting({ freeAfter: 20_000, patience: 200, isAlive: true });
  expect(error).toMatchObject({ code: 'LOCKED' });
  expect(tries.at(-1)).toBeLessThan(203);
});
