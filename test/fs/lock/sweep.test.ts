/** What is swept of the files of processes that ended: what somebody alive may still need stays. */

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { LockFile } from '../../../src/fs/lock/lock-file.ts';
import { type Processes, randomToken } from '../../../src/fs/lock/processes.ts';
import { sweep } from '../../../src/fs/lock/sweep.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nodeProcesses } from '../../../src/fs/node/processes.ts';
import { anotherProcess, deadLock, scratch } from '../../helpers/locks.ts';
import { failing, overriding } from '../../helpers/overriding.ts';

const unknown = (): null => null;
const TOKEN = randomToken();
const MINUTE = 60_000;
let folder: string;
beforeEach(() => {
  folder = scratch();
  mkdirSync(join(folder, 'live'));
});

const put = (name: string, content: LockFile | string): void =>
  writeFileSync(join(folder, 'live', name), typeof content === 'string' ? content : JSON.stringify(content));

const paths = () => ({ live: join(folder, 'live'), path: join(folder, 'lock') });

/** What is left after a sweep so many milliseconds later, by a process that can tell of an owner what `isAlive` says. */
async function left(age: number, isAlive: Processes['isAlive']): Promise<string[]> {
  const earlier = BigInt(age) * 1_000_000n;
  const fs = overriding(nodeFs(), {
    lstat: async path => {
      const { mtimeNs, ctimeNs, ...rest } = await nodeFs().lstat(path);
      return { ...rest, mtimeNs: mtimeNs - earlier, ctimeNs: ctimeNs - earlier };
    },
  });
  const processes = anotherProcess({ isAlive });
  await sweep({ fs, processes, ...paths(), token: TOKEN, disk: nodeProcesses().diskOf(folder) });
  return readdirSync(join(folder, 'live')).sort();
}

it('a file of which nobody says whose it is goes when it is a minute old, and not before', async () => {
  const name = `${randomToken()}.draft`;
  put(name, '');
  expect(await left(MINUTE / 2, unknown)).toEqual([name]);
  expect(await left(2 * MINUTE, unknown)).toEqual([]);
});

it('a guard is of who made it, not of the dead one that it is named after', async () => {
  const dead = deadLock();
  const maker = deadLock();
  put(`${dead.token}.guard`, maker);
  put(`${dead.token}.lock`, dead);
  const tokens = (isAlive: (token: string) => boolean) =>
    left(0, owner => isAlive((owner as LockFile).token));
  expect(await tokens(token => token === maker.token)).toEqual([`${dead.token}.guard`]);
  put(`${dead.token}.lock`, dead);
  expect(await tokens(token => token === dead.token)).toEqual([`${dead.token}.lock`]);
});

it('the files of a process of which nobody can tell whether it runs go after a day', async () => {
  const owner = deadLock();
  for (const name of [owner.token, `${owner.token}.lock`]) put(name, owner);
  expect(await left(23 * 60 * MINUTE, unknown)).toHaveLength(2);
  expect(await left(25 * 60 * MINUTE, () => true)).toHaveLength(2);
  expect(await left(25 * 60 * MINUTE, unknown)).toEqual([]);
});

it('what was not there when it was looked at stays when it comes', async () => {
  const name = `${randomToken()}.draft`;
  put(name, '');
  const fs = overriding(nodeFs(), { lstat: failing('ENOENT') });
  await sweep({ fs, processes: anotherProcess({ alone: true }), ...paths(), token: TOKEN, disk: 'local' });
  expect(readdirSync(join(folder, 'live'))).toEqual([name]);
});

it('what begins with the sweeper’s own token stays, whatever is told of it', async () => {
  put(`${TOKEN}.lock`, deadLock({ token: TOKEN }));
  expect(await left(2 * MINUTE, () => false)).toEqual([`${TOKEN}.lock`]);
});
