import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Lines, linesOf } from '../../src/text/lines.ts';
import { applySpans } from '../../src/text/spans.ts';
import { endedContent, lastLineIsOpen, wholeLineSpan } from '../../src/text/whole-lines.ts';
import { messyText } from '../helpers/arbitrary.ts';
import { Branches } from '../helpers/branches.ts';

function put(text: string, from: number, to: number, content: string): string {
  const span = wholeLineSpan(linesOf(text), from, to, content);
  return span === null ? text : applySpans(text, [span]);
}

describe('wholeLineSpan', () => {
  it.each([
    ['replaces', 'a\nb\nc\n', 2, 2, 'x', 'a\nx\nc\n'],
    ['deletes', 'a\nb\nc\n', 2, 3, '', 'a\n'],
    ['inserts at the top', 'a\n', 1, 0, 'x', 'x\na\n'],
    ['inserts at the end', 'a\n', 2, 1, 'x', 'a\nx\n'],
    ['adds no second line end', 'a\n', 2, 1, 'x\n', 'a\nx\n'],
    ['inserts a blank line', 'a\nb\n', 2, 1, '\n', 'a\n\nb\n'],
    ['ends an empty file', '', 1, 0, 'x', 'x\n'],
    ['as given in an empty file', '', 1, 0, 'x\r\ny', 'x\r\ny\r\n'],
    ['keeps an open end open: replaced', 'a\nb', 2, 2, 'c\n', 'a\nc'],
    ['keeps an open end open: inserted', 'a\nb', 3, 2, 'c\n', 'a\nb\nc'],
    ['keeps an open end open: CRLF', 'a\r\nb', 3, 2, 'c\nd\n', 'a\r\nb\r\nc\r\nd'],
    ['one open line', 'a', 2, 1, 'b', 'a\nb'],
    ['one open line, CRLF given', 'a', 2, 1, 'b\r\nc', 'a\r\nb\r\nc'],
    ['an open end may be blank only when ended', 'a\nb', 3, 2, '\n', 'a\nb\n\n'],
    ['an open end behind a blank last line', 'a\nb', 2, 2, 'c\n\n', 'a\nc\n\n'],
    ['before the open end', 'a\nb', 2, 1, 'x', 'a\nx\nb'],
    ['deletes the open end only', 'a\nb', 2, 2, '', 'a\n'],
    ['a lone-CR file', 'a\rb', 3, 2, 'c\nd', 'a\rb\rc\rd'],
  ])('%s', (_, text, from, to, content, expected) => {
    expect(put(text, from, to, content)).toBe(expected);
  });

  const contents = (lines: Lines): string[] =>
    Array.from({ length: lines.count }, (_, i) => lines.content(i + 1));
  const plainText = fc
    .tuple(
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.constantFrom('', 'a', 'b', '  c', 'd\re'), { maxLength: 6 }),
      fc.boolean(),
    )
    .map(([end, lines, open]) => lines.join(end) + (open ? '' : end));
  const run = messyText.chain(text => {
    const { count } = linesOf(text);
    const from = fc.integer({ min: 1, max: count + 1 });
    const length = fc.nat(count);
    return fc.record({ text: fc.constant(text), from, length, content: plainText });
  });

  it('puts exactly these lines in place of exactly those', () => {
    const branches = new Branches('open', 'ended');
    fc.assert(
      fc.property(run, ({ text, from, length, content }) => {
        const lines = linesOf(text);
        fc.pre(text === '' || (text.includes('\n') && !text.endsWith('\r')));
        const to = Math.min(lines.count, from + length - 1);
        const after = linesOf(put(text, from, to, content));
        const given =
          content === '' ? [] : contents(linesOf(`${content}${content.endsWith('\n') ? '' : '\n'}`));
        const kept = contents(lines);
        const expected = [...kept.slice(0, from - 1), ...given, ...kept.slice(to)];
        fc.pre(after.text.includes('\n'));
        expect(contents(after)).toEqual(expected);
        if (given.length === 0 || given.at(-1) === '') return;
        branches.ran(lastLineIsOpen(lines) ? 'open' : 'ended');
        expect(lastLineIsOpen(after)).toBe(lastLineIsOpen(lines));
      }),
      { numRuns: 500 },
    );
    branches.expectAll();
  });
});

describe('endedContent', () => {
  it('adds the kind of line end that the content has', () => {
    const lines = linesOf('x\n');
    expect(['a', 'a\n', 'a\r\nb'].map(content => endedContent(lines, content))).toEqual([
      'a\n',
      'a\n',
      'a\r\nb\r\n',
    ]);
    expect(endedContent(linesOf('x\r'), 'a\r')).toBe('a\r');
  });
});
