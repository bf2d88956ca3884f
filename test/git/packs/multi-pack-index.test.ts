import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { joinPacks } from '../../../src/git/packs/join/join-packs.ts';
import { expectSound, missingIn, packed } from './pack-store.ts';

it('a multi-pack-index that names packs which were joined meanwhile is removed', async () => {
  const { box, store, objects, history } = await packed([3, 3]);
  box.git('multi-pack-index', 'write');
  const path = box.path('.git/objects/pack/multi-pack-index');
  const index = readFileSync(path);
  rmSync(path);
  await joinPacks({ ...store, all: true });
  // Git had listed the packs before, and comes to its end only now.
  writeFileSync(path, index);
  await joinPacks(store);
  expect(existsSync(path)).toBe(false);
  expectSound(box.dir, history.edits + 1);
  expect(await missingIn(box.dir, objects)).toEqual([]);
});

it('a multi-pack-index that names packs of git that have gone is removed', async () => {
  const { box, store, history } = await packed([3, 3]);
  box.git('multi-pack-index', 'write');
  const path = box.path('.git/objects/pack/multi-pack-index');
  const index = readFileSync(path);
  box.git('repack', '-adq');
  writeFileSync(path, index);
  await joinPacks(store);
  expect(existsSync(path)).toBe(false);
  expectSound(box.dir, history.edits + 1);
});
