/** A change of any size goes through the journal, and one of many megabytes leaves it within its own call. */

import { readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { killedAt, type Point, stoppedAt } from '../../crash/person.ts';
import { overriding } from '../../helpers/overriding.ts';
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

const packs = (repo: Place): string[] =>
  readdirSync(repo.path('.git/objects/pack')).filter(name => /\.(pack|idx|keep)$/.test(name));
const journalFiles = (repo: Place): string[] =>
  readdirSync(repo.path('.git/vedit'))
    .filter(name => name.startsWith('journal.'))
    .map(name => repo.path('.git/vedit', name));
const journalBytes = (repo: Place): number =>
  journalFiles(repo).reduce((sum, path) => sum + statSync(path).size, 0);

async function nextEdit(repo: Place): Promise<void> {
  const workspace = await repo.open();
  await workspace.session().edit('create', { path: 'next.txt', file_text: 'next\n' });
  await workspace.close();
}

/** Nothing is broken, and nothing of the engine's lies around. */
function isClean(repo: Place): void {
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  // The header of the next file may be there.
  expect(journalBytes(repo)).toBeLessThan(1_000);
  expect(readdirSync(repo.path('.git/vedit/tmp'))).toEqual([]);
}

it('of many megabytes is packed when the call ends; a gc between two calls takes nothing of it', async () => {
  const repo = largeRepo();
  const workspace = await repo.open();
  const session = workspace.session();
  await session.edit('create', { path: 'one.txt', file_text: lines(1_000_000) });
  expect([packs(repo), journalBytes(repo) > 400_000]).toEqual([[], true]);
  const { data } = await session.edit('create', { path: 'large.txt', file_text: lines(12_000_000) });
  expect([packs(repo).length, journalBytes(repo) < 1_000]).toEqual([2, true]);
  repo.git('gc', '-q', '--prune=now');
  await session.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'TWO' });
  await workspace.close();
  isClean(repo);
  expect(repo.git('rev-parse', 'vedit/main~1')).toBe(data.commit);
});

it.each<[Point, boolean]>([
  ['recorded', false],
  ['before-ref', false],
  ['after-ref', true],
  ['after-file', true],
])('killed at %s, and everything loose pruned before the next edit', async (point, isMade) => {
  const repo = largeRepo();
  killedAt(repo, point);
  repo.git('gc', '-q', '--prune=now');
  await nextEdit(repo);
  isClean(repo);
  expect(repo.read('a.txt').includes('TWO')).toBe(isMade);
  expect(repo.git('log', '--format=%s', 'vedit/main').split('\n').length).toBe(isMade ? 3 : 2);
});

it.each<Point>(['recorded', 'before-ref'])(
  'what a gc prunes while the writer stands at %s is there again after the checkpoint',
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

it.each([0.2, 0.9])('a record of which a power cut left %d does not count', async part => {
  const repo = largeRepo();
  const before = repo.git('rev-parse', 'HEAD');
  killedAt(repo, 'recorded');
  const [journal] = journalFiles(repo);
  truncateSync(journal!, Math.floor(readFileSync(journal!).length * part));
  const workspace = await openAs(repo, { boot: 'another boot' });
  expect(repo.git('for-each-ref', 'refs/vedit')).toBe('');
  await workspace.session().edit('create', { path: 'next.txt', file_text: 'next\n' });
  await workspace.close();
  isClean(repo);
  expect([repo.read('a.txt').includes('TWO'), repo.git('rev-parse', 'vedit/main~1')]).toEqual([
    false,
    before,
  ]);
});

it('after a power cut that took ref, file and objects, the journal gives them back', async () => {
  const repo = largeRepo();
  const commit = killedAt(repo, 'acknowledged');
  rmSync(repo.path('.git/refs/vedit/main'));
  for (const oid of [commit!, repo.git('rev-parse', `${commit}:a.txt`)])
    rmSync(repo.path('.git/objects', oid.slice(0, 2), oid.slice(2)));
  const workspace = await openAs(repo, { boot: 'another boot' });
  expect(repo.git('rev-parse', 'vedit/main')).toBe(commit);
  expect(repo.read('a.txt')).toContain('TWO');
  await workspace.close();
  await nextEdit(repo);
  isClean(repo);
});

it('of one that is not made since the disk is full in the middle of its record, nothing stays', async () => {
  const repo = largeRepo();
  const disk = nodeFs();
  let isFull = false;
  let pieces = 0;
  const open: Fs['open'] = async (path, how, mode) => {
    const handle = await disk.open(path, how, mode);
    if (how !== 'journal') return handle;
    return overriding(handle, {
      write: bytes => {
        if (isFull && ++pieces === 3) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
        return handle.write(bytes);
      },
    });
  };
  const workspace = await openAs(repo, { fs: overriding(disk, { open }) });
  const session = workspace.session();
  await session.edit('create', { path: 'small.txt', file_text: 'small\n' });
  const before = journalBytes(repo);
  isFull = true;
  const edit = { path: 'large.txt', file_text: lines(8_000_000) };
  expect(await codeOf(session.edit('create', edit))).toBe('STORE_FAILED');
  expect(journalBytes(repo)).toBe(before);
  isFull = false;
  await session.edit('create', edit);
  await workspace.close();
  isClean(repo);
});
