import { expect, it, vi } from 'vitest';
import type { EditError } from '../../../src/errors.ts';
import { type Fs, lstatOf, type Stat } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { sameContent, sameStat } from '../../../src/stores/disk/read.ts';
import { faultFs } from '../../helpers/fault-fs.ts';
import { failing, overriding } from '../../helpers/overriding.ts';
import { refusal, write } from './changes.ts';
import { onDisk, type Place, stored } from './disk-stores.ts';

it('a file is the same as before only where all that tells of a write is', async () => {
  const stat = await lstatOf(nodeFs(), import.meta.filename);
  const others: Partial<Stat>[] = [
    { ino: stat.ino + 1n },
    { dev: stat.dev + 1n },
    { size: stat.size + 1 },
    { mode: stat.mode ^ 0o100 },
    { mtimeNs: stat.mtimeNs + 1n },
  ];
  expect(sameContent(stat, { ...stat })).toBe(true);
  for (const other of others)
    expect([other, sameContent(stat, { ...stat, ...other })]).toEqual([other, false]);
  // A new name, or one less.
  const linked = { ...stat, ctimeNs: stat.ctimeNs + 1n };
  expect([sameContent(stat, linked), sameStat(stat, linked), sameStat(stat, stat)]).toEqual([
    true,
    false,
    true,
  ]);
});

it('a folder that was looked at a while ago is looked at again', async () => {
  const place = onDisk(nodeFs());
  write(place, 'd/f', 'one');
  await place.store.read('d/f');
  const now = performance.now();
  await place.store.resolve('d/f');
  vi.spyOn(performance, 'now').mockReturnValue(now + 60_000);
  place.hands.renameSync(`${place.root}/d`, `${place.root}/was`);
  write(place, 'd/f', 'two');
  expect(await place.store.read('d/f').finally(() => vi.restoreAllMocks())).toEqual(stored('two'));
});

it('what was looked at a moment ago is not looked at again', async () => {
  const place = onDisk(nodeFs());
  write(place, 'd/f', 'one');
  const fs = faultFs(place.fs);
  const store = place.open({ fs });
  await store.read('d/f');
  await store.resolve('d/f');
  const before = fs.trace.length;
  expect(await store.read('d/f')).toEqual(stored('one'));
  expect(fs.trace.slice(before).filter(({ method }) => method === 'lstat')).toEqual([]);
});

it('a file that may not be opened is refused with the cause', async () => {
  const place = onDisk(nodeFs());
  write(place, 'f', 'one');
  const open: Fs['open'] = (path, how) =>
    path.endsWith('/f') ? failing('EACCES')() : place.fs.open(path, how);
  const store = place.open({ fs: overriding(place.fs, { open }) });
  expect((await refusal(store.read('f'))).data).toEqual({ path: 'f', cause: 'EACCES' });
});

it.each<[string, (place: Place) => void, comes: unknown]>([
  ['is removed', ({ hands, root }) => hands.rmSync(`${root}/f`), null],
  [
    'becomes a link',
    ({ hands, root, top }) => {
      hands.rmSync(`${root}/f`);
      hands.symlinkSync(`${top}/outside/secret`, `${root}/f`);
    },
    'OUTSIDE_WORKSPACE',
  ],
  ['gets a longer text', place => write(place, 'f', 'longer'), stored('longer')],
])('a file that %s between the look at it and its opening is looked at again', async (_, act, comes) => {
  const place = onDisk(nodeFs());
  write(place, 'f', 'one');
  let hasActed = false;
  const open: Fs['open'] = (path, how) => {
    if (path.endsWith('/f') && !hasActed) act(place);
    hasActed ||= path.endsWith('/f');
    return place.fs.open(path, how);
  };
  const store = place.open({ fs: overriding(place.fs, { open }) });
  const read = store.read('f').catch(error => (error as EditError).code);
  expect([await read, hasActed]).toEqual([comes, true]);
});

it('a file that changes in each of five looks is told as one that is being written', async () => {
  const place = onDisk(nodeFs());
  write(place, 'f', 'x');
  let opened = 0;
  const open: Fs['open'] = (path, how) => {
    if (path.endsWith('/f')) write(place, 'f', 'x'.repeat(++opened + 1));
    return place.fs.open(path, how);
  };
  const store = place.open({ fs: overriding(place.fs, { open }) });
  expect(await refusal(store.read('f'))).toMatchObject({ code: 'STORE_FAILED', data: { path: 'f' } });
  expect(opened).toBe(5);
});
