import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import { openOn } from '../../../src/workspace/open.ts';
import { processOfBoot } from '../../crash/fault-harness.ts';
import { killedAt, type Point, stoppedAt } from '../../crash/person.ts';
import { faultFs } from '../../helpers/fault-fs.ts';
import { failing, overriding } from '../../helpers/overriding.ts';
import { codeOf, type Place, personRepo } from '../../helpers/person-repo.ts';
import { seededBytes } from '../../helpers/seeded-bytes.ts';
import { openAs } from './ended-process.ts';

/** A megabyte that deflates hardly, with the word that one-edit.mjs replaces. */
function largeRepo(): Place {
  return personRepo({ 'a.txt': `one\ntwo\n${lines(1_000_000)}` });
}

/** Hex digits, in which no word is found by chance. */
function lines(bytes: number): string {
  return `${seededBytes(bytes / 2)
    .toString('hex')
    .replace(/(.{76})/g, '$1\n')}\n`;
}

const packs = (repo: Place, ending: string): string[] =>
  readdirSync(repo.path('.git/objects/pack')).filter(name => name.endsWith(ending));
const marks = (repo: Place): string[] =>
  readdirSync(repo.path('.git/vedit')).filter(name => name.startsWith('keep-'));
const journalBytes = (repo: Place): number =>
  readdirSync(repo.path('.git/vedit'))
    .filter(name => name.startsWith('journal.'))
    .reduce((sum, name) => sum + statSync(repo.path('.git/vedit', name)).size, 0);

async function nextEdit(repo: Place): Promise<void> {
  const workspace = await repo.open();
  await workspace.session().edit('create', { path: 'next.txt', file_text: 'next\n' });
  await workspace.close();
}

/** Nothing is broken, and nothing of the engine's lies around. */
function isClean(repo: Place): void {
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  expect([packs(repo, '.keep'), marks(repo), journalBytes(repo)]).toEqual([[], [], 0]);
  expect(readdirSync(repo.path('.git/vedit/tmp'))).toEqual([]);
}

it('a large change is in one pack that no gc deletes, until the checkpoint; a small one is not', async () => {
  const repo = largeRepo();
  const workspace = await repo.open();
  const session = workspace.session();
  await session.edit('create', { path: 'small.txt', file_text: 'small\n' });
  expect(packs(repo, '.pack')).toEqual([]);
  const { data } = await session.edit('create', { path: 'large.txt', file_text: lines(1_000_000) });
  expect([packs(repo, '.pack').length, packs(repo, '.keep').length, marks(repo).length]).toEqual([1, 1, 1]);
  expect(journalBytes(repo)).toBeLessThan(20_000);
  const path = packs(repo, '.idx')[0]!;
  expect(repo.git('verify-pack', '-v', `.git/objects/pack/${path}`)).toContain(data.commit);
  expect(statSync(repo.path('.git/objects/pack', path)).mode & 0o777).toBe(0o444 & ~process.umask());
  repo.git('gc', '-q', '--prune=now');
  expect(packs(repo, '.keep')).toHaveLength(1);
  await workspace.close();
  isClean(repo);
  expect(repo.git('rev-parse', 'vedit/main')).toBe(data.commit);
});

it.each<[Point, boolean]>([
  ['recorded', false],
  ['before-ref', false],
  ['after-ref', true],
  ['after-file', true],
])('killed at %s, and everything loose pruned before the next edit', async (point, isMade) => {
  const repo = largeRepo();
  killedAt(repo, point);
  expect(packs(repo, '.keep')).toHaveLength(1);
  repo.git('gc', '-q', '--prune=now');
  await nextEdit(repo);
  isClean(repo);
  expect(repo.read('a.txt').includes('TWO')).toBe(isMade);
  expect(repo.git('log', '--format=%s', 'vedit/main').split('\n').length).toBe(isMade ? 3 : 2);
});

it.each<Point>(['recorded', 'before-ref'])(
  'a gc that prunes everything, while the writer stands at %s, takes nothing of it',
  async point => {
    const repo = largeRepo();
    const writer = await stoppedAt(repo, point);
    repo.git('gc', '-q', '--prune=now');
    const commit = await writer.goOn();
    expect(repo.git('rev-parse', 'vedit/main')).toBe(commit);
    isClean(repo);
    expect(repo.git('show', 'vedit/main:a.txt')).toContain('TWO');
  },
);

const LOSSES: [string, (pack: string, index: string) => void][] = [
  ['the pack', pack => rmSync(pack)],
  ['half of the pack', pack => truncateSync(pack, readFileSync(pack).length >> 1)],
  ['the content of the index', (_, index) => truncateSync(index, 0)],
  ['the index', (_, index) => rmSync(index)],
];

it.each(LOSSES)('a record whose pack lost %s with the power does not count', async (_, lose) => {
  const repo = largeRepo();
  const before = repo.git('rev-parse', 'HEAD');
  killedAt(repo, 'recorded');
  const [pack] = packs(repo, '.pack');
  const index = `.git/vedit/keep-${pack!.replace('.pack', '.idx')}`;
  lose(repo.path('.git/objects/pack', pack!), repo.path(index));
  const fs = faultFs(nodeFs());
  const workspace = await openOn(
    { fs, codec: nativeCodec, processes: processOfBoot('another boot') },
    { root: repo.dir },
  );
  expect(repo.git('for-each-ref', 'refs/vedit')).toBe('');
  await workspace.session().edit('create', { path: 'next.txt', file_text: 'next\n' });
  await workspace.close();
  isClean(repo);
  expect([repo.read('a.txt').includes('TWO'), repo.git('rev-parse', 'vedit/main~1')]).toEqual([
    false,
    before,
  ]);
});

it('a record whose pack somebody has packed anew, with all that is kept, counts after a power cut', async () => {
  const repo = largeRepo();
  killedAt(repo, 'after-ref');
  const kept = readdirSync(repo.path('.git/objects/pack'));
  repo.git('repack', '-adq', '--pack-kept-objects');
  for (const name of kept) rmSync(repo.path('.git/objects/pack', name), { force: true });
  const workspace = await openAs(repo, { boot: 'another boot' });
  expect(repo.read('a.txt')).toContain('TWO');
  expect(repo.git('show', 'vedit/main:a.txt')).toContain('TWO');
  await workspace.close();
  await nextEdit(repo);
  isClean(repo);
});

it('after a power cut that took the place of the index, the pack is what it was', async () => {
  const repo = largeRepo();
  const commit = killedAt(repo, 'acknowledged');
  const index = packs(repo, '.idx')[0]!;
  renameSync(repo.path('.git/objects/pack', index), repo.path(`.git/vedit/keep-${index}`));
  const workspace = await openAs(repo, { boot: 'another boot' });
  expect(repo.git('rev-parse', 'vedit/main')).toBe(commit);
  expect(repo.git('show', 'vedit/main:a.txt')).toContain('TWO');
  await workspace.close();
  await nextEdit(repo);
  isClean(repo);
});

describe('of a change that is not made nothing stays', () => {
  const packFiles = (repo: Place): string[] =>
    readdirSync(repo.path('.git/objects/pack')).concat(marks(repo));

  it('when git holds the ref', async () => {
    const repo = largeRepo();
    const workspace = await repo.open({ patience: { git: 50 } });
    const session = workspace.session();
    await session.edit('create', { path: 'small.txt', file_text: 'small\n' });
    repo.write('.git/refs/vedit/main.lock', '');
    for (const _ of ['once', 'twice'])
      expect(await codeOf(session.edit('create', { path: 'large.txt', file_text: lines(1_000_000) }))).toBe(
        'LOCKED',
      );
    expect(packFiles(repo)).toEqual([]);
    rmSync(repo.path('.git/refs/vedit/main.lock'));
    await session.edit('create', { path: 'large.txt', file_text: lines(1_000_000) });
    await workspace.close();
    isClean(repo);
  });

  it.each<Point>(['recorded', 'before-ref'])('after a kill at %s', async point => {
    const repo = largeRepo();
    killedAt(repo, point);
    const before = packFiles(repo);
    await nextEdit(repo);
    expect(packFiles(repo).filter(name => before.includes(name))).toEqual(
      point === 'recorded' ? [] : before.filter(name => /\.(pack|idx)$/.test(name)),
    );
    isClean(repo);
  });

  it('when the disk is full at its index', async () => {
    const repo = largeRepo();
    const disk = nodeFs();
    let isFull = true;
    const open: Fs['open'] = (path, how, mode) =>
      isFull && path.endsWith('-idx') ? failing('ENOSPC')() : disk.open(path, how, mode);
    const workspace = await openAs(repo, { fs: overriding(disk, { open }) });
    const session = workspace.session();
    const edit = { path: 'large.txt', file_text: lines(1_000_000) };
    expect(await codeOf(session.edit('create', edit))).toBe('STORE_FAILED');
    expect(packFiles(repo)).toEqual([]);
    isFull = false;
    await session.edit('create', edit);
    await workspace.close();
    isClean(repo);
  });

  it('when nothing of it could be removed, after the next gc', async () => {
    const repo = largeRepo();
    killedAt(repo, 'recorded');
    rmSync(repo.path('.git/vedit/lock'));
    for (const name of readdirSync(repo.path('.git/vedit')))
      if (name.startsWith('journal.')) rmSync(repo.path('.git/vedit', name));
    const workspace = await repo.open();
    await workspace.gc();
    expect(packFiles(repo)).toEqual([]);
    await workspace.close();
  });
});

it('after a power cut that took ref and file, the pack gives them back', async () => {
  const repo = largeRepo();
  const commit = killedAt(repo, 'acknowledged');
  rmSync(repo.path('.git/refs/vedit/main'));
  const fs = faultFs(nodeFs());
  const workspace = await openOn(
    { fs, codec: nativeCodec, processes: processOfBoot('another boot') },
    { root: repo.dir },
  );
  expect(repo.git('rev-parse', 'vedit/main')).toBe(commit);
  expect(existsSync(repo.path('a.txt')) && repo.read('a.txt').includes('TWO')).toBe(true);
  await workspace.close();
  await nextEdit(repo);
  isClean(repo);
});
