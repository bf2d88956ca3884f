import { rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lstatOf, type Stat } from '../../../src/fs/fs.ts';
import { type IndexChange, readIndexEntry, updateIndex } from '../../../src/git/index/file.ts';
import { repository, type Sandbox } from '../../helpers/real-git.ts';
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

describe.each([2, 3, 4])('an index of version %i', version => {
  const files = {
    'a.txt': 'a',
    'a/b': 'b',
    'a/c/d': 'd',
    'a-b': 'x',
    z: 'z',
    'src/deep/x.ts': 'x',
    'src/deep/y.ts': 'y',
  };
  // Version 3 is what git writes when an entry needs a flag that version 2 has no room for.
  const open = (): Sandbox => {
    const box = committed(files, version === 3 ? 2 : version);
    if (version === 3) box.git('update-index', '--skip-worktree', 'z');
    expect(indexOf(box)[7]).toBe(version);
    return box;
  };

  test.each([
    ['changes one', { 'a/c/d': 'new' }],
    ['changes the first', { 'a-b': 'new' }],
    ['changes the last but one', { 'src/deep/y.ts': 'new' }],
    ['changes several', { 'a.txt': '1', 'a/b': '2', 'src/deep/x.ts': '3' }],
    ['adds before all', { '!': 'new' }],
    ['adds after all', { 'zz/y/x': 'new' }],
    ['adds among others', { 'a/b2': 'new', 'a/b3': 'new', 'src/deep/x.tsx': 'new' }],
    ['adds beside a change', { 'a/b': 'new', 'a/ba': 'new', 'a/a': 'new' }],
    ['deletes the first', { 'a-b': null }],
    ['deletes one', { 'a/c/d': null }],
    [
      'deletes neighbours and adds between',
      { 'src/deep/x.ts': null, 'src/deep/y.ts': null, 'src/deep/xx': 'new' },
    ],
    ['deletes what is not there', { nowhere: null }],
    ['turns a file into a folder', { 'a-b': null, 'a-b/x': 'new' }],
    ['turns a folder into a file', { 'a/b': null, 'a/c/d': null, a: 'new' }],
    [
      'does all at once',
      { '!': 'new', 'a-b': 'new', 'a/b': null, 'a/c/e': 'new', 'src/deep/y.ts': null, zz: 'new' },
    ],
  ] as [string, Record<string, string | null>][])('%s', async (_what, change) => {
    const box = open();
    const before = entries(box);
    const bytes = await edit(box, change);
    check(box, before, Object.keys(change));
    for (const [path, words] of Object.entries(change)) {
      const oid = words === null ? undefined : blobId(Buffer.from(words));
      expect(readIndexEntry(bytes, path)?.oid).toBe(oid);
    }
    expect(box.git('write-tree')).toMatch(/^[0-9a-f]{40}$/);
    expect(box.git('diff', '--cached', '--name-only').split('\n').sort()).toEqual(
      Object.keys(change)
        .filter(path => path !== 'nowhere')
        .sort()
        .concat(change.nowhere === null ? [''] : []),
    );
  });

  test('keeps the executable bit and the null hash of index.skipHash', async () => {
    const box = open();
    const bytes = Uint8Array.from(indexOf(box));
    bytes.fill(0, -20);
    writeFileSync(box.path('.git/index'), bytes);
    const before = entries(box);
    const after = await edit(box, { 'a/b': 'run' }, true);
    expect(after.subarray(-20).every(byte => byte === 0)).toBe(true);
    expect(readIndexEntry(after, 'a/b')!.mode).toBe('100755');
    // git 2.39 itself knows a null hash only in reading; fsck of later versions accepts it too.
    const now = entries(box);
    for (const map of [before, now]) map.delete('a/b 0');
    expect(now).toEqual(before);
    expect(box.git('diff-files')).toBe('');
  });
});

test('an index that is not there yet', async () => {
  const box = repository();
  box.write('a/b', 'b');
  const oid = box.git('hash-object', '-w', 'a/b');
  const stat = await lstatOf(fs, box.path('a/b'));
  writeFileSync(
    box.path('.git/index'),
    await updateIndex(null, [{ path: 'a/b', entry: { mode: '100644', oid, stat } }], sha1),
  );
  expect(box.git('ls-files', '--stage')).toBe(`100644 ${oid} 0\ta/b`);
  check(box, entries(box), []);
  expect(readIndexEntry(null, 'a/b')).toBe(null);
});

describe('what does not fit', () => {
  const stat = {
    type: 'file',
    size: 0,
    mode: 0o100644,
    mtimeNs: 0n,
    ctimeNs: 0n,
    dev: 0n,
    ino: 0n,
    uid: 0,
    gid: 0,
  } as Stat;
  const add = (path: string): IndexChange => ({ path, entry: { mode: '100644', oid: '0'.repeat(40), stat } });

  test('a file below a file of the index, or in place of a folder, is refused', async () => {
    const box = committed({ a: '1', 'b/c/d': '2', 'b-x': '3' });
    for (const path of ['a/x', 'a/x/y', 'b', 'b/c', 'b/c/d/e']) {
      expect([path, await codeOf(updateIndex(indexOf(box), [add(path)], sha1))]).toEqual([path, 'CONFLICT']);
    }
    for (const path of ['a-b', 'b-x2', 'b/c-d', 'b/c/d2', 'a', 'b/c/d']) {
      expect([path, await codeOf(updateIndex(indexOf(box), [add(path)], sha1))]).toEqual([path, 'accepted']);
    }
  });

  test.each([2, 4])(
    'a torn or changed index of version %i is CORRUPT, or another index, never a crash',
    async version => {
      const box = committed({ 'a/b': '1', 'a/c': '2', d: '3' }, version);
      const bytes = indexOf(box);
      for (let length = 0; length < bytes.length; length++) {
        const torn = bytes.subarray(0, length);
        const code = await codeOf(updateIndex(torn, [add('x')], sha1));
        // What is cut off between two extensions is not seen; then no entry is lost.
        if (code === 'accepted') expect(readIndexEntry(torn, 'd')).toEqual(readIndexEntry(bytes, 'd'));
        else expect([length, code]).toEqual([length, 'CORRUPT']);
      }
      const flip = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }));
      await fc.assert(
        fc.asyncProperty(fc.array(flip, { minLength: 1, maxLength: 3 }), async flips => {
          const changed = Uint8Array.from(bytes);
          for (const [at, by] of flips) changed[at]! ^= by;
          const code = await codeOf(updateIndex(changed, [add('x'), { path: 'd', entry: null }], sha1));
          expect(['accepted', 'CORRUPT', 'UNSUPPORTED_REPOSITORY', 'CONFLICT']).toContain(code);
        }),
      );
    },
  );
});

test.each([2, 4])('any change of any index (version %i) gives what git itself would write', async version => {
  const name = fc.constantFrom('a', 'b', 'a/a', 'a/b', 'ab/c', 'b-c', 'c/d/e', 'c/d/f', 'c/g', 'x');
  const fits = (paths: string[]): boolean => !paths.some(a => paths.some(b => b.startsWith(`${a}/`)));
  const paths = fc.uniqueArray(name, { minLength: 1 }).filter(fits);
  const box = repository();
  const oids = ['1', '2'].map(words => box.pipe(words, 'hash-object', '-w', '--stdin').toString().trim());
  const list = (entries: Map<string, string>): string =>
    [...entries].map(([path, oid]) => `100644 ${oid} 0\t${path}\n`).join('');
  const zero = {
    type: 'file',
    size: 0,
    mode: 0,
    mtimeNs: 0n,
    ctimeNs: 0n,
    dev: 0n,
    ino: 0n,
    uid: 0,
    gid: 0,
  } as Stat;
  await fc.assert(
    fc.asyncProperty(paths, paths, async (start, end) => {
      rmSync(box.path('.git/index'), { force: true });
      box.git('update-index', '--index-version', String(version));
      box.pipe(list(new Map(start.map(path => [path, oids[0]!]))), 'update-index', '--index-info');
      box.git('write-tree');
      const gone = start.filter(path => !end.includes(path)).map(path => ({ path, entry: null }));
      const there = end.map(path => ({ path, entry: { mode: '100644', oid: oids[1]!, stat: zero } }));
      await replaceIndex(box, [...there, ...gone]);
      const tree = box.git('write-tree');
      rmSync(box.path('.git/index'));
      box.pipe(list(new Map(end.map(path => [path, oids[1]!]))), 'update-index', '--index-info');
      expect(tree).toBe(box.git('write-tree'));
    }),
    { numRuns: 25 },
  );
});

test('10,000 entries', async () => {
  const box = repository();
  const oid = box.pipe('x', 'hash-object', '-w', '--stdin').toString().trim();
  const lines = Array.from(
    { length: 10_000 },
    (_, i) => `100644 ${oid} 0\td${i % 100}/sub${i % 7}/file${i}.txt\n`,
  );
  for (const version of [2, 4]) {
    box.git('read-tree', '--empty');
    box.git('update-index', '--index-version', String(version));
    box.pipe(lines.join(''), 'update-index', '--index-info');
    const before = entries(box);
    const [changed, made, deleted] = [
      'd50/sub1/file50.txt',
      'd50/sub1/new',
      'd99/sub6/file9099.txt',
    ] as const;
    expect([changed, made, deleted].map(path => before.has(`${path} 0`))).toEqual([true, false, true]);
    await edit(box, { [changed]: 'new', [made]: 'new', [deleted]: null });
    const after = entries(box);
    expect([changed, made, deleted].map(path => after.has(`${path} 0`))).toEqual([true, true, false]);
    expect(after.get(`${changed} 0`)).not.toEqual(before.get(`${changed} 0`));
    for (const path of [changed, made, deleted]) {
      before.delete(`${path} 0`);
      after.delete(`${path} 0`);
    }
    expect(after).toEqual(before);
    expect(box.git('fsck', '--strict', '--no-dangling')).toBe('');
  }
});
