import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileGlob, matchGlob } from '../../../src/git/rules/path-pattern.ts';

const matches = (pattern: string, text: string) => matchGlob(compileGlob(pattern), text);

test.each([
  ['*', 'abc', true],
  ['*', 'a/b', false],
  ['', '', true],
  ['a?c', 'abc', true],
  ['a?c', 'a/c', false],
  ['**', 'a/b/c', true],
  ['**/c', 'c', true],
  ['**/c', 'a/b/c', true],
  ['**/c', 'a/bc', false],
  ['a/**/c', 'a/c', true],
  ['a/**/c', 'a/x/y/c', true],
  ['a/**', 'a', false],
  ['a**c', 'a/c', false],
  ['a**c', 'axc', true],
  ['**\\/c', 'a/c', true],
  ['**\\/c', 'c', false],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['[!a-c]', 'd', true],
  ['[!a-c]', '/', false],
  ['[]-]', '-', true],
  ['[a\\]]', ']', true],
  ['[[:space:]]', '\t', true],
  ['[[:none:]]', 'n', false],
  ['[[:x]', ':', true],
  ['[a', '[a', false],
  ['a\\', 'a\\', false],
])('%s and %s: %s', (pattern, text, expected) => {
  expect(matches(pattern, text)).toBe(expected);
});

test('a text matches itself, and itself with a star in any place', () => {
  const text = fc.stringMatching(/^[a-z/.]{1,20}$/);
  fc.assert(
    fc.property(text, fc.nat(20), (value, at) => {
      const component = value.replaceAll('/', '');
      expect(matches(value, value)).toBe(true);
      expect(matches(`${component.slice(0, at)}*${component.slice(at)}`, component)).toBe(true);
      expect(matches(`**/${value}`, `x/y/${value}`)).toBe(true);
    }),
  );
});
