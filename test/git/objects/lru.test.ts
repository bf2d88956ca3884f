import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LruCache } from '../../../src/git/objects/lru.ts';

const filled = (sizes: Record<string, number>) => {
  const cache = new LruCache<string, number>(100, size => size);
  for (const [key, size] of Object.entries(sizes)) cache.set(key, size);
  return cache;
};

test('what was not used for the longest time goes when the budget is spent', () => {
  const cache = filled({ a: 25, b: 25, c: 25, d: 25 });
  cache.get('a');
  cache.set('e', 20);
  expect(['a', 'b', 'c', 'd', 'e'].map(key => cache.get(key))).toEqual([25, undefined, 25, 25, 20]);
});

test('a replaced or deleted value gives its bytes back', () => {
  const cache = filled({ a: 25, b: 25, c: 25, d: 25 });
  cache.set('a', 1);
  cache.delete('b');
  cache.delete('none');
  cache.set('e', 24);
  cache.set('f', 24);
  expect(['a', 'c', 'd', 'e', 'f'].map(key => cache.get(key))).toEqual([1, 25, 25, 24, 24]);
});

test('a value over a quarter of the budget is not kept, and leaves the others', () => {
  const cache = filled({ a: 25, big: 26 });
  expect([cache.get('a'), cache.get('big')]).toEqual([25, undefined]);
});

test('keeps what a plain list of uses would keep, whatever is done', () => {
  const key = fc.integer({ min: 0, max: 8 });
  const act = fc.oneof(
    fc.record({ set: key, size: fc.integer({ min: 0, max: 30 }) }),
    fc.record({ get: key }),
    fc.record({ delete: key }),
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), acts => {
      const cache = new LruCache<number, number>(100, size => size);
      let list: [number, number][] = [];
      const without = (one: number) => list.filter(([known]) => known !== one);
      for (const one of acts) {
        if ('get' in one) {
          const known = list.find(([known]) => known === one.get);
          expect(cache.get(one.get)).toBe(known?.[1]);
          if (known) list = [...without(one.get), known];
        } else if ('delete' in one) {
          cache.delete(one.delete);
          list = without(one.delete);
        } else {
          cache.set(one.set, one.size);
          list = without(one.set);
          if (one.size <= 25) list.push([one.set, one.size]);
          while (list.reduce((sum, [, size]) => sum + size, 0) > 100) list.shift();
        }
      }
      for (const [known, size] of list) expect(cache.get(known)).toBe(size);
    }),
  );
});
