/** What a person saves between the last look of a change and its publication stays theirs. */

import { describe, expect, test } from 'vitest';
import type { Fs } from '../../../src/fs/fs.ts';
import { faultFs } from '../../helpers/fault-fs.ts';
import { failing, overriding } from '../../helpers/overriding.ts';
import { change, changesOf, write } from './changes.ts';
import { inMemory, type Place, staged, tree } from './disk-stores.ts';

/** A staged deletion of f, over this file system. */
async function deletion(place: Place, fs = place.fs) {
  write(place, 'd/f', 'one');
  return place.open({ fs }).stage(await changesOf(place.store, { 'd/f': null }));
}

describe('a file that is to be deleted', () => {
  test('and was saved before is skipped, and never loses its name', async () => {
    const place = inMemory();
    const fs = faultFs(place.fs);
    const change = await deletion(place, fs);
    write(place, 'd/f', 'a person');
    await change.publish();
    expect([tree(place), change.skipped]).toEqual([{ 'd/f': 'a person' }, ['d/f']]);
    expect(fs.trace.filter(({ method }) => method === 'rename')).toEqual([]);
    await change.discard();
    expect(staged(place)).toEqual([]);
  });

  test.each(['links', 'no links'])(
    'and is saved at the moment is put back, and skipped, with %s',
    async links => {
      const place = inMemory();
      const fs = overriding(place.fs, {
        rename: async (from, to) => {
          if (from.endsWith('/d/f')) write(place, 'd/f', 'a person');
          return place.fs.rename(from, to);
        },
        link: async (from, to) => {
          if (links === 'links') return place.fs.link(from, to);
          throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
        },
      });
      const change = await deletion(place, fs);
      await change.publish();
      expect([tree(place), change.skipped]).toEqual([{ 'd/f': 'a person' }, ['d/f']]);
      await change.settle();
      await change.discard();
      expect([tree(place), staged(place)]).toEqual([{ 'd/f': 'a person' }, []]);
    },
  );
});

test('a new file in a new folder is not taken for one of its name above', async () => {
  const place = inMemory();
  write(place, 'x', 'mine');
  await change(place.store, { 'n/x': 'new' });
  expect(tree(place)).toEqual({ 'n/x': 'new', x: 'mine' });
});

describe('a new file where there is a folder', () => {
  test('takes the place of one that holds nothing but such folders', async () => {
    const place = inMemory();
    for (const path of ['d/e/f', 'd/g']) place.hands.mkdirSync(`${place.root}/${path}`, { recursive: true });
    const changed = await change(place.store, { d: 'new' });
    expect([tree(place), changed.skipped]).toEqual([{ d: 'new' }, []]);
  });

  test.each(['d/x', 'd/e/x'])('is skipped where somebody made %s since', async path => {
    const place = inMemory();
    place.hands.mkdirSync(`${place.root}/d/e`, { recursive: true });
    const result = await place.store.stage(await changesOf(place.store, { d: 'new' }));
    write(place, path, 'mine');
    await result.publish();
    await result.discard();
    expect([tree(place)[path], result.skipped, staged(place)]).toEqual(['mine', ['d'], []]);
  });
});

test('text that cannot be put back for it would replace a newer file is not, and a broken disk is told', async () => {
  for (const code of ['newer', 'EIO']) {
    const place = inMemory();
    const change = await deletion(
      place,
      overriding(place.fs, {
        rename: async (from, to) => {
          if (from.endsWith('/d/f')) write(place, 'd/f', 'a person');
          return place.fs.rename(from, to);
        },
        link: async (from, to) => {
          if (!from.endsWith('.was')) return place.fs.link(from, to);
          if (code === 'EIO') return failing(code)();
          write(place, 'd/f', 'newer');
          return place.fs.link(from, to);
        },
      }),
    );
    const error = await change.publish().catch(error => error.data);
    if (code === 'EIO') expect(error).toEqual({ path: 'd/f', cause: code });
    else expect(tree(place)).toEqual({ 'd/f': 'newer' });
  }
});

/** A disk whose clock stands still. */
function timeless(fs: Fs): Fs {
  const open: Fs['open'] = async (...args) => {
    const handle = await fs.open(...args);
    return overriding(handle, { stat: async () => ({ ...(await handle.stat()), mtimeNs: 0n }) });
  };
  const lstat: Fs['lstat'] = async path => {
    const stat = await fs.lstat(path);
    return stat && { ...stat, mtimeNs: 0n };
  };
  return overriding(fs, { open, lstat });
}

describe('what somebody writes into the file that was replaced', () => {
  test.each<[string, string, (place: Place) => void]>([
    ['is put back', 'a person', () => {}],
    [
      'stays away from a file that was saved there since',
      'new',
      place => {
        write(place, 'd/g', 'new');
        place.hands.renameSync(`${place.root}/d/g`, `${place.root}/d/f`);
      },
    ],
    ['stays away from text that was added there since', 'two!', place => write(place, 'd/f', 'two!')],
    [
      'does not come back where the file was deleted since',
      '',
      place => place.hands.rmSync(`${place.root}/d/f`),
    ],
  ])('%s', async (_, text, act) => {
    const place = inMemory();
    write(place, 'd/f', 'one');
    const store = place.open({ fs: timeless(place.fs) });
    const change = await store.stage(await changesOf(store, { 'd/f': 'two' }));
    await change.publish();
    const [was] = staged(place);
    place.hands.writeFileSync(`${place.root}/.git/vedit/tmp/${was}`, 'a person');
    act(place);
    await change.settle();
    expect([tree(place)['d/f'] ?? '', staged(place)]).toEqual([text, []]);
  });
});
