import { describe, expect, it } from 'vitest';
import { interpretations } from '../../../src/text/search/interpretations.ts';

const texts = (old: string, kind: string) =>
  interpretations(old, 'old_str')
    .filter(one => one.kind === kind)
    .map(one => one.text);

describe('readings', () => {
  it('begins with the text as given', () => {
    expect(interpretations('a', 'old_str')).toEqual([{ text: 'a', kind: null, words: '' }]);
  });

  it.each([
    ['cat -n', '     1\tfoo\n     2\t\tbar', 'foo\n\tbar'],
    ['one line', '1\tfoo', 'foo'],
    ['arrow', '    12→foo\n    13→  bar', 'foo\n  bar'],
    ['bar', '12|foo\n13|bar', 'foo\nbar'],
    ['colon and blank', '12: foo\n13:   bar', 'foo\n  bar'],
    ['grep -n', '12:foo', 'foo'],
    ['number, blank', '  9 foo\n 10   bar', 'foo\n  bar'],
    ['blank lines without a number', '1\tfoo\n\n3\tbar\n', 'foo\n\nbar\n'],
  ])('leaves line numbers out: %s', (_, old, expected) => {
    expect(texts(old, 'line-number prefix')).toContain(expected);
  });

  it('takes no line for numbered unless all are', () => {
    expect(texts('1\tfoo\nbar', 'line-number prefix')).toEqual([]);
  });

  it('undoes escapes, all of them or those of quotes', () => {
    expect(texts('a\\n\\tb', 'escapes')).toEqual(['a\n\tb']);
    expect(texts('x(\\"a\\\\n\\")', 'escapes')).toEqual(['x("a\\n")', 'x("a\\\\n")']);
    expect(texts('a &lt; b &amp;&amp; c', 'escapes')).toEqual(['a < b && c']);
  });

  it('puts escapes back that were lost on the way', () => {
    expect(texts('print("a\nb")', 'escapes')).toContain('print("a\\nb")');
    expect(texts('a\tb', 'escapes')).toContain('a\\tb');
    expect(texts('"a\nb"\n', 'escapes')).toContain('"a\\nb"\n');
  });

  it('leaves out fences and the marks of a diff', () => {
    expect(texts('```ts\na\nb\n```\n', 'code fence')).toEqual(['a\nb']);
    expect(texts(' a\n-b\n c', 'diff marks')).toEqual(['a\nb\nc']);
    expect(texts('+a\n+b', 'diff marks')).toEqual(['a\nb']);
    expect(texts('-a\n+b', 'diff marks')).toEqual([]);
    expect(texts('  a\n  b', 'diff marks')).toEqual([]);
  });
});
