import { describe, expect, it } from 'vitest';
import { gitName, shownName } from '../../src/text/git-name.ts';
import { repository } from '../git/real-git.ts';

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
