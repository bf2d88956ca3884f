/** What the engine sees to for a store that somebody brought. */

import { describe, expect, it } from 'vitest';
import { givenStore as given } from '../../src/stores/checked.ts';
import { versionOf } from '../../src/stores/record.ts';
import { type MemoryStore, memoryStore } from '../../src/stores/simple.ts';
import type { Store, StoreChange } from '../../src/stores/store.ts';
import { codeOf } from '../helpers/person-repo.ts';

const givenStore = (store: Store): Store => given(store, versionOf);

async function filled(): Promise<MemoryStore> {
  const store = memoryStore();
  await store.set('a', 'x');
  await store.set('folder/b', 'y');
  return store;
}

describe('a given store', () => {
  it('has folders, which are no files', async () => {
    expect(await codeOf(givenStore(await filled()).read('folder'))).toBe('IS_DIRECTORY');
    expect(await givenStore(await filled()).read('none')).toBeNull();
  });

  it.each([
    ['a/b', 'FILE_EXISTS'],
    ['a/b/c', 'FILE_EXISTS'],
    ['folder/c', null],
    ['folder/c/d', null],
  ])('may hold %s: %s', async (path, code) => {
    const store = await filled();
    const change: StoreChange = { path, before: null, after: await store.read('folder/b') };
    expect(await codeOf(givenStore(store).stage([change]))).toBe(code);
  });

  it('may hold a file below what goes in the same change', async () => {
    const store = await filled();
    const gone: StoreChange = { path: 'a', before: await store.read('a'), after: null };
    const come: StoreChange = { path: 'a/b', before: null, after: gone.before };
    expect(await codeOf(givenStore(store).stage([gone, come]))).toBeNull();
  });

  it('fails when it calls a content by another name than git does', async () => {
    const store = await filled();
    const read: Store['read'] = async path => ({ ...(await store.read(path))!, version: 'v7' });
    await expect(givenStore({ ...store, read }).read('a')).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining('version v7 for a'),
    });
  });

  it('fails in words of its own, which are those of no fault of the engine', async () => {
    const broken: Store = { ...memoryStore(), read: () => Promise.reject(new Error('no route to host')) };
    await expect(givenStore(broken).read('a')).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: 'The store failed: no route to host. Nothing was changed; try again when the cause is gone.',
      data: { cause: 'no route to host' },
    });
  });
});
