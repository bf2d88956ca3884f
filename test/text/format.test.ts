import { expect, it } from 'vitest';
import { isOnlyFormatted } from '../../src/text/format.ts';

it.each([
  [['a = 1'], ['  a = 1;'], true],
  [["f('x', y)"], ['f(', '  "x",', '  y,', ')'], true],
  [['if (a) {', '}'], ['if (a)', '{', '}'], true],
  [['a = 1'], ['a = 2'], false],
  [['a, b'], ['a b'], false],
  [['return  x'], ['\treturn x'], true],
  [['const x = y'], ['const x =', '  y;'], true],
  [['two words'], ['two', 'words'], true],
  [['hot coffee'], ['hotcoffee'], false],
  [['not it'], ['notit'], false],
  [["s = 'hello world'"], ["s = 'helloworld'"], false],
  [["n = '1 000'"], ["n = '1000'"], false],
  [["s = 'a  b'"], ["s = 'a b'"], false],
  [["s = 'a;'"], ['s = "a;"'], true],
  [["s = ' a'"], ["s = 'a'"], false],
] as const)('%j to %j is only formatted: %s', (before, after, is) => {
  expect(isOnlyFormatted(before, after)).toBe(is);
});
