import { describe, expect, it } from 'vitest';
import { characterDifferences, foldCharacters } from '../../src/text/characters.ts';

describe('characterDifferences', () => {
  it.each([
    ['quotes', 'it’s', "it's", "the file has ’ (U+2019) where old_str has ' (U+0027)"],
    ['quotes', 'say “x”', 'say "x"', 'the file has “ (U+201C) where old_str has " (U+0022)'],
    ['dashes', 'a – b', 'a - b', 'the file has – (U+2013) where old_str has - (U+002D)'],
    [
      'special spaces',
      'a\u00a0b',
      'a b',
      'the file has a no-break space (U+00A0) where old_str has a space (U+0020)',
    ],
    [
      'invisible characters',
      'a\u200bb',
      'ab',
      'the file has a zero-width space (U+200B) where old_str has nothing',
    ],
    ['ellipsis', 'x…', 'x...', 'the file has … (U+2026) where old_str has ... (U+002E U+002E U+002E)'],
    [
      'Unicode form',
      'e\u0301',
      'é',
      'the file writes e\u0301 (U+0065 U+0301), old_str é (U+00E9): the same letter in another Unicode form',
    ],
    ['letter case', 'Foo bar', 'foo bar', 'the file has `Foo`, old_str has `foo`: the letter case differs'],
    ['blanks', 'a = 1', 'a=1', 'the blanks differ: the file has `a = 1`, old_str has `a=1`'],
  ])('%s', (kind, file, other, words) => {
    expect(characterDifferences(file, other, 'old_str')).toEqual([{ kind, words }]);
    expect(foldCharacters(file)).toBe(foldCharacters(other));
  });

  it('names several at once, and only those that matter', () => {
    const kinds = characterDifferences('Don’t – “x”', 'don\'t – "x"', 'old_str')!.map(({ kind }) => kind);
    expect(kinds).toEqual(['quotes', 'letter case']);
  });

  it('is null where the text itself differs', () => {
    expect(characterDifferences('a', 'b', 'old_str')).toBeNull();
  });

  it('looks at the first difference of very long lines', () => {
    const long = 'x'.repeat(20_000);
    expect(characterDifferences(`${long}“${long}`, `${long}"${long}`, 'old_str')).toMatchObject([
      { kind: 'quotes' },
    ]);
    expect(characterDifferences(`${long}a`, `${long}b`, 'old_str')).toBeNull();
  });
});
