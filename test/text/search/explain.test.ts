import { describe, expect, it } from 'vitest';
import { blankWords, differences } from '../../../src/text/search/explain.ts';

/** Kind and words of every difference between the old text and the file's. */
const explained = (old: string, exact: string, rest = '') =>
  differences(old, exact, 10, rest, 'old_str').map(({ kind, words }) => [kind, words]);

describe('differences', () => {
  it.each([
    [
      'indentation',
      '    a\n',
      '\ta\n',
      'line 10 is indented with 1 tab in the file, with 4 spaces in old_str',
    ],
    [
      'indentation',
      'a\n    b\n',
      'a\n  b\n',
      'line 11 is indented with 2 spaces in the file, with 4 spaces in old_str',
    ],
    [
      'indentation',
      '  a\n    b\n',
      '\ta\n\t\tb\n',
      'the file indents lines 10-11 with tabs, old_str with spaces',
    ],
    [
      'indentation',
      '\ta\n\tb\n',
      '  a\n  b\n',
      'the file indents lines 10-11 with spaces, old_str with tabs',
    ],
    ['indentation', 'a\n  b\n', '  a\n    b\n', 'the file indents lines 10-11 by 2 spaces more'],
    [
      'indentation',
      '  a\n b\n',
      ' a\n   b\n',
      'line 10 is indented with 1 space in the file, with 2 spaces in old_str, and so on: 2 lines differ in this',
    ],
    [
      'trailing blanks',
      'a\nb',
      'a  \nb',
      'line 10 ends with 2 spaces in the file, with no blanks in old_str',
    ],
    [
      'trailing blanks',
      'a\nb\t\n',
      'a\nb\n',
      'line 11 ends with no blanks in the file, with 1 tab in old_str',
    ],
    [
      'blank lines',
      'a\n\nb',
      'a\n\n\nb',
      'before line 13 the file has 2 blank lines, old_str has 1 blank line',
    ],
    ['blank lines', 'a\n\n\n', 'a\n', 'old_str ends with 3 line ends, the file has 1 line end there'],
    ['line end', '\na', 'a', 'old_str begins with 1 line end, the file has no line ends there'],
    ['line end', 'a\n', 'a', 'old_str ends with 1 line end, but the file ends without one'],
    [
      'line breaks',
      'f(a, b)',
      'f(a,\n  b)',
      'the lines break at other places: the file has 2 lines where old_str has 1 line, first at line 10 of the file, `f(a,`',
    ],
    [
      'line end',
      'a\nb\nc',
      'a\nb\rc',
      'in line 11 the file has a carriage return alone (U+000D) where old_str has a line end',
    ],
    [
      'line end',
      'a\rb',
      'a\nb',
      'in line 10 the file has a line end where old_str has a carriage return alone (U+000D)',
    ],
    ['quotes', 'a\n"x"', 'a\n“x”', 'in line 11 the file has “ (U+201C) where old_str has " (U+0022)'],
  ])('%s: %j', (kind, old, exact, words) => {
    expect(explained(old, exact)).toEqual([[kind, words]]);
  });

  it('says when the line goes on', () => {
    expect(explained('f(a)\n', 'f(a)', ' // x')).toEqual([
      ['line end', 'old_str ends with 1 line end, but the line goes on with ` // x` in the file'],
    ]);
  });

  it('names each kind once', () => {
    const kinds = explained('  “a”\n  “b”  \nc', '\t"a"\n\t"b"\nc').map(([kind]) => kind);
    expect(kinds).toEqual(['indentation', 'trailing blanks', 'quotes']);
  });
});

describe('blankWords', () => {
  it('counts tabs and spaces', () => {
    expect(['', ' ', '\t\t', '\t  ', '\u00a0'].map(blanks => blankWords(blanks, '     ')[0])).toEqual([
      'no blanks',
      '1 space',
      '2 tabs',
      '1 tab and 2 spaces',
      '1 other blank',
    ]);
  });

  it('says in which order they are, and which, where there are as many', () => {
    expect(blankWords('\t  ', '  \t')).toEqual(['1 tab, then 2 spaces', '2 spaces, then 1 tab']);
    expect(blankWords('\u00a0', '\u2003')).toEqual(['1 U+00A0', '1 U+2003']);
  });
});
