import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
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
import { anotherProcess, deadLock, idleProcess, names, plant, QUICK, scratch } from '../../helpers/locks.ts';
import { failing, overriding } from '../../helpers/overriding.ts';

const fs = nodeFs();
let folder: string;
beforeEach(() => {
  folder = scratch();
});

const take = (processes = nodeProcesses(), more: Partial<LockOptions> = {}) =>
  takeEngineLock({ fs, processes, folder, patience: 100, pace: QUICK, ...more });
const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
const written = (): number => statSync(join(folder, 'wanted')).size;
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
    expect(names(folder)).toEqual([`live/${lock.token}`, `live/${lock.token}.lock`, 'lock', 'wanted']);
    await lock.release();
    expect(existsSync(join(folder, 'lock'))).toBe(false);
    await leaveEngineLock({ processes: nodeProcesses(), folder });
    expect(names(folder)).toEqual(['wanted']);
  });

  it('is taken again with one call, and given back with three', async () => {
    const counted = faultFs(fs);
    await (await take(nodeProcesses(), { fs: counted })).release();
    const before = counted.trace.length;
    await (await take(nodeProcesses(), { fs: counted })).release();
    expect(counted.trace.slice(before).map(call => call.method)).toEqual([
      'link',
      'lstat',
      'unlink',
      'handle.stat',
    ]);
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
    expect(written()).toBe(0);
    const waiting = take(nodeProcesses(), { patience: 5_000 });
    await expect.poll(written).toBeGreaterThan(0);
    await first.release();
    const second = await waiting;
    expect(second.tookOver).toEqual([]);
    await second.release();
  });

  it('goes round to all who wait', async () => {
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
    }
    await first.release();
    await Promise.all(all);
    expect(order.sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it('is not always had by who just had it before those who wait', async () => {
    const [mine, others] = [anotherProcess(), anotherProcess()];
    const order: string[] = [];
    for (let round = 0; round < 10; round++) {
      const first = await take(mine);
      const waiting = take(others, { patience: 20_000 }).then(async lock => {
        order.push('other');
        await lock.release();
      });
      const before = written();
      await expect.poll(written).toBeGreaterThan(before);
      await first.release();
      const again = await take(mine, { patience: 20_000 });
      order.push('mine');
      await again.release();
      await waiting;
    }
    // One that does not wait a little would have been the first each time.
    expect(order.filter((who, i) => i % 2 === 0 && who === 'other').length).toBeGreaterThan(0);
  });

  it.each([
    ['a process that is gone', {}],
    ['a process whose pid is used again', { pid: process.pid }],
  ])('is taken over at once from %s', async (_who, change) => {
    const dead = deadLock(change);
    plant(folder, dead);
    const lock = await take(nodeProcesses(), { pace: { ...QUICK, look: 60_000 } });
    expect(lock.tookOver).toEqual([dead.token]);
    await lock.release();
    expect(names(folder)).not.toContain('lock');
    expect((await take()).tookOver).toEqual([]);
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
    expect(names(folder)).toEqual(['wanted']);
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

it('a brief process has no socket, and gets the lock by waiting', async () => {
  const brief = anotherProcess({ brief: true });
  const lock = await take(brief);
  expect(lockNow().socket).toBe(null);
  expect(names(folder)).toEqual([`live/${lock.token}.lock`, 'lock']);
  const waiting = take(anotherProcess({ brief: true }), { patience: 5_000 });
  await expect.poll(() => names(folder)).toContain('wanted');
  await lock.release();
  const second = await waiting;
  expect([lockNow().socket, await second.isMine()]).toEqual([null, true]);
  await second.release();
});

it('a process that was killed is dead before its parent has asked for it', async () => {
  const child = idleProcess();
  const { self } = nodeProcesses();
  const owner = { ...self, pid: child.pid!, started: '' };
  expect(nodeProcesses().isAlive(owner, 'local')).toBe(null);
  child.kill('SIGKILL');
  await expect.poll(() => nodeProcesses().isAlive(owner, 'local')).toBe(false);
});

it('without hard links there is no lock, and the refusal says so', async () => {
  const copying = overriding(fs, { link: failing('EPERM') });
  const processes = anotherProcess();
  await expect(take(processes, { fs: copying })).rejects.toMatchObject({
    code: 'UNSUPPORTED_REPOSITORY',
    message: expect.stringMatching(/no hard links.*reading works/s),
  });
  await leaveEngineLock({ processes, folder });
  expect(names(folder)).toEqual(['wanted']);
});

it('what this process alone can reach needs no files, and its calls wait for each other', async () => {
  const memory = promisesFs(memoryFs());
  await memory.mkdir('/vedit');
  const options = { fs: memory, folder: '/vedit', processes: onlyProcess() };
  const first = await takeEngineLock({ ...options, patience: 0 });
  await expect(takeEngineLock({ ...options, patience: 20 })).rejects.toMatchObject({ code: 'LOCKED' });
  const waiting = takeEngineLock({ ...options, patience: 5_000 });
  expect(await memory.readdir('/vedit')).toEqual([]);
  await first.release();
  const second = await waiting;
  expect([second.token, second.tookOver, await second.isMine()]).toEqual([first.token, [], true]);
  await second.release();
});
