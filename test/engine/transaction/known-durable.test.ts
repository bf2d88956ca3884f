/** What somebody else made is durable before an edit is built on it: objects of the last minute, and the ref; once. */

import { readdirSync, utimesSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import type { Context } from '../../../src/engine/context.ts';
import { KnownDurable } from '../../../src/engine/transaction/known-durable.ts';
import type { Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { locate } from '../../../src/git/repository/repository.ts';
import { faultFs } from '../../helpers/fault-fs.ts';
import { failing, overriding } from '../../helpers/overriding.ts';
import { codeOf, type Place, personRepo } from '../../helpers/person-repo.ts';

afterEach(() => {
  vi.useRealTimers();
});

const NOW = Date.UTC(2026, 0, 1);

/** The loose objects of a commit that git made, the first of them so many milliseconds ago, the others long ago. */
function objects(repo: Place, age: number): string[] {
  const folder = repo.path('.git/objects');
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
    /^[0-9a-f]{2}\/./.test(name),
  );
  for (const [n, name] of all.entries()) {
    const time = (NOW - (n === 0 ? age : 3_600_000)) / 1000;
    utimesSync(`${folder}/${name}`, time, time);
    utimesSync(`${folder}/${name.slice(0, 2)}`, NOW / 1000, NOW / 1000);
  }
  return all.map(name => `${folder}/${name}`);
}

/** The files and folders that are synced before an edit on the commit of the person, in each of these rounds. */
async function synced(repo: Place, rounds: number, disk: Fs = nodeFs()): Promise<string[][]> {
  const fs = faultFs(disk);
  const context = { fs, repo: await locate(fs, repo.dir) } as unknown as Context;
  const oid = repo.git('rev-parse', 'HEAD');
  const trail = { ref: 'refs/heads/main', checkedOut: true, oid, head: oid };
  const known = new KnownDurable();
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  const found: string[][] = [];
  for (let round = 0; round < rounds; round++) {
    const before = fs.trace.length;
    await known.make(context, trail);
    found.push(
      fs.trace
        .slice(before)
        .filter(({ method }) => /sync/i.test(method))
        .map(({ path }) => path),
    );
  }
  return found;
}

it.each<[number, isSynced: boolean]>([
  [0, true],
  [60_000, true],
  [60_001, false],
])('an object of %i milliseconds ago', async (age, isSynced) => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const [young, ...old] = objects(repo, age);
  // Git syncs its packs itself.
  repo.write('.git/objects/pack/young.pack', '');
  utimesSync(repo.path('.git/objects/pack/young.pack'), NOW / 1000, NOW / 1000);
  const [paths] = await synced(repo, 1);
  expect(paths!.includes(young!)).toBe(isSynced);
  expect(paths!.filter(path => old.includes(path))).toEqual([]);
  expect(paths!.filter(path => path.endsWith('.pack'))).toEqual([]);
  const ref = repo.path('.git/refs/heads/main');
  expect(paths).toEqual(expect.arrayContaining([ref, repo.path('.git/refs/heads')]));
});

it.each([
  ['ENOENT', 'is nobody’s fault: git packed or removed it', null],
  ['EIO', 'is told', 'EIO'],
])('an object that cannot be synced for %s %s', async (code, _, told) => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const [young] = objects(repo, 0);
  const real = nodeFs();
  const open: Fs['open'] = (path, ...rest) => (path === young ? failing(code)() : real.open(path, ...rest));
  expect(await codeOf(synced(repo, 1, overriding(real, { open })))).toBe(told);
});

it('is looked at once', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const [first, second] = await synced(repo, 2);
  expect([first!.length > 0, second]).toEqual([true, []]);
});
