import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readQuoted, unquote } from '../../src/git/quote.ts';
import { repository } from './real-git.ts';

test('names that git quotes are read back', () => {
  const box = repository();
  const name = fc.string({
    unit: fc.constantFrom('a', '"', '\\', '\t', '\n', '\x01', '\x7f', 'é', '☃', '\b'),
    minLength: 1,
    maxLength: 20,
  });
  const names = [...new Set(fc.sample(name, 200))].map(text => `x${text}`);
  const blob = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';
  box.pipe(names.map(text => `100644 ${blob}\t${text}\0`).join(''), 'update-index', '-z', '--index-info');
  const listed = box.git('ls-files').split('\n');
  expect(listed.map(text => unquote(text) ?? text).sort()).toEqual([...names].sort());
});

test.each(['', 'a', '"a', '"\\q"', '"\\400"', '"\\377"'])('%s is no quoted text', text => {
  expect(unquote(text)).toBeNull();
});

test('what follows the quotes is left', () => {
  expect(readQuoted('"a b" rest')).toEqual({ value: 'a b', length: 5 });
});
