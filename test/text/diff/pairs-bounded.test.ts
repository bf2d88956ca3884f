import { expect, it } from 'vitest';
import { pairRows } from '../../../src/text/diff/pairs.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

it('searches no part any more after very many steps, whatever time they took', () => {
  const noise = (step: number): number[] => upTo(250).map(n => 100 + ((n * step) % 7));
  const [parts, easy] = [upTo(6000), { old: [1, 2, 1], fresh: [2, 1, 2] }];
  const old = [...easy.old, ...parts.flatMap(n => [1000 + n, ...noise(3)]), 9999, ...easy.old];
  const fresh = [...easy.fresh, ...parts.flatMap(n => [1000 + n, ...noise(5)]), 9999, ...easy.fresh];
  const { to } = pairRows(old.map(String), fresh.map(String), 100);
  expect([to.findIndex(partner => partner >= 0), to[1]]).toEqual([1, 0]);
  expect(to.findLastIndex(partner => partner >= 0)).toBe(old.length - 4);
  expect(to[old.length - 4]).toBe(fresh.length - 4);
});
