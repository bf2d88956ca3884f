import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromLatin1, latin1, utf8 } from '../../../src/bytes.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import type { EncodedObject } from '../../../src/git/objects/object.ts';
import { type ObjectDatabase, openObjects } from '../../../src/git/objects/object-database.ts';
import { lookup, writePath } from '../../../src/git/objects/tree.ts';
import { diffTrees } from '../../../src/git/objects/tree-diff.ts';
import { findEntry, parseTree, replaceEntries, type TreeRef } from '../../../src/git/objects/tree-entries.ts';
import { repository, type Sandbox } from '../../helpers/real-git.ts';

const BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

function database(box: Sandbox): ObjectDatabase {
  return openObjects({ fs: nodeFs(), objectsDir: box.path('.git/objects'), codec: nativeCodec });
}

/** Lets git store what `writePath` made; git itself computes the ids. */
function store(box: Sandbox, objects: readonly EncodedObject[]): void {
  for (const { type, content, oid } of objects) {
    const args = ['hash-object', '-w', '-t', type, '--stdin'];
    expect(
      box
        .pipe(content, ...args)
        .toString()
        .trim(),
    ).toBe(oid);
  }
}

function mktree(box: Sandbox, entries: string): string {
  return box.pipe(entries, 'mktree', '-z', '--missing').toString().trim();
}

function treeOf(box: Sandbox, paths: Record<string, string>): string {
  box.git('read-tree', '--empty');
  const lines = Object.entries(paths).map(([path, oid]) => `100644 ${oid}\t${path}\0`);
  box.pipe(lines.join(''), 'update-index', '-z', '--index-info');
  return box.git('write-tree', '--missing-ok');
}

function putEntry(tree: Uint8Array, name: string, ref: TreeRef | null): Uint8Array {
  return replaceEntries(tree, new Map([[name, ref]]));
}

test('replacing one entry leaves the bytes of all others, however odd they are', () => {
  const odd = fromLatin1(
    ['100664 caf\xe9', '100644 a\\b', '40000 sub', '100755 z']
      .map(head => `${head}\0${'\x01'.repeat(20)}`)
      .join(''),
  );
  const changed = putEntry(odd, 'm', { mode: '100644', oid: BLOB });
  expect(latin1(putEntry(changed, 'm', null))).toBe(latin1(odd));
  expect(parseTree(changed).map(({ mode, name }) => `${mode} ${name}`)).toEqual([
    '100664 caf\xe9',
    '100644 a\\b',
    '100644 m',
    '40000 sub',
    '100755 z',
  ]);
});

test('a name inside an id is not taken for an entry', () => {
  const content = fromLatin1(`100644 x\0${' bb\0'.repeat(5)}`);
  expect(findEntry(content, utf8('bb'))).toBeNull();
  expect(() => parseTree(content.subarray(0, 20))).toThrow(/cut off or damaged/);
});

test("entries are in git's order for any names", { timeout: 120_000 }, () => {
  const box = repository();
  const name = fc.stringMatching(/^[a-c.\-0]{1,4}$/).filter(text => !/^\.+$/.test(text));
  const entries = fc.uniqueArray(fc.tuple(name, fc.constantFrom('100644', '40000')), {
    selector: ([text]) => text,
  });
  fc.assert(
    fc.property(entries, list => {
      const ours = list.reduce<Uint8Array>(
        (tree, [text, mode]) => putEntry(tree, text, { mode, oid: BLOB }),
        new Uint8Array(),
      );
      const line = ([text, mode]: [string, string]) =>
        `${mode} ${mode === '40000' ? 'tree' : 'blob'} ${BLOB}\t${text}\0`;
      expect(nativeCodec.hash('tree', ours)).toBe(mktree(box, list.map(line).join('')));
    }),
    { numRuns: 60 },
  );
});

test('many entries at once come out as one after another, and as git has them', { timeout: 120_000 }, () => {
  const box = repository();
  const name = fc.stringMatching(/^[a-c.\-0]{1,3}$/).filter(text => !/^\.+$/.test(text));
  const ref = fc.constantFrom<TreeRef>({ mode: '100644', oid: BLOB }, { mode: '40000', oid: BLOB });
  const refs = (value: fc.Arbitrary<TreeRef | null>) =>
    fc.uniqueArray(fc.tuple(name, value), { selector: ([text]) => text, maxLength: 20 });
  fc.assert(
    fc.property(refs(ref), refs(fc.option(ref)), (before, changes) => {
      const old = replaceEntries(new Uint8Array(), new Map(before));
      const ours = replaceEntries(old, new Map(changes));
      expect(ours).toEqual(changes.reduce((tree, [text, ref]) => putEntry(tree, text, ref), old));
      const after = new Map<string, TreeRef | null>([...before, ...changes]);
      const lines = [...after].map(([text, ref]) =>
        ref ? `${ref.mode} ${ref.mode === '40000' ? 'tree' : 'blob'} ${BLOB}\t${text}\0` : '',
      );
      expect(nativeCodec.hash('tree', ours)).toBe(mktree(box, lines.join('')));
    }),
    { numRuns: 100 },
  );
});

test('a file that becomes a folder moves to its place', () => {
  const tree = ['a', 'a-b', 'a0'].reduce<Uint8Array>(
    (content, name) => putEntry(content, name, { mode: '100644', oid: BLOB }),
    new Uint8Array(),
  );
  const changed = putEntry(tree, 'a', { mode: '40000', oid: BLOB });
  expect(parseTree(changed).map(({ name }) => name)).toEqual(['a-b', 'a', 'a0']);
});

test('lookup finds files, folders and the root, and nothing below a file', async () => {
  const box = repository();
  const tree = treeOf(box, { 'a/b/c': BLOB, 'é ü': BLOB });
  const objects = database(box);
  expect(await lookup(objects, tree, 'a/b/c')).toEqual({ mode: '100644', oid: BLOB });
  expect(await lookup(objects, tree, 'é ü')).toEqual({ mode: '100644', oid: BLOB });
  expect(await lookup(objects, tree, 'a')).toEqual({ mode: '40000', oid: box.git('rev-parse', `${tree}:a`) });
  expect(await lookup(objects, tree, '')).toEqual({ mode: '40000', oid: tree });
  for (const path of ['a/x', 'a/b/c/d', 'x/y']) expect(await lookup(objects, tree, path)).toBeNull();
});

test('writePath gives the tree that git gives, and only the trees along the paths', async () => {
  const box = repository();
  const before = treeOf(box, { 'a/b/c': BLOB, 'a/d': BLOB, 'e/f': BLOB, g: BLOB });
  const other = box.pipe('other', 'hash-object', '-w', '--stdin').toString().trim();
  const changes = new Map<string, TreeRef | null>([
    ['a/b/c', { mode: '100644', oid: other }],
    ['a/b/new/deep', { mode: '100644', oid: other }],
    ['e/f', null],
    ['absent/x', null],
  ]);
  const written = await writePath(database(box), before, changes);
  store(box, written.objects);
  expect(written.objects).toHaveLength(4);
  expect(written.tree).toBe(treeOf(box, { 'a/b/c': other, 'a/b/new/deep': other, 'a/d': BLOB, g: BLOB }));
  box.pipe('', 'hash-object', '-w', '--stdin');
  box.git('update-ref', 'refs/heads/main', box.git('commit-tree', '-m', 'm', written.tree));
  expect(box.git('fsck', '--strict', '--no-dangling')).toBe('');
});

test('a folder may take the place of a file that goes in the same change, and the other way round', async () => {
  const box = repository();
  const ref = { mode: '100644', oid: BLOB };
  const objects = database(box);
  const before = treeOf(box, { a: BLOB, 'b/c/d': BLOB });
  const both = await writePath(
    objects,
    before,
    new Map([
      ['a/x', ref],
      ['b', ref],
      ['b/c/d', null],
      ['a', null],
    ]),
  );
  expect(both.tree).toBe(treeOf(box, { 'a/x': BLOB, b: BLOB }));
  await expect(writePath(objects, before, new Map([['a/x', ref]]))).rejects.toMatchObject({
    code: 'FILE_EXISTS',
  });
  await expect(writePath(objects, before, new Map([['b/c', ref]]))).rejects.toMatchObject({
    code: 'IS_DIRECTORY',
  });
  await expect(writePath(objects, before, new Map([['b', null]]))).rejects.toMatchObject({
    code: 'IS_DIRECTORY',
  });
});

test('nothing is written for no change, and the empty tree when nothing is left', async () => {
  const box = repository();
  const objects = database(box);
  const before = treeOf(box, { 'a/b': BLOB });
  expect(
    await writePath(
      objects,
      before,
      new Map([
        ['a/b', { mode: '100644', oid: BLOB }],
        ['x', null],
      ]),
    ),
  ).toEqual({
    tree: before,
    objects: [],
  });
  const empty = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
  expect(await writePath(objects, before, new Map([['a/b', null]]))).toMatchObject({ tree: empty });
  expect(await writePath(objects, null, new Map())).toMatchObject({ tree: empty, objects: [{ oid: empty }] });
});

test("paths below a submodule and git's own names are refused", async () => {
  const box = repository();
  const sub = mktree(box, `160000 commit ${'1'.repeat(40)}\tsub\0`);
  const write = (path: string) =>
    writePath(database(box), sub, new Map([[path, { mode: '100644', oid: BLOB }]]));
  await expect(write('sub/x')).rejects.toMatchObject({ code: 'NESTED_REPOSITORY' });
  for (const path of ['.git/x', 'a/.GIT'])
    await expect(write(path)).rejects.toMatchObject({ code: 'PROTECTED_PATH' });
  for (const path of ['', 'a//b', '../x', './x', 'a/', 'n\0', '\ud800']) {
    await expect(write(path)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  }
});

test('diffTrees agrees with git diff-tree over random trees', { timeout: 120_000 }, async () => {
  const box = repository();
  const other = box.pipe('other', 'hash-object', '-w', '--stdin').toString().trim();
  const path = fc.array(fc.constantFrom('a', 'b', 'a.x', 'é'), { minLength: 1, maxLength: 3 });
  const files = fc
    .uniqueArray(fc.tuple(path, fc.constantFrom(BLOB, other)), {
      maxLength: 8,
      selector: ([parts]) => parts.join('/'),
    })
    .filter(
      list =>
        !list.some(([a]) => list.some(([b]) => b.length > a.length && a.every((name, i) => name === b[i]))),
    );
  await fc.assert(
    fc.asyncProperty(files, files, async (first, second) => {
      const [a, b] = [first, second].map(list =>
        treeOf(box, Object.fromEntries(list.map(([parts, oid]) => [parts.join('/'), oid]))),
      );
      const ours = (await diffTrees(database(box), a!, b!)).map(
        change => `:${change.before?.mode ?? '000000'} ${change.after?.mode ?? '000000'} ${change.path}`,
      );
      const raw = box.git('-c', 'core.quotePath=false', 'diff-tree', '-r', '--no-renames', a!, b!);
      const theirs = raw
        .split('\n')
        .filter(line => line !== '')
        .map(line => `${line.slice(0, 14)} ${line.split('\t')[1]}`);
      expect(ours.sort()).toEqual(theirs.sort());
    }),
    { numRuns: 40 },
  );
});

test('a path that is not UTF-8 is flagged and kept', async () => {
  const box = repository();
  const tree = mktree(box, '');
  const odd = box
    .pipe(Buffer.from(`100644 blob ${BLOB}\tcaf\xe9\0`, 'latin1'), 'mktree', '-z', '--missing')
    .toString()
    .trim();
  expect(await diffTrees(database(box), tree, odd)).toEqual([
    { path: 'caf\udce9', utf8: false, before: null, after: { mode: '100644', oid: BLOB } },
  ]);
});
