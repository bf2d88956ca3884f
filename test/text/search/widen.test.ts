import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../src/text/lines.ts';
import { widened } from '../../../src/text/search/nearest.ts';

/** What the place of `visible` in the text grows to for this old text. */
function grown(text: string, visible: string, old: string, indented = false): string {
  const start = text.indexOf(visible);
  const place = widened(linesOf(text), { start, end: start + visible.length }, old, indented);
  return text.slice(place.start, place.end);
}

describe('widened', () => {
  it.each([
    ['a part of a line stays one', '  foo(x)\n', 'foo', 'Foo', 'foo'],
    ['indentation where the old text has some', '\tfoo\n', 'foo', '    foo', '\tfoo'],
    ['no indentation where it has none', '  a\n  b\n', 'a\n  b', 'a\nb', 'a\n  b'],
    ['no indentation in the middle of a line', 'x = a\nb\n', 'a\nb', ' A\nb', 'a\nb'],
    ['the line end', 'a\nb\n', 'a', 'A\n', 'a\n'],
    ['a CRLF', 'a\r\nb\r\n', 'a', 'A\n', 'a\r\n'],
    ['blanks before the line end', 'a  \nb\n', 'a', 'A\n', 'a  \n'],
    ['no line end where the line goes on', 'a // b\n', 'a', 'A\n', 'a'],
    ['blank lines, as many as there are', 'a\n\nb\n', 'a', 'A\n\n\n\n', 'a\n\n'],
    ['the line end before', 'x\na\n', 'a', '\nA', '\na'],
    ['blank lines before', 'x\n\na\n', 'a', '\n\nA', '\n\na'],
    ['no more than the file has before', 'a\n', 'a', '\n\nA', 'a'],
    ['trailing blanks', 'a \t\n', 'a', 'A  ', 'a \t'],
  ])('%s', (_, text, visible, old, expected) => {
    expect(grown(text, visible, old)).toBe(expected);
  });

  it('takes the indentation along when asked', () => {
    expect(grown('  a\n  b\n', 'a\n  b', 'a\nb', true)).toBe('  a\n  b');
    expect(grown('x = a\n', 'a', 'A', true)).toBe('a');
  });
});
