/** What a process that dies at any moment leaves of its own files, and what is swept of them. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Fs } from '../../../src/fs/fs.ts';
import { leaveEngineLock, takeEngineLock } from '../../../src/fs/lock/engine-lock.ts';
import { parseLock } from '../../../src/fs/lock/lock-file.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { Branches } from '../../helpers/branches.ts';
import { crashAt, errorAt, faultFs } from '../../helpers/fault-fs.ts';
import { anotherProcess, names, scratch } from '../../helpers/locks.ts';
import { failing, overriding } from '../../helpers/overriding.ts';

const live = (folder: string): string[] =>
  existsSync(join(folder, 'live')) ? readdirSync(join(folder, 'live')) : [];

it('a lock file is never without its content', async () => {
  const branches = new Branches('a lock is there');
  for (let n = 1; ; n++) {
    const folder = scratch();
    const fs = faultFs(nodeFs(), crashAt(n, 'half'));
    const lock = await takeEngineLock({ fs, processes: anotherProcess(), folder, patience: 0 }).catch(
      () => null,
    );
    await lock?.release().catch(() => {});
    for (const name of live(folder).filter(one => one.endsWith('.lock'))) {
      branches.ran('a lock is there');
      expect([n, parseLock(readFileSync(join(folder, 'live', name), 'utf8'))]).not.toEqual([n, null]);
    }
    if (fs.crashed) continue;
    branches.expectAll();
    return expect(n).toBeGreaterThan(5);
  }
});

it('a lock file that cannot be written is told, and nothing lies around', async () => {
  const folder = scratch();
  let isArmed = true;
  const fs = overriding(nodeFs(), {
    rename: async (from, to) => {
      if (!isArmed) return nodeFs().rename(from, to);
      isArmed = false;
      return failing('EIO')();
    },
  });
  const processes = anotherProcess();
  const taking = takeEngineLock({ fs, processes, folder, patience: 0 });
  await expect(taking).rejects.toMatchObject({ code: 'EIO' });
  expect(names(folder)).toEqual([]);
  await (await takeEngineLock({ fs, processes, folder, patience: 0 })).release();
  await leaveEngineLock({ processes, folder });
});

it('whatever fails once while a lock is given back, nothing lies around when the process has left', async () => {
  for (let n = 1; ; n++) {
    const folder = scratch();
    const processes = anotherProcess();
    const fs = faultFs(nodeFs(), errorAt(n, 'EIO'));
    const lock = await takeEngineLock({ fs, processes, folder, patience: 0 }).catch(() => null);
    const before = fs.trace.length;
    await lock?.release().catch(() => {});
    await leaveEngineLock({ processes, folder }).catch(() => {});
    const { method } = fs.trace[n - 1] ?? {};
    if (lock && n > before) expect([n, method, names(folder)]).toEqual([n, method, ['wanted']]);
    if (fs.trace.length < n) return expect(n).toBeGreaterThan(5);
  }
});

it('a lock that was taken a moment ago is looked at, and not touched', async () => {
  const fs = faultFs(nodeFs());
  const lock = await takeEngineLock({ fs, processes: anotherProcess(), folder: scratch(), patience: 0 });
  const before = fs.trace.length;
  expect(await lock.isMine()).toBe(true);
  expect(fs.trace.slice(before).map(({ method }) => method)).toEqual(['lstat']);
  await lock.release();
});

it('a lock file that somebody sweeps away before it has its name is made anew', async () => {
  const folder = scratch();
  let isArmed = true;
  const disk = nodeFs();
  const rename = async (from: string, to: string): Promise<void> => {
    if (!isArmed) return disk.rename(from, to);
    isArmed = false;
    return failing('ENOENT')();
  };
  const fs = overriding(disk, { rename });
  const lock = await takeEngineLock({ fs, processes: anotherProcess(), folder, patience: 0 });
  expect([isArmed, await lock.isMine()]).toEqual([false, true]);
  await lock.release();
});

it('a lock that was given back is not ours, and the next one is taken under the same token', async () => {
  const where = { fs: nodeFs(), processes: anotherProcess(), folder: scratch(), patience: 0 };
  const lock = await takeEngineLock(where);
  await lock.release();
  expect(await lock.isMine()).toBe(false);
  const next = await takeEngineLock(where);
  expect(next.token).toBe(lock.token);
  await next.release();
});

it('where a network may answer a stat from memory, a link alone tells that the lock is free', async () => {
  const folder = scratch();
  const disk = nodeFs();
  const other = () => anotherProcess({ diskOf: () => 'other' });
  const first = await takeEngineLock({ fs: disk, processes: other(), folder, patience: 0 });
  const stale = await disk.lstat(join(folder, 'lock'));
  const lstat: Fs['lstat'] = async path => (path === join(folder, 'lock') ? stale : disk.lstat(path));
  let waits = (): void => {};
  const waiting = new Promise<void>(resolve => {
    waits = resolve;
  });
  const link: Fs['link'] = (from, to) => disk.link(from, to).finally(waits);
  const fs = overriding(disk, { lstat, link });
  const taking = takeEngineLock({ fs, processes: other(), folder, patience: 1_000 });
  await waiting;
  await first.release();
  await (await taking).release();
});
