import { describe, expect, test } from 'vitest';
import type { EditError } from '../../../src/errors.ts';
import type { Fs, Stat } from '../../../src/fs/fs.ts';
import type { Recovery } from '../../../src/stores/store.ts';
import { overriding } from '../../helpers/overriding.ts';
import { change, changesOf, perm, refusal, write } from './changes.ts';
import { inMemory, PLACES, type Place, staged, stored, tree } from './disk-stores.ts';

describe.each(PLACES)('the disk store on %s', (_name, make) => {
  test('reads exact bytes, mode and version; nothing is null', async () => {
    const place = make();
    write(place, 'a/f', 'x\r\n\u0000', 0o755);
    expect(await place.store.read('a/f')).toEqual(stored('x\r\n\u0000', '100755'));
    expect(await place.store.read('a/missing')).toBe(null);
    expect(await place.store.read('missing/f')).toBe(null);
    expect(await place.store.read('a/f/below')).toBe(null);
    expect((await refusal(place.store.read('a'))).code).toBe('IS_DIRECTORY');
    expect((await refusal(place.store.read(''))).code).toBe('IS_DIRECTORY');
    expect((await refusal(place.store.entry!(''))).code).toBe('IS_DIRECTORY');
  });

  test('lists a folder, without the folder of git', async () => {
    const place = make();
    write(place, 'b', '');
    write(place, 'a/f', '');
    place.hands.symlinkSync('b', `${place.root}/c`);
    expect(await place.store.list('')).toEqual([
      { name: 'a', type: 'directory' },
      { name: 'b', type: 'file' },
      { name: 'c', type: 'symlink' },
    ]);
    expect(await place.store.list('a')).toEqual([{ name: 'f', type: 'file' }]);
    expect(await place.store.list('b')).toBe(null);
    expect(await place.store.list('missing')).toBe(null);
  });

  test('creates, replaces, deletes; folders come and go', async () => {
    const place = make();
    write(place, 'old/deep/gone', 'g');
    write(place, 'kept/gone', 'g');
    write(place, 'kept/here', 'h');
    write(place, 'f', 'one');
    await change(place.store, { 'new/deep/x': 'x', f: 'two', 'old/deep/gone': null, 'kept/gone': null });
    expect(tree(place)).toEqual({ f: 'two', 'kept/here': 'h', 'new/deep/x': 'x' });
    expect(staged(place)).toEqual([]);
  });

  test('nothing is visible before publish, and discard leaves nothing', async () => {
    const place = make();
    write(place, 'f', 'one');
    const result = await place.store.stage(await changesOf(place.store, { f: 'two', 'n/x': 'x' }));
    expect(tree(place)).toEqual({ f: 'one' });
    // The two contents, and the second name of what is replaced.
    expect(staged(place).length).toBe(3);
    await result.discard();
    await result.discard();
    expect(staged(place)).toEqual([]);
    expect(tree(place)).toEqual({ f: 'one' });
  });

  test('a file makes way for a folder, and a folder for a file', async () => {
    const place = make();
    write(place, 'a', 'file');
    write(place, 'b/x', '1');
    write(place, 'b/c/y', '2');
    await change(place.store, { a: null, 'a/x': 'in', 'b/x': null, 'b/c/y': null, b: 'file' });
    expect(tree(place)).toEqual({ 'a/x': 'in', b: 'file' });
  });

  test('a folder with a file that the change does not delete stays in the way', async () => {
    const place = make();
    write(place, 'b/x', '1');
    write(place, 'b/y', '2');
    const result = await place.store.stage(await changesOf(place.store, { 'b/x': null, b: 'file' }));
    expect(await result.verify()).toEqual(['b']);
  });

  test('a file in the way of a folder is refused before anything is staged', async () => {
    const place = make();
    write(place, 'a', 'file');
    const error = await refusal(place.store.stage([{ path: 'a/b/c', before: null, after: stored('x') }]));
    expect(error.code).toBe('FILE_EXISTS');
    expect(error.data).toEqual({ path: 'a' });
    expect(staged(place)).toEqual([]);
  });

  test('so is one of which only another file goes; where it goes itself, it makes way', async () => {
    const place = make();
    for (const path of ['a', 'b']) write(place, path, 'file');
    const changes = await changesOf(place.store, { b: null, 'a/x': 'in' });
    expect(await refusal(place.store.stage(changes))).toMatchObject({
      code: 'FILE_EXISTS',
      data: { path: 'a' },
    });
    await change(place.store, { a: null, 'a/x': 'in' });
    expect(tree(place)).toEqual({ 'a/x': 'in', b: 'file' });
  });

  test('the record is plain JSON', async () => {
    const place = make();
    write(place, 'f', 'one');
    const result = await place.store.stage(await changesOf(place.store, { f: 'two' }));
    expect(JSON.parse(JSON.stringify(result.record))).toEqual(result.record);
  });

  test.each([
    [0o640, '100644', 0o640],
    [0o600, '100644', 0o600],
    [0o444, '100644', 0o444],
    [0o750, '100755', 0o750],
    [0o640, '100755', 0o750],
    [0o755, '100644', 0o644],
    [0o2755, '100755', 0o2755],
  ] as const)('a file of mode %o that becomes %s ends as %o', async (start, mode, end) => {
    const place = make();
    write(place, 'f', 'one', start);
    const before = await place.store.read('f');
    const result = await place.store.stage([{ path: 'f', before, after: stored('two', mode) }]);
    await result.publish();
    expect(perm(place, 'f')).toBe(end);
    expect((await place.store.read('f'))!.mode).toBe(mode);
  });

  test('verify names each file that is no longer what was read', async () => {
    const place = make();
    for (const path of ['same', 'text', 'mode', 'gone', 'folder', 'link']) write(place, path, 'one');
    const wanted = {
      same: '2',
      text: '2',
      mode: '2',
      gone: '2',
      folder: '2',
      link: '2',
      made: '2',
      'n/made': '2',
    };
    const result = await place.store.stage(await changesOf(place.store, wanted));
    expect(await result.verify()).toEqual([]);
    place.hands.writeFileSync(`${place.root}/text`, 'One');
    place.hands.chmodSync(`${place.root}/mode`, 0o755);
    for (const path of ['gone', 'folder', 'link']) place.hands.rmSync(`${place.root}/${path}`);
    place.hands.mkdirSync(`${place.root}/folder`);
    place.hands.symlinkSync('same', `${place.root}/link`);
    write(place, 'made', 'by a person');
    write(place, 'n', 'a file in the way');
    expect((await result.verify()).sort()).toEqual([
      'folder',
      'gone',
      'link',
      'made',
      'mode',
      'n/made',
      'text',
    ]);
  });

  test.each<[string, (place: Place) => void]>([
    ['has another text', place => write(place, 'd/f', 'longer')],
    [
      'lies in another folder',
      ({ root, hands }) => {
        hands.renameSync(`${root}/d`, `${root}/away`);
        hands.mkdirSync(`${root}/d`);
        hands.writeFileSync(`${root}/d/f`, 'one');
      },
    ],
  ])('verify names the only file where it %s by then', async (_, act) => {
    const place = make();
    write(place, 'd/f', 'one');
    const result = await place.store.stage(await changesOf(place.store, { 'd/f': 'two' }));
    expect(await result.verify()).toEqual([]);
    act(place);
    expect(await result.verify()).toEqual(['d/f']);
  });

  test('a text of equal length written at the same times is seen', async () => {
    const place = make();
    write(place, 'f', 'one');
    place.hands.utimesSync(`${place.root}/f`, 1, 1);
    const result = await place.store.stage(await changesOf(place.store, { f: 'two' }));
    place.hands.writeFileSync(`${place.root}/f`, 'ONE');
    place.hands.utimesSync(`${place.root}/f`, 1, 1);
    // In one tick of the clock it does not show; then it is found under the file's second name.
    const seen = await result.verify();
    if (seen.length === 0) await result.publish();
    await result.settle();
    await result.discard();
    expect([...seen, ...result.skipped]).toEqual(['f']);
    expect(tree(place)).toEqual({ f: 'ONE' });
  });

  test('what a person saves after verify is left alone by publish', async () => {
    const place = make();
    write(place, 'f', 'one');
    write(place, 'g', 'one');
    const result = await place.store.stage(await changesOf(place.store, { f: 'two', g: null, h: 'two' }));
    expect(await result.verify()).toEqual([]);
    for (const path of ['f', 'g', 'h']) write(place, path, `a person's ${path}`);
    await result.publish();
    await result.settle();
    await result.discard();
    expect(tree(place)).toEqual({ f: "a person's f", g: "a person's g", h: "a person's h" });
    expect(staged(place)).toEqual([]);
  });

  test('a file over the limit is refused with the limit, read or written', async () => {
    const place = make();
    const store = place.open({ maxBytes: 3 });
    write(place, 'big', '1234');
    write(place, 'fits', '123');
    expect((await store.read('fits'))!.bytes.length).toBe(3);
    const error = await refusal(store.read('big'));
    expect(error).toMatchObject({ code: 'TOO_LARGE', data: { path: 'big', size: 4, limit: 3 } });
    const writing = await refusal(store.stage([{ path: 'x', before: null, after: stored('1234') }]));
    expect(writing.code).toBe('TOO_LARGE');
  });

  test.each(['../outside/x', 'a/../../outside/x', '.git/config', 'a/.GIT/x', '', '/x', 'a//b'])(
    'a path that was never checked goes nowhere: %j',
    async path => {
      const place = make();
      write(place, 'a/f', '');
      const error = await refusal(place.store.stage([{ path, before: null, after: stored('x') }]));
      expect(['OUTSIDE_WORKSPACE', 'PROTECTED_PATH', 'INVALID_INPUT', 'IS_DIRECTORY']).toContain(error.code);
      expect(tree(place, `${place.top}/outside`)).toEqual({ secret: 'secret' });
      expect(tree(place)).toEqual({ 'a/f': '' });
    },
  );

  describe('recover', () => {
    const blobs = new Map(['one', 'two', 'x'].map(words => [stored(words).version, stored(words).bytes]));
    const recovery: Recovery = {
      boot: 'same',
      blob: async version => blobs.get(version)!,
      isCurrent: async () => true,
    };
    const wanted = { 'a/f': 'two', 'new/n': 'x', 'old/d': null };

    /** Staged and not published, as after a crash. */
    async function crashed(): Promise<{ place: Place; record: unknown }> {
      const place = make();
      write(place, 'a/f', 'one', 0o640);
      write(place, 'old/d', 'one', 0o750);
      const { record } = await place.store.stage(await changesOf(place.store, wanted));
      return { place, record: JSON.parse(JSON.stringify(record)) };
    }

    test('finishes, and is no harm when done again', async () => {
      const { place, record } = await crashed();
      for (let round = 0; round < 2; round++) {
        await place.open().recover([record], recovery);
        expect(tree(place)).toEqual({ 'a/f': 'two', 'new/n': 'x' });
        expect(perm(place, 'a/f')).toBe(0o640);
        expect(staged(place)).toEqual([]);
      }
    });

    test('leaves alone what holds neither', async () => {
      const { place, record } = await crashed();
      write(place, 'a/f', 'a person');
      write(place, 'new/n', 'a person');
      place.hands.rmSync(`${place.root}/old/d`);
      place.hands.mkdirSync(`${place.root}/old/d`);
      await place.open().recover([record], recovery);
      expect(tree(place)).toEqual({ 'a/f': 'a person', 'new/n': 'a person', 'old/d/': '' });
      expect(staged(place)).toEqual([]);
    });

    test('finishes what was allowed to be written: .gitmodules too', async () => {
      const place = make();
      const { record } = await place.store.stage([
        { path: '.gitmodules', before: null, after: stored('two') },
      ]);
      await place.open().recover([record], recovery);
      expect(tree(place)).toEqual({ '.gitmodules': 'two' });
    });

    test('a file whose mode alone changed is told apart by its mode', async () => {
      const place = make();
      write(place, 'run', 'one');
      const before = await place.store.read('run');
      const { record } = await place.store.stage([{ path: 'run', before, after: stored('one', '100755') }]);
      await place.open().recover([record], recovery);
      expect(perm(place, 'run')).toBe(0o755);
    });
  });
});

describe('a disk that finds a file by a spelling in other letters', () => {
  /** Memory that finds `f` as `F`, and in git's folder what is given here. */
  const finding = (git: (name: string) => Promise<Stat | null>): Promise<unknown> => {
    const place = inMemory();
    write(place, 'f', 'one');
    const lstat: Fs['lstat'] = path => {
      const name = path.replace(`${place.root}/.git/`, '');
      return name === path ? place.fs.lstat(path.replace(/\/F$/, '/f')) : git(name);
    };
    const store = place.open({ fs: overriding(place.fs, { lstat }) });
    return store.resolve('F').catch(error => (error as EditError).data.suggestion);
  };
  const stat = (ino: bigint, change: Partial<Stat> = {}): Stat => ({ ino, ...change }) as Stat;
  const { dev } = inMemory().hands.statSync('/top', { bigint: true });
  const [head, other] = [stat(1n, { dev }), stat(2n, { dev })];

  test.each<[string, head: Stat | null, lower: Stat | null, comes: string]>([
    ['folds case where HEAD is found as head', head, head, 'f'],
    ['does not where it is not', head, null, 'F'],
    ['does not where head is another file', head, other, 'F'],
    ['may where git’s folder is on another disk', stat(1n, { dev: dev + 1n }), null, 'f'],
    ['may where HEAD is missing', null, null, 'f'],
  ])('%s', async (_, upper, lower, comes) => {
    expect(await finding(async name => (name === 'HEAD' ? upper : name === 'head' ? lower : null))).toBe(
      comes,
    );
  });
});
