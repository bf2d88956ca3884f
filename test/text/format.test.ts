import { expect, it } from 'vitest';
import { isOnlyFormatted } from '../../src/text/format.ts';

it.each([
  [['a = 1'], ['  a = 1;'], true],
  [["f('x', y)"], ['f(', '  "x",', '  y,', ')'], true],
  [['if (a) {', '}'], ['if (a)', '{', '}'], true],
  [['a = 1'], ['a = 2'], false],
  [['a, b'], ['a b'], false],
] as const)('%j to %j is only formatted: %s', (before, after, is) => {
  expect(isOnlyFormatted(before, after)).toBe(is);
});
