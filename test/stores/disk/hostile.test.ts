import { execFileSync } from 'node:child_process';
import fs, { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { EditError } from '../../../src/errors.ts';
import type { Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { blobId, inMemory, onDisk, PLACES, type Place, stored, tree } from './disk-stores.ts';

interface Fixture {
  id: string;
  name: string;
  input: string;
  verdict: 'allow' | 'reject';
}

const url = new URL('../../conformance/hostile-paths.json', import.meta.url);
const fixtures = (JSON.parse(readFileSync(url, 'utf8')) as { fixtures: Fixture[] }).fixtures;

/** What resolving and reading the path comes to: the code, or the real path. */
async function outcome(place: Place, path: string, store = place.store): Promise<string> {
  try {
    const real = await store.resolve(path);
    await store.read(real);
    return real;
  } catch (error) {
    expect((error as Error).message).not.toContain(place.top);
    expect((error as Error).message).not.toContain('secret');
    return (error as EditError).code;
  }
}

/** How each fixture is set up, and what comes of it; those of other parts of the engine are named below. */
const SETUPS: Record<string, { only?: 'disk'; set(place: Place): void; comes: string }> = {
  f01: {
    set: p => p.hands.symlinkSync(`${p.top}/outside/secret`, `${p.root}/link`),
    comes: 'OUTSIDE_WORKSPACE',
  },
  f03: { set: p => p.hands.symlinkSync('.git', `${p.root}/g`), comes: 'PROTECTED_PATH' },
  f05: {
    set: p => {
      p.hands.mkdirSync(`${p.root}/src`);
      p.hands.writeFileSync(`${p.root}/src/a.ts`, '');
      p.hands.symlinkSync('src', `${p.root}/alias`);
    },
    comes: 'src/a.ts',
  },
  f06: {
    set: p => p.hands.symlinkSync(`${p.top}/outside/new`, `${p.root}/link`),
    comes: 'OUTSIDE_WORKSPACE',
  },
  f08: { set: p => p.hands.writeFileSync(`${p.root}/a.txt`, ''), comes: 'a.txt' },
  f10: { only: 'disk', set: p => execFileSync('mkfifo', [`${p.root}/pipe`]), comes: 'SPECIAL_FILE' },
  f11: {
    only: 'disk',
    set: p => execFileSync('mknod', [`${p.root}/z`, 'c', '1', '5']),
    comes: 'SPECIAL_FILE',
  },
  f13: { set: p => p.hands.mkdirSync(`${p.root}/src`), comes: 'IS_DIRECTORY' },
  f15: { set: p => p.hands.linkSync(`${p.top}/outside/secret`, `${p.root}/hl`), comes: 'hl' },
  f16: {
    set: p => p.hands.mkdirSync(`${p.root}/vendor/lib/.git`, { recursive: true }),
    comes: 'NESTED_REPOSITORY',
  },
  f23: { set: p => p.hands.writeFileSync(`${p.root}/x`, new Uint8Array(2_000_000)), comes: 'TOO_LARGE' },
  f26: {
    set: p => {
      p.hands.writeFileSync(`${p.root}/ro`, '');
      p.hands.chmodSync(`${p.root}/ro`, 0o444);
    },
    comes: 'ro',
  },
};

/** f18 and f20 need a file system that folds (below), f21 a race (disk-race.test.ts), f25 a text, f28 a repository. */
const ELSEWHERE = ['f18', 'f20', 'f21', 'f25', 'f28'];

/** Only root may make a device. */
const may = (id: string): boolean => id !== 'f11' || process.getuid?.() === 0;

describe.each(PLACES)('hostile fixtures on %s', (name, make) => {
  const here = fixtures.filter(({ id }) => !ELSEWHERE.includes(id) && may(id));
  const possible = here.filter(({ id }) => !(name === 'memory' && SETUPS[id]?.only === 'disk'));

  test.each(possible)('$id $name', async ({ id, input }) => {
    const place = make();
    SETUPS[id]!.set(place);
    expect(await outcome(place, input, place.open({ maxBytes: 1_000_000 }))).toBe(SETUPS[id]!.comes);
    expect(tree(place, `${place.top}/outside`)).toEqual({ secret: 'secret' });
  });
});

describe.each(PLACES)('links on %s', (_name, make) => {
  test('that stay inside are followed, whatever their spelling, and what is not there yet is kept', async () => {
    const place = make();
    place.hands.mkdirSync(`${place.root}/a/b`, { recursive: true });
    place.hands.writeFileSync(`${place.root}/AGENTS.md`, '');
    place.hands.symlinkSync('AGENTS.md', `${place.root}/CLAUDE.md`);
    place.hands.symlinkSync('../../AGENTS.md', `${place.root}/a/b/up`);
    place.hands.symlinkSync(`${place.root}/a`, `${place.root}/absolute`);
    place.hands.symlinkSync('absolute/b', `${place.root}/twice`);
    place.hands.symlinkSync('.', `${place.root}/self`);
    expect(await outcome(place, 'CLAUDE.md')).toBe('AGENTS.md');
    expect(await outcome(place, 'twice/up')).toBe('AGENTS.md');
    expect(await outcome(place, 'twice/new/file')).toBe('a/b/new/file');
    expect(await outcome(place, 'self/self/a/b/new')).toBe('a/b/new');
    expect(await place.store.resolve('self')).toBe('');
  });

  test.each([
    ['a folder outside', '../outside', 'link/new'],
    ['a folder outside, by its absolute path', 'TOP/outside', 'link/new'],
    ['the folder above, and back in', '..', 'link/root/f'],
    ['a sibling whose name begins like the root', '../root-evil', 'link/f'],
    ['the root of the disk', '/', 'link/etc/passwd'],
    ['itself', 'link', 'link'],
    ['nothing', 'nowhere', 'link'],
    ['a link that leads out', 'second', 'link'],
  ])('that lead to %s are refused', async (_what, target, input) => {
    const place = make();
    place.hands.mkdirSync(`${place.top}/root-evil`);
    place.hands.writeFileSync(`${place.root}/f`, '');
    place.hands.symlinkSync('../outside/secret', `${place.root}/second`);
    place.hands.symlinkSync(target.replace('TOP', place.top), `${place.root}/link`);
    expect(await outcome(place, input)).toBe('OUTSIDE_WORKSPACE');
  });

  test('into what a name may not reach are refused by the rule of what they lead to', async () => {
    const place = make();
    place.hands.mkdirSync(`${place.root}/lib/.git`, { recursive: true });
    place.hands.writeFileSync(`${place.root}/.gitmodules`, '');
    place.hands.symlinkSync('lib', `${place.root}/l`);
    place.hands.symlinkSync('.gitmodules', `${place.root}/m`);
    expect(await outcome(place, 'l/x')).toBe('NESTED_REPOSITORY');
    expect(await outcome(place, 'm')).toBe('PROTECTED_PATH');
  });
});

test('a link inside a workspace that is the whole disk is followed', async () => {
  const place = inMemory();
  place.hands.symlinkSync(`${place.top}/outside/secret`, `${place.top}/outside/link`);
  expect(await place.open({ root: '/' }).resolve('top/outside/link')).toBe('top/outside/secret');
});

describe('repositories inside', () => {
  test('git’s own folder under another name is protected as such', async () => {
    const place = inMemory();
    const gitDir = `${place.root}/repo.git`;
    for (const folder of ['objects', 'refs'])
      place.hands.mkdirSync(`${gitDir}/${folder}`, { recursive: true });
    place.hands.writeFileSync(`${gitDir}/HEAD`, '');
    place.hands.renameSync(`${place.root}/.git`, `${place.top}/git`);
    expect(await outcome(place, 'repo.git/config', place.open({ gitDir }))).toBe('PROTECTED_PATH');
  });

  test('a worktree, a submodule, a bare repository and the folder of a nested one', async () => {
    const place = inMemory();
    for (const folder of ['tree', 'bare/objects', 'bare/refs', 'plain/objects']) {
      place.hands.mkdirSync(`${place.root}/${folder}`, { recursive: true });
    }
    for (const file of ['tree/.git', 'bare/HEAD', 'plain/HEAD'])
      place.hands.writeFileSync(`${place.root}/${file}`, '');
    expect(await outcome(place, 'tree/x')).toBe('NESTED_REPOSITORY');
    expect(await outcome(place, 'tree')).toBe('NESTED_REPOSITORY');
    expect(await outcome(place, 'bare/hooks/pre-commit')).toBe('NESTED_REPOSITORY');
    expect(await outcome(place, 'plain/HEAD')).toBe('plain/HEAD');
  });

  test("git's own folder under another name", async () => {
    const place = inMemory();
    place.hands.mkdirSync(`${place.root}/store/objects`, { recursive: true });
    const store = place.open({ gitDir: `${place.root}/store` });
    expect(await outcome(place, 'store/config', store)).toBe('PROTECTED_PATH');
    expect(await outcome(place, 'store', store)).toBe('PROTECTED_PATH');
    expect(await outcome(place, 'storefront', store)).toBe('storefront');
  });
});

test('a root behind a link is resolved once', async () => {
  const place = onDisk(nodeFs());
  fs.writeFileSync(`${place.root}/f`, 'x');
  fs.symlinkSync(`${place.root}`, `${place.top}/root2`);
  const store = place.open({ root: `${place.top}/root2` });
  expect(await outcome(place, 'f', store)).toBe('f');
  fs.unlinkSync(`${place.top}/root2`);
  fs.symlinkSync(`${place.top}/outside`, `${place.top}/root2`);
  expect(await store.read('f')).toEqual(stored('x'));
  expect(await store.read('secret')).toBe(null);
});

test('a hard link to a file outside keeps its content there when the file is edited', async () => {
  const place = onDisk(nodeFs());
  fs.linkSync(`${place.top}/outside/secret`, `${place.root}/hl`);
  const before = await place.store.read('hl');
  const staged = await place.store.stage([{ path: 'hl', before, after: stored('mine') }]);
  await staged.publish();
  expect(fs.readFileSync(`${place.top}/outside/secret`, 'utf8')).toBe('secret');
  expect(fs.readFileSync(`${place.root}/hl`, 'utf8')).toBe('mine');
});

test('a socket, and a pipe that takes the place of a file after it was resolved, are refused without hanging', async () => {
  const place = onDisk(nodeFs());
  const server = createServer();
  await new Promise<void>(done => server.listen(`${place.root}/s`, done));
  expect(await outcome(place, 's')).toBe('SPECIAL_FILE');
  server.close();
  execFileSync('mkfifo', [`${place.root}/pipe`]);
  await expect(place.store.read('pipe')).rejects.toMatchObject({ code: 'SPECIAL_FILE' });
  const change = { path: 'pipe', before: stored('x'), after: stored('y') };
  expect(await (await place.store.stage([change])).verify()).toEqual(['pipe']);
});

describe('a disk that takes two spellings for one file', () => {
  /** Memory that folds names as asked before it looks them up. */
  function folding(fold: (name: string) => string): Place {
    const place = inMemory();
    const within = (path: string): string =>
      path.startsWith(`${place.root}/`) ? place.root + fold(path.slice(place.root.length)) : path;
    const wrapped = Object.assign(Object.create(place.fs), {
      lstat: (path: string) => place.fs.lstat(within(path)),
      realpath: (path: string) => place.fs.realpath(within(path)),
      open: (path: string, ...rest: [never, never]) => place.fs.open(within(path), ...rest),
      readdir: (path: string) => place.fs.readdir(within(path)),
    }) as Fs;
    return { ...place, store: place.open({ fs: wrapped }) };
  }

  const byBoth = (name: string): string =>
    name.normalize('NFC').toLowerCase().replace('\u00e9', '\u00c9').replace('/head', '/HEAD');
  const byCase = (name: string): string =>
    name.toLowerCase().replace('readme', 'ReadMe').replace('/head', '/HEAD');

  test.each([
    ['case', byCase, 'ReadMe.md', 'readme.md'],
    ['case', byCase, 'ReadMe.md', 'README.MD'],
    ['case, unknown as there is no HEAD', (name: string) => name.toLowerCase(), 'readme.md', 'README.MD'],
    ['normal form', (name: string) => name.normalize('NFC'), '\u00e9.txt', 'e\u0301.txt'],
    ['normal form', (name: string) => name.normalize('NFD'), 'e\u0301.txt', '\u00e9.txt'],
    ['case and normal form', byBoth, '\u00c9.txt', 'e\u0301.txt'],
  ])('by %s: only the one on disk is taken', async (_what, fold, onDiskName, given) => {
    const place = folding(fold);
    place.hands.mkdirSync(`${place.root}/d`);
    place.hands.writeFileSync(`${place.root}/d/${onDiskName}`, '');
    expect(await outcome(place, `d/${onDiskName}`)).toBe(`d/${onDiskName}`);
    const error = (await place.store.resolve(`d/${given}`).catch(error => error)) as EditError;
    expect(error).toMatchObject({ code: 'INVALID_INPUT', data: { suggestion: `d/${onDiskName}` } });
  });

  test('elsewhere two spellings are two files, also when they are links to one', async () => {
    const place = inMemory();
    place.hands.writeFileSync(`${place.root}/A`, '');
    place.hands.linkSync(`${place.root}/A`, `${place.root}/a`);
    expect(await outcome(place, 'A')).toBe('A');
    expect(await outcome(place, 'a')).toBe('a');
    expect(await outcome(place, '\u00e9'.repeat(127))).toBe('\u00e9'.repeat(127));
  });

  test('a name that has no room for another spelling is looked up as it is', async () => {
    const place = onDisk(nodeFs());
    const long = '\u00e9'.repeat(127);
    fs.writeFileSync(`${place.root}/${long}`, 'x');
    expect(await outcome(place, long)).toBe(long);
    expect(blobId(fs.readFileSync(`${place.root}/${long}`))).toBe((await place.store.read(long))!.version);
  });
});

describe('a record that somebody else wrote', () => {
  const good = `${'0'.repeat(24)}.1-0`;

  test.each([
    [good, false],
    [`../${good}`, true],
    [`x-${good}`, true],
    [`${good}x`, true],
    ['../../HEAD', true],
  ])('is about staged files only: after it is dropped, is %s still there? %s', async (staged, isThere) => {
    const place = inMemory();
    const result = await place.store.stage([{ path: 'f', before: null, after: stored('one') }]);
    await result.discard();
    const { files } = result.record as { files: object[] };
    const file = `${place.root}/.git/vedit/tmp/${staged}`;
    place.hands.writeFileSync(file, 'x');
    await place.store.drop!({ files: [{ ...files[0], staged }] });
    expect(place.hands.existsSync(file)).toBe(isThere);
  });
});
