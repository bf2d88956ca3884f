import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { gitName, readQuoted, shownName, unquote } from '../src/c-quote.ts';
import { repository } from './helpers/real-git.ts';

describe('gitName', () => {
  it('quotes what git quotes, as git quotes it', () => {
    const names = [
      'plain',
      'sp ace',
      'café',
      '日本',
      '"q"',
      'back\\slash',
      'a\tb',
      'a\nb',
      '\x01\x07\x7f',
      '-dash',
      "it's",
      '😀',
    ];
    const box = repository();
    for (const name of names) box.write(name, '');
    box.git('add', '.');
    expect(new Set(box.git('ls-files').split('\n'))).toEqual(new Set(names.map(name => gitName(name))));
  });
});

describe('shownName', () => {
  it('is the name as a call has to give it', () => {
    for (const name of ['plain', 'sp ace', 'café', '"q"', "it's", '😀']) expect(shownName(name)).toBe(name);
  });

  it('is what git prints where no call can name it', () => {
    for (const name of ['a\tb', 'a\nb', 'back\\slash', '\u202etxt'])
      expect(shownName(name)).toBe(gitName(name));
  });
});

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

test.each(['', 'a', '"a', '"\\q"', '"\\400"'])('%s is no quoted text', text => {
  expect(unquote(text)).toBeNull();
});

test('what follows the quotes is left', () => {
  expect(readQuoted('"a b" rest')).toEqual({ name: 'a b', length: 5 });
});
