/** Every interleaving of two and three waiters that take over a dead owner's lock, and a crash at every call of one. */

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fs } from '../../../src/fs/fs.ts';
import { type EngineLock, takeEngineLock } from '../../../src/fs/lock/engine-lock.ts';
import type { Processes } from '../../../src/fs/lock/processes.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nodeProcesses } from '../../../src/fs/node/processes.ts';
import { crashAt, errorAt, faultFs, hookAt } from '../../helpers/fault-fs.ts';
import { anotherProcess, deadLock, plant, scratch } from '../../helpers/locks.ts';
import { codeOf } from '../../helpers/person-repo.ts';

const noSockets: Partial<Processes> = { openSockets: async () => null };
/** Lives, for all who look. */
const living = (): Processes => anotherProcess(noSockets);
/** Counts as dead for all others, though its code goes on: it was stopped, and they were sure. */
const takenForDead = (pid: number): Processes =>
  anotherProcess({ ...noSockets, self: { ...nodeProcesses().self, pid, started: '1' } });

const DEAD_PIDS = [2 ** 22 - 7, 2 ** 22 - 9] as const;

/** Takes the lock or, where somebody lives who has it, `null`. */
const take = (fs: Fs, folder: string, processes: Processes): Promise<EngineLock | null> =>
  takeEngineLock({ fs, processes, folder, patience: 0 }).catch(error => {
    if (error.code === 'LOCKED') return null;
    throw error;
  });

interface Round {
  /** In the order in which they came in; the last one is disturbed by nobody. */
  locks: Array<EngineLock | null>;
  calls: number;
}

/** The first is disturbed before its call `at`, by the second one, that by the third before its call `then`. */
async function round(
  folder: string,
  who: readonly Processes[],
  [at, then]: readonly number[],
  fs: Fs,
): Promise<Round> {
  const locks: Array<EngineLock | null> = [null, null, null];
  // What is asked of the locks afterwards disturbs nobody.
  let isOver = false;
  const last = async (): Promise<void> => {
    if (who[2] && !isOver) locks[2] = await take(nodeFs(), folder, who[2]);
  };
  const second = faultFs(nodeFs(), hookAt(then ?? 0, last));
  const first = faultFs(
    fs,
    hookAt(at!, async () => {
      if (!isOver) locks[1] = await take(second, folder, who[1]!);
    }),
  );
  locks[0] = await take(first, folder, who[0]!);
  isOver = true;
  return { locks, calls: first.trace.length };
}

/** What is wrong: nobody or more than one has it, or one that lives lost it to one that was disturbed. */
async function faults({ locks }: Round, living: number): Promise<string[]> {
  const mine = await Promise.all(locks.map(async lock => (await lock?.isMine()) ?? false));
  const owners = mine.filter(Boolean).length;
  return [
    ...(owners === 1 ? [] : [`${owners} have the lock`]),
    ...(locks[living] && !mine[living] ? ['one that lives lost it'] : []),
  ];
}

async function everyRound(
  who: () => Processes[],
  living: number,
): Promise<{ rounds: number; found: string[] }> {
  const found: string[] = [];
  let rounds = 0;
  const thens = who().length > 2 ? 40 : 1;
  for (let at = 1, calls = 1; at <= calls; at++) {
    for (let then = 1; then <= thens; then++) {
      const folder = scratch();
      const dead = deadLock();
      plant(folder, dead);
      const one = await round(folder, who(), [at, then], nodeFs());
      const what = await faults(one, living);
      found.push(...what.map(fault => `${at} ${then}: ${fault}`));
      for (const lock of one.locks) await lock?.release();
      calls = one.calls;
      rounds++;
      rmSync(folder, { recursive: true });
    }
  }
  return { rounds, found };
}

describe('taking over', () => {
  it('an error of the disk, at whichever call, is told as such, and is in nobody else’s way', async () => {
    for (let at = 1; ; at++) {
      const folder = scratch();
      plant(folder, deadLock());
      const fs = faultFs(nodeFs(), errorAt(at, 'EIO'));
      let lock: EngineLock | undefined;
      const code = await codeOf(
        takeEngineLock({ fs, processes: living(), folder, patience: 0 }).then(taken => {
          lock = taken;
        }),
      );
      if (fs.trace.length < at) return expect(at).toBeGreaterThan(20);
      await lock?.release();
      expect([at, [null, 'EIO'].includes(code)]).toEqual([at, true]);
      expect([at, (await take(nodeFs(), folder, living())) !== null]).toEqual([at, true]);
      expect([at, readdirSync(join(folder, 'live')).filter(name => name.endsWith('.guard'))]).toEqual([
        at,
        [],
      ]);
    }
  });

  it('two that live: one of them has the lock, and keeps it', async () => {
    const { rounds, found } = await everyRound(() => [living(), living()], 1);
    expect(found).toEqual([]);
    expect(rounds).toBeGreaterThan(20);
  });

  it('one that was taken for dead in the middle and goes on does no harm', async () => {
    expect((await everyRound(() => [takenForDead(DEAD_PIDS[0]), living()], 1)).found).toEqual([]);
  });

  it('two that were taken for dead in the middle do none to a third', async () => {
    const who = (): Processes[] => [takenForDead(DEAD_PIDS[0]), takenForDead(DEAD_PIDS[1]), living()];
    const { rounds, found } = await everyRound(who, 2);
    expect(found).toEqual([]);
    expect(rounds).toBeGreaterThan(700);
  }, 300_000);

  it.each(['before', 'full'] as const)(
    'who dies at any call of it (%s) leaves the repair to the next',
    async tear => {
      for (let at = 1, calls = 1; at <= calls; at++) {
        const folder = scratch();
        const dead = deadLock();
        plant(folder, dead);
        const crashing = faultFs(nodeFs(), crashAt(at, tear));
        const first = takenForDead(DEAD_PIDS[0]);
        await takeEngineLock({ fs: crashing, processes: first, folder, patience: 0 }).catch(() => null);
        if (!crashing.crashed) {
          expect(at).toBeGreaterThan(5);
          break;
        }
        const next = await take(nodeFs(), folder, living());
        // Its own, or that of the one which died over it.
        expect(next?.tookOver).toHaveLength(1);
        expect(await next!.isMine()).toBe(true);
        await next!.release();
        calls = at + 1;
        rmSync(folder, { recursive: true });
      }
    },
  );
});

it('what the dead one left beside the lock goes with it', async () => {
  const folder = scratch();
  const dead = takenForDead(DEAD_PIDS[0]);
  const old = await takeEngineLock({ fs: nodeFs(), processes: dead, folder, patience: 0 });
  const lock = await take(nodeFs(), folder, living());
  expect(lock?.tookOver).toEqual([old.token]);
  const { readdirSync } = await import('node:fs');
  expect(readdirSync(join(folder, 'live'))).toEqual([`${lock!.token}.lock`]);
  await lock!.release();
});
