/** Owners of whom this process cannot see whether they live: in another container, or on another machine. */

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { lstatOf } from '../../../src/fs/fs.ts';
import { type LockOptions, takeEngineLock } from '../../../src/fs/lock/engine-lock.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nodeProcesses } from '../../../src/fs/node/processes.ts';
import { anotherProcess, deadLock, names, plant, QUICK, scratch, stranger } from '../../helpers/locks.ts';

const fs = nodeFs();
let folder: string;
beforeEach(() => {
  folder = scratch();
});

const take = (processes = nodeProcesses(), more: Partial<LockOptions> = {}) =>
  takeEngineLock({ fs, processes, folder, patience: 100, pace: QUICK, ...more });
const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
const lockNow = () => JSON.parse(readFileSync(join(folder, 'lock'), 'utf8'));

describe('an owner that cannot be asked', () => {
  it('keeps the lock while it gives signs of life, and then LOCKED says when it would be taken over', async () => {
    const lock = await take(stranger('c0ffee01'));
    const signs = setInterval(() => utimesSync(join(folder, 'lock'), new Date(), new Date()), 15);
    const refused = await take(nodeProcesses(), { pace: { ...QUICK, looks: 20 } }).catch(error => error);
    clearInterval(signs);
    expect(refused).toMatchObject({ code: 'LOCKED', data: { holder: { pid: 7, host: 'c0ffee01' } } });
    expect(refused.data.takeover_in_seconds).toBeTypeOf('number');
    expect(refused.message).toMatch(
      /process 7 on c0ffee01.*taken over in about \d+ s.*vedit doctor --unlock/s,
    );
    await lock.release();
  });

  it('loses it when it gives none, also to one whose patience is shorter, and does no harm when it wakes', async () => {
    const lost = await take(stranger('c0ffee01'));
    const lock = await take(nodeProcesses(), { patience: 1 });
    expect(lock.tookOver).toEqual([lost.token]);
    expect(await lost.isMine()).toBe(false);
    await lost.release();
    expect(await lock.isMine()).toBe(true);
    expect(lockNow().token).toBe(lock.token);
    await lock.release();
  });

  it('gives a sign of life every second while it holds the lock', async () => {
    const lock = await take(stranger('c0ffee01'));
    const before = (await lstatOf(fs, join(folder, 'lock'))).mtimeNs;
    await expect
      .poll(async () => (await lstatOf(fs, join(folder, 'lock'))).mtimeNs, { timeout: 5_000 })
      .not.toBe(before);
    expect(await lock.isMine()).toBe(true);
    await lock.release();
  });

  it('is told apart from one with the same names on a disk that machines share', async () => {
    const shared = { diskOf: () => 'other' as const };
    plant(folder, deadLock({ disk: 'other' }));
    const slow = { ...QUICK, look: 60_000 };
    const waiting = take(anotherProcess({ ...shared, openSockets: async () => null }), { pace: slow });
    expect(await Promise.race([waiting.then(() => 'taken'), pause(400).then(() => 'waits')])).toBe('waits');
    rmSync(join(folder, 'lock'));
    await (await waiting).release();
  });
});

describe('a socket on which nobody listens', () => {
  /** A lock of another PID namespace, with a real socket whose process is gone. */
  async function orphan(changes: object = {}): Promise<string> {
    const elsewhere = anotherProcess({ self: { ...nodeProcesses().self, space: 'pid:[1] time', pid: 7 } });
    const lock = await take(elsewhere);
    const content = lockNow();
    // What a kill leaves: the files, and nobody behind them.
    rmSync(join(folder, 'live', lock.token));
    const script = `require('node:net').createServer().listen(${JSON.stringify(join(folder, 'live', lock.token))}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', script]);
    const { dev, ino } = await lstatOf(fs, join(folder, 'live', lock.token));
    rmSync(join(folder, 'lock'));
    plant(folder, { ...content, socket: { dev: String(dev), ino: String(ino) }, ...changes });
    return lock.token;
  }
  const slow = { ...QUICK, look: 60_000, refused: 700 };

  it('is that of a dead process when it is the one in the lock', async () => {
    const token = await orphan();
    const lock = await take(nodeProcesses(), { pace: slow, patience: 1 });
    expect(lock.tookOver).toEqual([token]);
    expect(names(folder).filter(name => name.includes(token))).toEqual([]);
    await lock.release();
  });

  it.each([
    ['another socket than that in the lock', { socket: { dev: '1', ino: '1' } }],
    ['another start of the machine', { boot: 'another' }],
    ['an overlay, as its owner sees it', { disk: 'layered' }],
  ])('proves nothing: %s', async (_what, changes) => {
    await orphan(changes);
    const waiting = take(anotherProcess(), { pace: slow, patience: 1 });
    expect(await Promise.race([waiting.then(() => 'taken'), pause(1_500).then(() => 'waits')])).toBe('waits');
    rmSync(join(folder, 'lock'));
    await (await waiting).release();
  });
});
