import { mkdirSync, rmSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { lstatOf } from '../../../src/fs/fs.ts';
import { updateIndex } from '../../../src/git/index/file.ts';
import { racilyDirty } from '../../../src/git/index/racy.ts';
import type { Sandbox } from '../../helpers/real-git.ts';
import {
  blobId,
  check,
  codeOf,
  committed,
  edit,
  entries,
  fs,
  indexOf,
  replaceIndex,
  sha1,
} from './changes.ts';

describe('extensions', () => {
  const signatures = (bytes: Uint8Array): string[] =>
    ['TREE', 'sdir', 'REUC', 'UNTR', 'FSMN', 'EOIE', 'IEOT'].filter(name =>
      Buffer.from(bytes).includes(name),
    );

  test('TREE keeps the trees that did not change, and write-tree still gives the right one', async () => {
    const box = committed({ 'a/x': '1', 'a/b/y': '2', 'c/d/z': '3', 'c/e/z': '4', top: '5' });
    const kept = box.git('rev-parse', 'HEAD:c/e');
    const changed = box.git('rev-parse', 'HEAD:c/d');
    expect(Buffer.from(indexOf(box)).includes(Buffer.from(changed, 'hex'))).toBe(true);
    const bytes = Buffer.from(await edit(box, { 'c/d/z': 'new', 'f/g': 'new' }));
    expect(bytes.includes(Buffer.from(kept, 'hex'))).toBe(true);
    expect(bytes.includes(Buffer.from(changed, 'hex'))).toBe(false);
    const tree = box.git('write-tree');
    expect(box.git('ls-tree', '-r', '--name-only', tree).split('\n')).toEqual([
      'a/b/y',
      'a/x',
      'c/d/z',
      'c/e/z',
      'f/g',
      'top',
    ]);
    rmSync(box.path('.git/index'));
    box.git('add', '-A');
    expect(box.git('write-tree')).toBe(tree);
  });

  test('TREE after a folder is gone, became a file, or came back', async () => {
    const box = committed({ 'a/b/c': '1', 'a/d': '2', 'e/f': '3' });
    for (const change of [
      { 'a/b/c': null, 'a/b': 'file' },
      { 'a/b': null, 'a/b/c': 'again' },
      { 'e/f': null },
      { 'a/d': null, 'a/b/c': null, a: 'file' },
    ] as Record<string, string | null>[]) {
      await edit(box, change);
      const tree = box.git('write-tree');
      rmSync(box.path('.git/index'));
      box.git('add', '-A');
      expect(box.git('write-tree')).toBe(tree);
    }
  });

  test('UNTR stays while no entry comes or goes', async () => {
    const box = committed({ a: '1', 'd/b': '2' });
    box.git('update-index', '--force-untracked-cache');
    box.write('d/untracked', 'u');
    expect(box.git('status', '--porcelain')).toBe('?? d/untracked');
    expect(signatures(indexOf(box))).toContain('UNTR');
    expect(signatures(await edit(box, { a: 'new' }))).toContain('UNTR');
    expect(box.git('status', '--porcelain')).toBe('M  a\n?? d/untracked');
    expect(signatures(await edit(box, { 'd/untracked': 'now tracked' }))).not.toContain('UNTR');
    expect(box.git('status', '--porcelain')).toBe('M  a\nA  d/untracked');
  });

  test('REUC stays', async () => {
    const box = committed({ a: '1', c: '3' });
    box.git('checkout', '-q', '-b', 'side');
    box.write('c', 'theirs');
    box.git('commit', '-q', '-am', 'theirs');
    box.git('checkout', '-q', 'main');
    box.write('c', 'ours');
    box.git('commit', '-q', '-am', 'ours');
    expect(() => box.git('merge', 'side')).toThrow();
    box.write('c', 'both');
    box.git('add', 'c');
    const before = box.git('ls-files', '--resolve-undo');
    expect(before).not.toBe('');
    await edit(box, { a: 'new' });
    expect(box.git('ls-files', '--resolve-undo')).toBe(before);
  });

  test('EOIE and IEOT, which are about positions, go; git reads and writes on', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, `${i}`]));
    const box = committed(
      files,
      4,
      'index.threads=4',
      'index.recordEndOfIndexEntries=true',
      'index.recordOffsetTable=true',
    );
    expect(signatures(indexOf(box))).toEqual(expect.arrayContaining(['EOIE', 'IEOT']));
    const before = entries(box);
    expect(signatures(await edit(box, { f7: 'new', 'f7/x': null }))).toEqual(['TREE']);
    check(box, before, ['f7']);
  });

  test('FSMN goes: it counts entries', async () => {
    const box = committed({ a: '1', b: '2' });
    box.git('update-index', '--fsmonitor');
    expect(signatures(indexOf(box))).toContain('FSMN');
    expect(signatures(await edit(box, { b: 'new' }))).not.toContain('FSMN');
  });

  test('a split index alone is refused before anything is written', async () => {
    const split = committed({ a: '1' });
    split.git('update-index', '--split-index');
    expect(await codeOf(updateIndex(indexOf(split), [], sha1))).toBe('UNSUPPORTED_REPOSITORY');
    const sparse = committed({ 'a/b': '1', 'c/d': '2' });
    sparse.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'a');
    expect(signatures(await updateIndex(indexOf(sparse), [], sha1))).toContain('sdir');
  });
});

describe('a change in the second in which the index was written', () => {
  const SECOND = 1_700_000_000;

  /** Committed, then changed to a text of equal length without a change of its times, as in one second. */
  async function raced(): Promise<Sandbox> {
    const box = committed({ same: '111', other: '222', calm: '333', away: '444' });
    box.git('config', 'core.trustctime', 'false');
    for (const path of ['same', 'other', 'away']) utimesSync(box.path(path), SECOND, SECOND);
    utimesSync(box.path('calm'), SECOND - 100, SECOND - 100);
    box.git('update-index', '--refresh');
    utimesSync(box.path('.git/index'), SECOND, SECOND);
    box.write('same', 'XXX');
    utimesSync(box.path('same'), SECOND, SECOND);
    return box;
  }

  const options = async (box: Sandbox) => ({
    fs,
    workDir: box.dir,
    index: indexOf(box),
    writtenNs: (await lstatOf(fs, box.path('.git/index'))).mtimeNs,
    hash: blobId,
  });

  test('is hidden when the index is written again, unless the entry is smudged', async () => {
    const box = await raced();
    const fields = { ctimeNs: 0n };
    const pinned = Object.assign(Object.create(fs), {
      // The change time cannot be set back, so both looks are given the same one.
      lstat: async (path: string) => ({ ...(await lstatOf(fs, path)), ...fields }),
      readFile: (path: string) => fs.readFile(path),
    });
    const withCtime = Uint8Array.from(indexOf(box));
    for (let at = 12, i = 0; i < 4; i++) {
      withCtime.fill(0, at, at + 8);
      at += (62 + (withCtime[at + 61]! & 0xff) + 8) & ~7;
    }
    const smudged = await racilyDirty({ ...(await options(box)), fs: pinned, index: withCtime });
    expect(smudged.map(name => new TextDecoder().decode(name))).toEqual(['same']);

    await replaceIndex(box, []);
    expect(box.git('diff-files', '--name-only')).toBe('');
    await replaceIndex(box, [], smudged);
    expect(box.git('diff-files', '--name-only')).toBe('same');
    expect(box.git('status', '--porcelain')).toBe(' M same');
  });

  test('asks for nothing when nothing changed', async () => {
    const box = committed({ a: '1', b: '2' });
    expect(await racilyDirty(await options(box))).toEqual([]);
    rmSync(box.path('a'));
    mkdirSync(box.path('a'));
    rmSync(box.path('b'));
    expect(await racilyDirty(await options(box))).toEqual([]);
  });
});
