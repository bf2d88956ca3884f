import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runTool } from '../../src/index.ts';
import { type HostilePlace, hostilePlace, SECRET } from '../fuzz/hostile-place.ts';

/** A repository may come from somebody else, `.git` and all: what lies in it must not reach out of it. */
async function edited(
  place: HostilePlace,
  options = {},
): Promise<{ code: string | null; trespasses: string[] }> {
  place.trespasses();
  const session = await place.session('s1', options);
  const result = await runTool(session, 'create', { path: 'x.txt', file_text: 'x\n', overwrite: true });
  return { code: result.ok ? null : result.code, trespasses: place.trespasses() };
}

describe('a link in .git', () => {
  it.each([
    ['.git/vedit', 'outside'],
    ['.git/vedit/tmp', 'outside'],
    ['.git/refs/vedit', 'outside'],
    ['.git/logs/refs', 'outside'],
    ['.git/logs/refs/vedit', 'outside'],
    ['.git/logs/refs/vedit/main', 'outside/secret'],
  ])('%s is not followed: nothing is written or removed behind it', async (path, target) => {
    const place = hostilePlace();
    place.git('config', 'core.logAllRefUpdates', 'always');
    mkdirSync(place.path(path, '..'), { recursive: true });
    rmSync(place.path(path), { recursive: true, force: true });
    symlinkSync(place.path('..', target), place.path(path));
    expect(await edited(place)).toEqual({ code: 'UNSUPPORTED_REPOSITORY', trespasses: [] });
    expect(existsSync(place.path('x.txt'))).toBe(false);
  });

  it.each(['.git/logs/HEAD', '.git/refs/heads'])('%s neither, where the branch is the trail', async path => {
    const place = hostilePlace();
    const inside = place.path(path);
    renameSync(inside, place.path('..', 'moved'));
    symlinkSync(place.path('..', 'moved'), inside);
    expect(await edited(place, { trail: 'HEAD' })).toEqual({
      code: 'UNSUPPORTED_REPOSITORY',
      trespasses: [],
    });
  });

  it.each(['.git/vedit/lock', '.git/vedit/journal', '.git/index'])(
    '%s is replaced, not written through',
    async path => {
      const place = hostilePlace();
      mkdirSync(place.path('.git/vedit'), { recursive: true });
      rmSync(place.path(path), { force: true });
      symlinkSync(place.path('..', 'outside', 'secret'), place.path(path));
      await edited(place);
      expect(readFileSync(place.path('..', 'outside', 'secret'), 'utf8')).toBe(SECRET);
      expect(readdirSync(place.path('..', 'outside'))).toEqual(['secret']);
    },
  );
});

const TOKEN = 'ab'.repeat(12);
const UUID = '01234567-89ab-cdef-0123-456789abcdef';

/** Puts a journal in place as if the engine had crashed. */
function plant(place: HostilePlace, entry: Record<string, unknown>): void {
  const head = place.git('rev-parse', 'HEAD');
  const whole = {
    format: 1,
    token: TOKEN,
    ref: 'refs/heads/main',
    refPath: place.path('.git/refs/heads/main'),
    old: null,
    new: head,
    locks: [],
    objects: [],
    store: null,
    index: null,
    ...entry,
  };
  const json = JSON.stringify(whole);
  const sum = createHash('sha1')
    .update(`blob ${Buffer.byteLength(json)}\0${json}`)
    .digest('hex');
  mkdirSync(place.path('.git/vedit/tmp'), { recursive: true });
  writeFileSync(place.path('.git/vedit/journal'), `${json}\n${sum}\n`);
}

const deflated = 'eJxLyslPUjBmAAAJsQIq'; // of no matter what
const file = (changes: object): Record<string, unknown> => ({
  store: {
    files: [
      {
        path: 'base.txt',
        before: null,
        after: { version: 'e'.repeat(40), mode: '100644' },
        was: null,
        staged: `${UUID}-0`,
        ...changes,
      },
    ],
  },
});

describe('a journal that somebody else wrote', () => {
  it.each<[string, (place: HostilePlace) => Record<string, unknown>]>([
    ['names locks outside', place => ({ locks: [place.path('..', 'outside', 'secret')], token: SECRET })],
    [
      'names a lock with a token',
      place => {
        writeFileSync(place.path('..', 'x'), TOKEN);
        return { locks: [place.path('..', 'x')] };
      },
    ],
    ['carries an object whose id is a path', () => ({ objects: [['../../../outside/new', deflated]] })],
    ['carries an object that is not what its id says', () => ({ objects: [['a'.repeat(40), deflated]] })],
    ['has staged a file outside', () => file({ staged: '../../../../outside/secret' })],
    ['replaces a file outside', () => file({ path: '../outside/secret' })],
    ['replaces a file in .git', () => file({ path: '.git/config' })],
    ['replaces a file through a link', () => file({ path: 'out/secret' })],
    ['has another ref', () => ({ ref: '../../outside/ref' })],
    ['has a path of the ref elsewhere', place => ({ refPath: place.path('..', 'outside', 'ref') })],
    [
      'writes strange entries into the index',
      () => ({
        index: [{ path: '../outside', before: null, after: { mode: '100644', oid: 'a'.repeat(40) } }],
      }),
    ],
    ['is a text', () => ({ store: 'text', objects: 'text', index: 'text', locks: 'text' })],
    ['has files of no kind', () => ({ store: { files: [null, 1, {}, { path: 1 }] } })],
    ['has no files', () => ({ store: {} })],
  ])('%s: nothing of that is done, and the next edit works', async (_what, make) => {
    const place = hostilePlace();
    plant(place, make(place));
    const base = place.read('base.txt');
    const objects = place.git('count-objects');
    expect(await edited(place)).toEqual({ code: null, trespasses: [] });
    expect(place.read('base.txt')).toBe(base);
    expect(existsSync(place.path('.git/vedit/journal'))).toBe(false);
    expect(readdirSync(place.path('.git/vedit/tmp'))).toEqual([]);
    expect(place.git('fsck', '--strict', '--no-dangling')).toBe('');
    expect(objects).not.toBe('');
  });

  it('cannot make a file run as another user', async () => {
    const place = hostilePlace();
    place.git('rm', '-q', '--cached', 'base.txt');
    const version = place.git('hash-object', 'base.txt');
    const was = { perm: 0o4755, uid: 0, gid: 0 };
    plant(place, {
      ...file({
        before: { version, mode: '100644' },
        after: { version: place.git('hash-object', 'src/deep/er/b.ts'), mode: '100755' },
        was,
      }),
    });
    await edited(place);
    expect(statSync(place.path('base.txt')).mode & 0o7000).toBe(0);
    expect(place.read('base.txt')).toBe('b\n');
  });
});
