import { expect, it } from 'vitest';
import { sizeCases, trySizes } from '../fuzz/sizes.ts';

it.each(sizeCases(0).map(one => [one.name, one] as const))('%s', { timeout: 120_000 }, async (_name, one) => {
  expect((await trySizes([one])).lost).toEqual([]);
});
