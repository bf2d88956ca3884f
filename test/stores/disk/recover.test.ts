/** What a killed process or a power cut left of a change: put in place, told, or left to whom it belongs. */

import { expect, it } from 'vitest';
import type { Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { stillStaged } from '../../../src/stores/disk/recover.ts';
import type { Recovery } from '../../../src/stores/store.ts';
import { failing, overriding } from '../../helpers/overriding.ts';
import { changesOf, perm, write } from './changes.ts';
import { onDisk, type Place, staged, stored, tree } from './disk-stores.ts';

const NEW = stored('two');
const recovery: Recovery = { boot: 'same', blob: async () => NEW.bytes, isCurrent: async () => true };

/** A change of these files that was staged and recorded, and not published: the process died. */
async function recorded(paths: readonly string[], isNew = false): Promise<{ place: Place; record: unknown }> {
  const place = onDisk(nodeFs());
  if (!isNew) for (const path of paths) write(place, path, 'one');
  const changes = await changesOf(place.store, Object.fromEntries(paths.map(path => [path, 'two'])));
  const { record } = await place.store.stage(changes);
  return { place, record: JSON.parse(JSON.stringify(record)) };
}

it.each<[string, (fs: Fs) => Partial<Fs>]>([
  ['looked at', fs => ({ lstat: path => (path.endsWith('/b') ? failing('EIO')() : fs.lstat(path)) })],
  [
    'replaced',
    fs => ({ rename: (from, to) => (to.endsWith('/b') ? failing('EIO')() : fs.rename(from, to)) }),
  ],
])('a file that cannot be %s waits by itself, and is put in place later', async (_, broken) => {
  const { place, record } = await recorded(['a', 'b', 'c']);
  const left: string[] = [];
  const fs = overriding(place.fs, broken(place.fs));
  await place.open({ fs }).recover([record], { ...recovery, left: path => left.push(path) });
  expect([left, tree(place)]).toEqual([['b'], { a: 'two', b: 'one', c: 'two' }]);
  const open = (): Promise<string[]> => stillStaged(place.fs, `${place.root}/.git/vedit/tmp`, [record]);
  expect(await open()).toEqual(['b']);
  await place.open().recover([record], recovery);
  expect([tree(place), staged(place), await open()]).toEqual([{ a: 'two', b: 'two', c: 'two' }, [], []]);
});

it('where nobody can be told, a file that cannot be looked at is an error, and so is a lack of descriptors', async () => {
  const { place, record } = await recorded(['a']);
  const saying = (code: string) =>
    place.open({
      fs: overriding(place.fs, {
        lstat: path => (path.endsWith('/a') ? failing(code)() : place.fs.lstat(path)),
      }),
    });
  const told = { message: expect.stringContaining('Repairing the workspace failed'), data: { cause: 'EIO' } };
  await expect(saying('EIO').recover([record], recovery)).rejects.toMatchObject(told);
  await expect(saying('EIO').drop!(record, () => {})).rejects.toMatchObject(told);
  const left = (): void => expect.fail('the path is not to blame');
  await expect(saying('EMFILE').recover([record], { ...recovery, left })).rejects.toMatchObject({
    data: { cause: 'EMFILE' },
  });
});

it('in a copy of the repository, where each file is another one, the versions tell', async () => {
  const { place, record } = await recorded(['a', 'b']);
  write(place, 'b', 'mine');
  for (const path of ['a', ...staged(place).map(name => `.git/vedit/tmp/${name}`)]) {
    const at = `${place.root}/${path}`;
    place.hands.writeFileSync(`${at}-copy`, place.hands.readFileSync(at));
    place.hands.renameSync(`${at}-copy`, at);
  }
  await place.open().recover([record], recovery);
  expect(tree(place)).toEqual({ a: 'two', b: 'mine' });
});

it('a file that somebody put back from a copy since the kill stays as it is', async () => {
  const { place, record } = await recorded(['a']);
  write(place, 'copy', 'one');
  place.hands.renameSync(`${place.root}/copy`, `${place.root}/a`);
  await place.open().recover([record], recovery);
  expect([tree(place), staged(place)]).toEqual([{ a: 'one' }, []]);
});

it('the same file that somebody gave its old text again stays so once nothing of it is staged', async () => {
  const { place, record } = await recorded(['a']);
  for (const name of staged(place)) place.hands.rmSync(`${place.root}/.git/vedit/tmp/${name}`);
  await place.open().recover([record], recovery);
  expect(tree(place)).toEqual({ a: 'one' });
});

it.each<[string, Partial<Recovery>, told: string[]]>([
  ['after a power cut it is made again, and told', { boot: 'other' }, ['n']],
  ['of what was set aside nobody is told twice', { boot: 'other', isAside: true }, []],
  ['after a kill it is only made', { boot: 'same' }, []],
])('a new file that is not there: %s', async (_, change, told) => {
  const { place, record } = await recorded(['n'], true);
  expect(await place.open().recover([record], { ...recovery, ...change })).toEqual(told);
  expect(tree(place)).toEqual({ n: 'two' });
});

it('a folder that one file leaves and another enters stays as it is, and a file makes way for a folder, while a third cannot be replaced', async () => {
  const place = onDisk(nodeFs());
  for (const path of ['a', 'd/was', 'e']) write(place, path, 'one');
  place.hands.chmodSync(`${place.root}/d`, 0o700);
  const files = { a: 'two', 'd/was': null, 'd/zed': 'two', 'e/f': 'two', e: null };
  const { record } = await place.store.stage(await changesOf(place.store, files));
  const { ino } = place.hands.statSync(`${place.root}/d`);
  const left: string[] = [];
  const link: Fs['link'] = (from, to) => (from.endsWith('/a') ? failing('EIO')() : place.fs.link(from, to));
  const store = place.open({ fs: overriding(place.fs, { link }) });
  await store.recover([JSON.parse(JSON.stringify(record))], { ...recovery, left: path => left.push(path) });
  expect([left, tree(place)]).toEqual([['a'], { a: 'one', 'd/zed': 'two', 'e/f': 'two' }]);
  expect(place.hands.statSync(`${place.root}/d`)).toMatchObject({ ino, mode: 0o40700 });
});

it('a file of which only the mode changes gets it while another one cannot be replaced', async () => {
  const place = onDisk(nodeFs());
  for (const path of ['a', 'run']) write(place, path, path === 'a' ? 'one' : 'two');
  const [a, run] = await changesOf(place.store, { a: 'two', run: 'two' });
  const { record } = await place.store.stage([a!, { ...run!, after: { ...run!.after!, mode: '100755' } }]);
  const left: string[] = [];
  const link: Fs['link'] = (from, to) => (from.endsWith('/a') ? failing('EIO')() : place.fs.link(from, to));
  const store = place.open({ fs: overriding(place.fs, { link }) });
  await store.recover([JSON.parse(JSON.stringify(record))], { ...recovery, left: path => left.push(path) });
  expect([left, perm(place, 'run')]).toEqual([['a'], 0o755]);
});

it.each<[string, string, isKept: boolean]>([
  ['another text', 'mine', true],
  ['zeros and a text', '\0\0x', true],
  ['zeros, as after a power cut', '\0\0\0', false],
  ['the text that was there', 'one', false],
  ['the text of the change', 'two', false],
])('of a change that does not count, %s in the file that it replaced', async (_, text, isKept) => {
  const { place, record } = await recorded(['a']);
  const name = staged(place).find(one => one.endsWith('.was'))!;
  // Somebody put another file there, and a program that had the old one open wrote into it.
  place.hands.rmSync(`${place.root}/a`);
  write(place, 'a', 'new');
  place.hands.writeFileSync(`${place.root}/.git/vedit/tmp/${name}`, text);
  const told: string[][] = [];
  await place.open().drop!(record, (path, at) => told.push([path, at]));
  const at = `${place.root}/.git/vedit/kept/${name}`;
  expect(told).toEqual(isKept ? [['a', at]] : []);
  if (isKept) expect(place.hands.readFileSync(at, 'utf8')).toBe(text);
  expect([tree(place), staged(place)]).toEqual([{ a: 'new' }, []]);
});
