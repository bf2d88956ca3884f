/** Changes of files on a disk store, in few words. */

import { expect } from 'vitest';
import type { EditError } from '../../../src/errors.ts';
import type { Staged, Store, StoreChange } from '../../../src/stores/store.ts';
import { type Place, stored } from './disk-stores.ts';

export async function refusal(call: Promise<unknown>): Promise<EditError> {
  return call.then(
    value => {
      throw new Error(`accepted: ${JSON.stringify(value)}`);
    },
    error => error,
  );
}

/** The whole way of a change; `words` null deletes. */
export async function change(store: Store, files: Record<string, string | null>): Promise<Staged> {
  const changes = await changesOf(store, files);
  const result = await store.stage(changes);
  expect(await result.verify()).toEqual([]);
  await result.sync();
  await result.publish();
  await result.settle();
  await result.discard();
  expect(result.skipped).toEqual([]);
  return result;
}

export async function changesOf(store: Store, files: Record<string, string | null>): Promise<StoreChange[]> {
  return Promise.all(
    Object.entries(files).map(async ([path, words]) => {
      const before = await store.read(path).catch(() => null);
      return { path, before, after: words === null ? null : stored(words, before?.mode) };
    }),
  );
}

export function write(place: Place, path: string, words: string, mode = 0o644): void {
  place.hands.mkdirSync(`${place.root}/${path}`.replace(/\/[^/]*$/, ''), { recursive: true });
  place.hands.writeFileSync(`${place.root}/${path}`, words);
  place.hands.chmodSync(`${place.root}/${path}`, mode);
}

export const perm = (place: Place, path: string): number =>
  place.hands.statSync(`${place.root}/${path}`).mode & 0o7777;
