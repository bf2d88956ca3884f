/** What a person saves between the last look of a change and its publication stays theirs. */

import { describe, expect, test } from 'vitest';
import { faultFs } from '../../helpers/fault-fs.ts';
import { overriding } from '../../helpers/overriding.ts';
import { changesOf, write } from './changes.ts';
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
