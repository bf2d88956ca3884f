import { expect, test } from 'vitest';
import { baseName, isAbsolute, parentOf, resolvePath } from '../../src/git/paths.ts';

test.each([
  ['/a/b', 'c', '/a/b/c'],
  ['/a/b', '../c/./d/', '/a/c/d'],
  ['/a', '../../../x', '/x'],
  ['/', 'x', '/x'],
  ['/a', '/b//c', '/b/c'],
  ['/a', '..', '/'],
  ['C:/a', '..\\b', 'C:/a/..\\b'],
  ['C:/a', '../b', 'C:/b'],
  ['/a', 'C:\\b\\c', 'C:/b/c'],
  ['//server/share', '../x', '//server/x'],
])('from %s, %s is %s', (from, path, expected) => {
  expect(resolvePath(from, path)).toBe(expected);
});

test('parents end at the root', () => {
  const chain = (path: string | null): (string | null)[] =>
    path === null ? [] : [path, ...chain(parentOf(path))];
  expect(chain('/a/b')).toEqual(['/a/b', '/a', '/']);
  expect(chain('C:/a/b')).toEqual(['C:/a/b', 'C:/a', 'C:/']);
});

test('names and absolute paths', () => {
  expect([baseName('/a/b'), baseName('/'), baseName('a')]).toEqual(['b', '', 'a']);
  expect(['/a', 'C:/a', 'C:\\a', 'a', './a', 'c:a'].map(isAbsolute)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
