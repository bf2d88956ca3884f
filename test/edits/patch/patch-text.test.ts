import { expect, it } from 'vitest';
import { namesFile } from '../../../src/edits/patch/patch-text.ts';

it.each([
  ['a.txt', 'a.txt'],
  ['./a.txt', 'a.txt'],
  ['a.txt', './a.txt'],
  ['d/./a.txt', 'd/a.txt'],
  ['a.txt', 'd/e/a.txt'],
  ['e/a.txt', 'd/e/a.txt'],
  ['/repo/d/a.txt', 'd/a.txt'],
  ['d/a.txt', '/repo/d/a.txt'],
])('%s names %s', (written, path) => expect(namesFile(written, path)).toBe(true));

it.each([
  ['d/a.txt', 'a.txt'],
  ['a.txt', 'da.txt'],
  ['/repo/da.txt', 'a.txt'],
  ['A.txt', 'a.txt'],
  ['e/a.txt', 'd/a.txt'],
  ['../a.txt', 'a.txt'],
])('%s does not name %s', (written, path) => expect(namesFile(written, path)).toBe(false));
