/** What landings leave that were killed: it goes when its process is gone. */

import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { encodeLock, type LockFile } from '../../../src/fs/lock/lock-file.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nodeProcesses } from '../../../src/fs/node/processes.ts';
import { sweepLandings } from '../../../src/land/git/landing-folder.ts';
import { anotherProcess, deadLock, scratch } from '../../helpers/locks.ts';

let folder: string;

beforeEach(() => {
  folder = scratch();
});

/** The folder of one landing, with the process that it names. */
function left(name: string, process: Partial<LockFile> | null): string {
  const path = join(folder, 'land', name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'index'), '');
  if (process) writeFileSync(join(path, 'process'), encodeLock(deadLock(process)));
  return path;
}

const swept = async (): Promise<string[]> => {
  await sweepLandings({ fs: nodeFs(), folder, processes: anotherProcess({}) });
  return readdirSync(folder).includes('land') ? readdirSync(join(folder, 'land')) : [];
};

function age(path: string, hours: number): void {
  const then = new Date(Date.now() - hours * 3_600_000);
  utimesSync(path, then, then);
}

it('goes where its process is gone, and stays while it lives', async () => {
  left('dead', {});
  left('lives', nodeProcesses().self);
  expect(await swept()).toEqual(['lives']);
});

it('stays for a day where nobody can tell', async () => {
  const elsewhere = left('elsewhere', { space: 'pid:[7] time' });
  const unknown = left('unknown', null);
  const early = join(folder, 'land', `${'a1'.repeat(12)}.3.index`);
  writeFileSync(early, '');
  expect(await swept()).toHaveLength(3);
  for (const path of [elsewhere, unknown, early]) age(path, 25);
  expect(await swept()).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

it('is not removed through a link that a repository came with', async () => {
  const other = scratch();
  left('dead', {});
  symlinkSync(join(folder, 'land'), join(other, 'land'));
  await sweepLandings({ fs: nodeFs(), folder: other, processes: anotherProcess({}) });
  expect(readdirSync(join(folder, 'land'))).toEqual(['dead']);
});
