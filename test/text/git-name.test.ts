import { describe, expect, it } from 'vitest';
import { gitName } from '../../src/text/git-name.ts';
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
    expect(new Set(box.git('ls-files').split('\n'))).toEqual(new Set(names.map(gitName)));
  });
});
