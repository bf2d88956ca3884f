/** What is swept of the files of processes that ended: what somebody alive may still need stays. */

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { Fs } from '../../../src/fs/fs.ts';
import { sweep } from '../../../src/fs/lock/registration.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { deadLock, plant, scratch } from '../../helpers/locks.ts';
import { overriding } from '../../helpers/overriding.ts';

const MINUTE = 60_000;
const OWN = deadLock().token;
let folder: string;
beforeEach(() => {
  folder = scratch();
  mkdirSync(join(folder, 'live'));
});

/** Puts the files of one token there. */
function put(...endings: string[]): { token: string; names: string[] } {
  const lock = deadLock();
  for (const ending of endings)
    writeFileSync(join(folder, 'live', lock.token + ending), JSON.stringify(lock));
  return { token: lock.token, names: endings.map(ending => lock.token + ending).sort() };
}

/** What is left after a sweep so many milliseconds later; `young`: the ending of files that were changed just then. */
async function left(
  age: number,
  young = '-',
  changes: Partial<Fs> = {},
  isAlive: () => boolean | null = () => null,
): Promise<string[]> {
  const earlier = BigInt(age) * 1_000_000n;
  const fs = overriding(nodeFs(), {
    lstat: async path => {
      const { mtimeNs, ctimeNs, ...rest } = (await nodeFs().lstat(path))!;
      const ago = path.endsWith(young) ? 0n : earlier;
      return { ...rest, mtimeNs: mtimeNs - ago, ctimeNs: ctimeNs - ago };
    },
    ...changes,
  });
  const options = { fs, processes: { isAlive } };
  await sweep({ options, live: join(folder, 'live'), path: join(folder, 'lock'), disk: 'local', token: OWN });
  return readdirSync(join(folder, 'live')).sort();
}

it('all files of a process go when none of them was changed for ten minutes, and not before', async () => {
  const { names } = put('', '.lock', '.draft', '.guard');
  expect(await left(9 * MINUTE)).toEqual(names);
  expect(await left(11 * MINUTE)).toEqual([]);
});

it('a socket is as old as the lock file beside it, which each lock that is taken changes', async () => {
  const { names } = put('', '.lock');
  expect(await left(11 * MINUTE, '.lock')).toEqual(names);
});

it('the files of who holds the lock stay, however long it is stopped', async () => {
  const { token, names } = put('', '.lock');
  plant(folder, deadLock({ token }));
  expect(await left(11 * MINUTE)).toEqual(names);
});

it('what was not there when it was looked at stays when it comes', async () => {
  const { names } = put('.draft');
  expect(await left(11 * MINUTE, '-', { lstat: async () => null })).toEqual(names);
});

it('the files of a process that surely has ended go at once, but for those of the lock', async () => {
  const [, dead, holder] = [put('.draft'), put('', '.lock', '.guard'), put('', '.lock')];
  plant(folder, deadLock({ token: holder.token }));
  const names = await left(0, '-', {}, () => false);
  expect(names).toEqual(expect.arrayContaining(holder.names));
  expect(names.filter(name => dead.names.includes(name))).toEqual([]);
  expect(names).toHaveLength(3);
});

it('the files of who sweeps stay, whatever is told of them', async () => {
  writeFileSync(join(folder, 'live', `${OWN}.lock`), JSON.stringify(deadLock({ token: OWN })));
  expect(await left(11 * MINUTE, '-', {}, () => false)).toEqual([`${OWN}.lock`]);
});
