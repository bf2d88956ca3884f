/** Files that no rename replaces are refused in words, before anything of a change is recorded. */

import { describe, expect, it } from 'vitest';
import type { Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { overriding } from '../../helpers/overriding.ts';
import { change, changesOf, refusal, write } from './changes.ts';
import { onDisk, type Place, staged, tree } from './disk-stores.ts';

/** Links of files of the workspace fail with the code; where `everywhere`, all links do. */
function linking(code: string, everywhere = false): Fs {
  const real = nodeFs();
  return overriding(real, {
    link: (from, to) =>
      everywhere || !from.includes('/vedit/tmp/')
        ? Promise.reject(Object.assign(new Error(code), { code }))
        : real.link(from, to),
  });
}

function start(): Place {
  const place = onDisk(nodeFs());
  write(place, 'd/f', 'one');
  write(place, 'd/g', 'one');
  return place;
}

describe.each<[string, string | null]>([
  ['replaced', 'two'],
  ['deleted', null],
])('a file that is to be %s', (_, text) => {
  it('is refused where it is immutable, when it is staged', async () => {
    const place = start();
    const store = place.open({ fs: linking('EPERM'), euid: process.geteuid!() });
    const error = await refusal(store.stage(await changesOf(store, { 'd/g': 'x', 'd/f': text, new: 'n' })));
    expect(error).toMatchObject({ code: 'STORE_FAILED', retryable: false, data: { cause: 'EPERM' } });
    expect(error.message).toMatch(/^d\/[fg] may not be replaced: it is immutable.* Nothing was changed\.$/);
    expect([tree(place), staged(place)]).toEqual([{ 'd/f': 'one', 'd/g': 'one' }, []]);
  });

  it('is refused where it is mounted by itself, in the last look', async () => {
    const place = start();
    const store = place.open({ fs: linking('EXDEV') });
    const changes = await store.stage(await changesOf(store, { 'd/f': text }));
    const error = await refusal(changes.verify());
    expect(error).toMatchObject({ code: 'STORE_FAILED', retryable: false, data: { cause: 'EXDEV' } });
    expect(error.message).toContain('d/f is mounted by itself');
    await changes.discard();
    expect([tree(place), staged(place)]).toEqual([{ 'd/f': 'one', 'd/g': 'one' }, []]);
  });

  it('is refused with the words of the disk where that is broken', async () => {
    const place = start();
    const store = place.open({ fs: linking('EIO') });
    const error = await refusal(store.stage(await changesOf(store, { 'd/f': text })));
    expect(error.data).toEqual({ path: 'd/f', cause: 'EIO' });
    expect(staged(place)).toEqual([]);
  });

  it.each<[string, boolean, euid: number, of: 'folder' | 'file' | null]>([
    ['neither is ours', true, 4_242, null],
    ['the folder is ours', false, 4_242, 'folder'],
    ['the file is ours', false, 4_242, 'file'],
    ['we are root', false, 0, null],
  ])('is refused in a sticky folder where %s: %s', async (_why, isRefused, euid, own) => {
    const place = start();
    place.hands.chmodSync(`${place.root}/d`, 0o1777);
    const real = nodeFs();
    const fs = overriding(real, {
      open: async (path, how, mode) => {
        const handle = await real.open(path, how, mode);
        const stat = async () => ({ ...(await handle.stat()), uid: own === 'folder' ? euid : 4_243 });
        return how === 'directory' ? overriding(handle, { stat }) : handle;
      },
      lstat: async path => {
        const stat = await real.lstat(path);
        return stat && { ...stat, ...(own === 'file' ? { uid: euid } : { uid: 4_243 }) };
      },
    });
    const store = place.open({ fs, euid });
    const staging = store.stage([{ path: 'd/f', before: await place.store.read('d/f'), after: null }]);
    if (isRefused) expect((await refusal(staging)).message).toContain('the sticky bit');
    else await (await staging).discard();
    expect(staged(place)).toEqual([]);
  });

  it('is done where no file can be linked, or only that of another user', async () => {
    const none = start();
    await change(none.open({ fs: linking('EPERM', true), euid: process.geteuid!() }), { 'd/f': text });
    const many = start();
    await change(many.open({ fs: linking('EMLINK'), euid: process.geteuid!() }), { 'd/f': text });
    const others = start();
    await change(others.open({ fs: linking('EPERM'), euid: 4_242 }), { 'd/f': text });
    for (const place of [none, many, others])
      expect(tree(place)).toEqual({ 'd/g': 'one', ...(text === null ? {} : { 'd/f': text }) });
  });
});
