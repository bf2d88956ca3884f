/** What somebody else made is durable before an edit is built on it: objects of the last minute, and the ref; once. */

import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import type { Context } from '../../../src/engine/context.ts';
import { KnownDurable } from '../../../src/engine/transaction/known-durable.ts';
import type { Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { locate } from '../../../src/git/repository/repository.ts';
import { faultFs } from '../../helpers/fault-fs.ts';
import { failing, overriding } from '../../helpers/overriding.ts';
import { codeOf, type Place, personRepo } from '../../helpers/person-repo.ts';
import { RECORD } from './journal/valid-record.ts';

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

type Trail = Parameters<KnownDurable['make']>[1];

const onBranch = (oid: string): Trail => ({ ref: 'refs/heads/main', checkedOut: true, oid, head: oid });

interface Known {
  disk?: Fs;
  known?: KnownDurable;
  /** What is edited, by the commit of the person. */
  trail?: (oid: string) => Trail;
}

/** The files and folders that are synced before an edit on the commit of the person, in each of these rounds. */
async function synced(
  repo: Place,
  rounds: number,
  { disk = nodeFs(), known = new KnownDurable(), trail: trailOn = onBranch }: Known = {},
): Promise<string[][]> {
  const fs = faultFs(disk);
  const context = { fs, repo: await locate(fs, repo.dir) } as unknown as Context;
  const trail = trailOn(repo.git('rev-parse', 'HEAD'));
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
  expect(await codeOf(synced(repo, 1, { disk: overriding(real, { open }) }))).toBe(told);
});

it('is looked at once', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const [first, second] = await synced(repo, 2);
  expect([first!.length > 0, second]).toEqual([true, []]);
});

it('beside the branch the person’s HEAD is looked at too, the ref of an unmoved trail is not synced, and both once', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const [young] = objects(repo, 0);
  const known = new KnownDurable();
  const beside = (head: string | null) => (oid: string) => ({
    ref: 'refs/vedit/main',
    checkedOut: false,
    oid,
    head: head && oid,
  });
  known.note('refs/vedit/main', repo.git('rev-parse', 'HEAD'));
  expect(await synced(repo, 1, { known, trail: beside(null) })).toEqual([[]]);
  const [first, second] = await synced(repo, 2, { known, trail: beside('moved') });
  expect([first!.includes(young!), second]).toEqual([true, []]);
  expect(first!.filter(path => path.includes('/refs'))).toEqual([]);
});

it('a trail that has no commit yet is built on nothing', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const trail = (): Trail => ({ ref: 'refs/vedit/main', checkedOut: false, oid: null, head: null });
  expect(await synced(repo, 1, { trail })).toEqual([[]]);
});

it.each<[string, (oid: string) => unknown[], isKnown: boolean]>([
  [
    'the newest record of the ref',
    oid => [
      { ...RECORD, new: RECORD.old },
      { ...RECORD, new: oid },
    ],
    true,
  ],
  [
    'an older record of the ref',
    oid => [
      { ...RECORD, new: oid },
      { ...RECORD, new: RECORD.old },
    ],
    false,
  ],
  ['the record before one that is none', oid => [{ ...RECORD, new: oid }, { ref: RECORD.ref }, null], true],
  ['a record of another ref', oid => [{ ...RECORD, ref: 'refs/heads/main', new: oid }], false],
  ['what is no record', oid => [{ ref: RECORD.ref, new: oid }], false],
])('what other processes recorded: %s', async (_, records, isKnown) => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const known = new KnownDurable();
  const frames = records(repo.git('rev-parse', 'HEAD')).map(data => ({ data, objects: [] }));
  known.noteRecords(frames as unknown as Parameters<KnownDurable['noteRecords']>[0]);
  const trail = (oid: string): Trail => ({ ref: RECORD.ref, checkedOut: true, oid, head: oid });
  const [paths] = await synced(repo, 1, { known, trail });
  expect(paths!.length === 0).toBe(isKnown);
});

it.each([
  ['none', false],
  ['.git/HEAD', true],
  ['.git/refs/heads/main', true],
  ['.git/refs/heads/other', true],
  ['.git/refs/heads/third', false],
])('objects are looked at where a ref of the edit is young: %s', async (which, isLooked) => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const [young] = objects(repo, 0);
  for (const name of ['other', 'third']) repo.git('branch', name);
  const old = NOW / 1000 - 61;
  for (const name of ['HEAD', 'refs/heads/main', 'refs/heads/other', 'refs/heads/third'])
    utimesSync(repo.path(`.git/${name}`), old, old);
  if (which !== 'none') utimesSync(repo.path(which), NOW / 1000, NOW / 1000);
  const trail = (oid: string): Trail => ({ ref: 'refs/heads/other', checkedOut: false, oid, head: oid });
  const [paths] = await synced(repo, 1, { trail });
  expect(paths!.includes(young!)).toBe(isLooked);
  expect(paths).toContain(repo.path('.git/refs/heads/other'));
});

it.each([
  [NOW, true],
  [NOW - 60_001, false],
])('a ref that git packed is synced with the file of all of them, written at %i', async (time, isLooked) => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const [young] = objects(repo, 0);
  repo.git('pack-refs', '--all');
  for (const name of ['HEAD', 'packed-refs']) {
    const at = name === 'HEAD' ? NOW - 60_001 : time;
    utimesSync(repo.path(`.git/${name}`), at / 1000, at / 1000);
  }
  const [paths] = await synced(repo, 1);
  expect(paths).toEqual(expect.arrayContaining([repo.path('.git/packed-refs'), repo.path('.git')]));
  expect(paths!.includes(young!)).toBe(isLooked);
});

it('of many young objects the newest are synced', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  objects(repo, 3_600_000);
  const folder = repo.path('.git/objects/aa');
  mkdirSync(folder, { recursive: true });
  const names = Array.from({ length: 502 }, (_, n) => `${folder}/${n}`);
  for (const [n, name] of names.entries()) {
    writeFileSync(name, '');
    // Neither the order of their names nor its reverse.
    const time = (NOW - ((n * 7) % 502)) / 1000;
    utimesSync(name, time, time);
  }
  const oldest = names.filter((_, n) => (n * 7) % 502 >= 500);
  const real = nodeFs();
  const none = async (): Promise<void> => {};
  const open: Fs['open'] = async (...how) => overriding(await real.open(...how), { sync: none });
  const [paths] = await synced(repo, 1, { disk: overriding(real, { open }) });
  expect(names.filter(name => !paths!.includes(name))).toEqual(oldest);
});
