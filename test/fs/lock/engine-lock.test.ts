import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Fs } from '../../../src/fs/fs.ts';
import { type LockOptions, leaveEngineLock, takeEngineLock } from '../../../src/fs/lock/engine-lock.ts';
import { onlyProcess } from '../../../src/fs/lock/processes.ts';
import { memoryFs } from '../../../src/fs/memory-fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nodeProcesses } from '../../../src/fs/node/processes.ts';
import { promisesFs } from '../../../src/fs/promises-fs.ts';
import { faultFs } from '../../helpers/fault-fs.ts';
import { anotherProcess, deadLock, idleProcess, names, plant, scratch } from '../../helpers/locks.ts';
import { failing, overriding } from '../../helpers/overriding.ts';

const fs = nodeFs();
const QUICK = { look: 20, longestGap: 5_000, looks: 5, refused: 60 };
let folder: string;
beforeEach(() => {
  folder = scratch();
});

const take = (processes = nodeProcesses(), more: Partial<LockOptions> = {}) =>
  takeEngineLock({ fs, processes, folder, patience: 100, pace: QUICK, ...more });
const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
const lockNow = () => JSON.parse(readFileSync(join(folder, 'lock'), 'utf8'));

/** The disk, on which files were last changed so many milliseconds earlier. */
function aged(milliseconds: number): Fs {
  const earlier = BigInt(milliseconds) * 1_000_000n;
  return overriding(fs, {
    async open(path, how, mode) {
      const handle = await fs.open(path, how, mode);
      const stat = handle.stat.bind(handle);
      handle.stat = async () => {
        const { mtimeNs, ctimeNs, ...rest } = await stat();
        return { ...rest, mtimeNs: mtimeNs - earlier, ctimeNs: ctimeNs - earlier };
      };
      return handle;
    },
  });
}

describe('the engine lock', () => {
  it('names its holder and goes away, and so do the files of the process when it leaves', async () => {
    const lock = await take();
    expect(lockNow()).toMatchObject({ pid: process.pid, token: lock.token });
    expect(names(folder)).toEqual([`live/${lock.token}`, `live/${lock.token}.lock`, 'lock']);
    await lock.release();
    expect(existsSync(join(folder, 'lock'))).toBe(false);
    await leaveEngineLock({ processes: nodeProcesses(), folder });
    expect(names(folder)).toEqual([]);
  });

  it('is taken again with one call, and given back with two', async () => {
    const counted = faultFs(fs);
    await (await take(nodeProcesses(), { fs: counted })).release();
    const before = counted.trace.length;
    await (await take(nodeProcesses(), { fs: counted })).release();
    expect(counted.trace.slice(before).map(call => call.method)).toEqual(['link', 'lstat', 'unlink']);
    await leaveEngineLock({ processes: nodeProcesses(), folder });
  });

  it('keeps its token over many holdings, and takes a fresh one after it was lost', async () => {
    const first = await take();
    await first.release();
    const second = await take();
    expect(second.token).toBe(first.token);
    rmSync(join(folder, 'lock'));
    plant(folder, deadLock());
    expect(await second.isMine()).toBe(false);
    await second.release();
    const third = await take();
    expect(third.token).not.toBe(first.token);
    expect(await third.isMine()).toBe(true);
    await third.release();
  });

  it('waits for a living holder, then refuses with the holder and how that was told', async () => {
    const lock = await take(anotherProcess());
    await expect(take()).rejects.toMatchObject({
      code: 'LOCKED',
      retryable: true,
      data: { holder: { pid: process.pid }, told_by: 'it accepts connections on its socket' },
      message: expect.stringContaining('vedit doctor'),
    });
    await lock.release();
  });

  it('refuses in the same process, too', async () => {
    const lock = await take();
    await expect(take()).rejects.toMatchObject({ code: 'LOCKED', data: { holder: { pid: process.pid } } });
    await lock.release();
    await (await take()).release();
  });

  it('is taken when the holder lets go in time, who is told that somebody waits', async () => {
    const first = await take(anotherProcess());
    expect(first.isWanted).toBe(false);
    const waiting = take(nodeProcesses(), { patience: 5_000 });
    await expect.poll(() => first.isWanted).toBe(true);
    await first.release();
    const second = await waiting;
    expect(second.tookOver).toEqual([]);
    await second.release();
  });

  it('goes round to all who wait, the first one first', async () => {
    const first = await take(anotherProcess());
    const order: number[] = [];
    const all = [];
    for (const n of [1, 2, 3, 4, 5]) {
      all.push(
        take(anotherProcess(), { patience: 20_000 }).then(async lock => {
          order.push(n);
          await pause(5);
          await lock.release();
        }),
      );
      await pause(60);
    }
    await first.release();
    await Promise.all(all);
    expect(order[0]).toBe(1);
    expect(order.sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it('is not had by who just had it before those who wait', async () => {
    const mine = anotherProcess();
    const first = await take(mine);
    const order: string[] = [];
    const other = take(anotherProcess(), { patience: 20_000 }).then(async lock => {
      order.push('other');
      await lock.release();
    });
    await expect.poll(() => first.isWanted).toBe(true);
    await first.release();
    const again = await take(mine, { patience: 20_000 });
    order.push('mine');
    await again.release();
    await other;
    expect(order).toEqual(['other', 'mine']);
  });

  it.each([
    ['a process that is gone', {}],
    ['a process whose pid is used again', { pid: process.pid }],
  ])('is taken over at once from %s', async (_who, change) => {
    const dead = deadLock(change);
    plant(folder, dead);
    const lock = await take(nodeProcesses(), { pace: { ...QUICK, look: 60_000 } });
    expect(lock.tookOver).toEqual([dead.token]);
    expect(lockNow().tookOver).toEqual([dead.token]);
    await lock.release();
  });

  it('names everybody whose work is to be repaired when one died over the repair of another', async () => {
    const [first, second] = [deadLock(), deadLock()];
    plant(folder, { ...second, tookOver: [first.token] });
    const lock = await take();
    expect(lock.tookOver).toEqual([second.token, first.token]);
    await lock.release();
  });

  it.each([
    ['is taken over at once when the machine was started anew since', { boot: 'another' }, 3_600_000, true],
    ['is not when that was on another machine', { boot: 'another', host: 'elsewhere' }, 3_600_000, false],
    ['is not when its last sign was after the start', { boot: 'another' }, 0, false],
    ['is not when its start is unknown', { boot: null }, 3_600_000, false],
  ])('%s', async (_what, changes, age, isTaken) => {
    const dead = deadLock(changes);
    plant(folder, dead);
    const processes = anotherProcess({ bootTime: () => Date.now() - 60_000 });
    const waiting = take(processes, { fs: aged(age), pace: { ...QUICK, look: 60_000 } });
    const taken = await Promise.race([waiting.then(() => true), pause(400).then(() => false)]);
    expect(taken).toBe(isTaken);
    rmSync(join(folder, 'lock'));
    await (await waiting).release();
  });

  it('is taken over when it cannot be read and gives no sign', async () => {
    plant(folder, '\0\0\0');
    const lock = await take();
    expect(lock.tookOver).toEqual([expect.stringMatching(/^unreadable-/)]);
    // Of nobody there is no token to write down for who takes over from this one.
    expect(lockNow().tookOver).toEqual([]);
    await lock.release();
  });

  it.each(['link', 'folder'])('a %s in its place is nobody’s', async kind => {
    if (kind === 'link') symlinkSync('/nowhere', join(folder, 'lock'));
    else mkdirSync(join(folder, 'lock'));
    const taken = take(nodeProcesses(), { patience: 500 });
    if (kind === 'link') await (await taken).release();
    else await expect(taken).rejects.toThrow();
    rmSync(join(folder, 'lock'), { recursive: true, force: true });
  });
});

describe('many at once', () => {
  it('never hold it together, though all of them saw the same dead owner', async () => {
    const all = Array.from({ length: 6 }, () => anotherProcess());
    for (let round = 0; round < 20; round++) {
      plant(folder, deadLock());
      let holders = 0;
      await Promise.all(
        all.map(async processes => {
          const lock = await take(processes, { patience: 10_000 });
          expect(++holders).toBe(1);
          await pause(1);
          expect(await lock.isMine()).toBe(true);
          holders--;
          await lock.release();
        }),
      );
    }
  });

  it('take over a guard that a dead one left', async () => {
    const dead = deadLock();
    plant(folder, dead);
    mkdirSync(join(folder, 'live'));
    writeFileSync(join(folder, 'live', `${dead.token}.guard`), JSON.stringify(deadLock()));
    const lock = await take();
    expect(lock.tookOver).toEqual([dead.token]);
    await lock.release();
    await leaveEngineLock({ processes: nodeProcesses(), folder });
    expect(names(folder)).toEqual([]);
  });

  it('a new one comes after the files of all were removed', async () => {
    const lock = await take();
    await lock.release();
    rmSync(join(folder, 'live'), { recursive: true });
    const next = await take();
    expect(next.token).not.toBe(lock.token);
    await next.release();
  });
});

it('a lock that cannot be removed is held by nobody', async () => {
  const owner = anotherProcess();
  const lock = await take(owner, { fs: overriding(fs, { unlink: failing('EIO') }) });
  await expect(lock.release()).rejects.toThrow('EIO');
  const next = await take(nodeProcesses(), { patience: 1_000 });
  expect(next.tookOver).toEqual([lock.token]);
  await next.release();
  await (await take(owner)).release();
});

it('a brief process has no socket until it has to wait', async () => {
  const brief = anotherProcess({ brief: true });
  const lock = await take(brief);
  expect(lockNow().socket).toBe(null);
  expect(names(folder)).toEqual([`live/${lock.token}.lock`, 'lock']);
  const waiting = take(anotherProcess({ brief: true }), { patience: 5_000 });
  await pause(50);
  await lock.release();
  const second = await waiting;
  expect(lockNow().socket).not.toBe(null);
  const again = take(brief, { patience: 5_000 });
  await pause(50);
  await second.release();
  const third = await again;
  expect(lockNow().socket).not.toBe(null);
  expect(await third.isMine()).toBe(true);
  await third.release();
});

it('a process that was killed is dead before its parent has asked for it', async () => {
  const child = idleProcess();
  const { self } = nodeProcesses();
  const owner = { ...self, pid: child.pid!, started: '' };
  expect(nodeProcesses().isAlive(owner, 'local')).toBe(null);
  child.kill('SIGKILL');
  await expect.poll(() => nodeProcesses().isAlive(owner, 'local')).toBe(false);
});

it('without hard links a copy is the lock, and memory is one process’s own', async () => {
  const memory = promisesFs(memoryFs());
  await memory.mkdir('/vedit');
  const copying = overriding(memory, { link: failing('ENOTSUP') });
  const [mine, other] = [onlyProcess(), onlyProcess()];
  const options = { fs: copying, folder: '/vedit', patience: 50 };
  for (let n = 0; n < 2; n++) {
    const lock = await takeEngineLock({ ...options, processes: mine });
    expect(await lock.isMine()).toBe(true);
    if (n === 0) await lock.release();
    else {
      const next = await takeEngineLock({ ...options, processes: other });
      expect(next.tookOver).toEqual([lock.token]);
      expect(await lock.isMine()).toBe(false);
    }
  }
});
