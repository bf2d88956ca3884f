import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endedContent, fittedSpan, lastLineIsOpen, wholeLineSpan } from '../../src/text/line-ends.ts';
import { type Lines, lineEndsFor, linesOf } from '../../src/text/lines.ts';
import { applySpans } from '../../src/text/spans.ts';
import { messyText } from '../helpers/arbitrary.ts';
import { Branches } from '../helpers/branches.ts';

/** `old` in `text` replaced by `put`. */
function replaced(text: string, old: string, put: string): string {
  const start = text.indexOf(old);
  const span = fittedSpan(linesOf(text), start, start + old.length, put);
  return span === null ? text : applySpans(text, [span]);
}

describe('fittedSpan', () => {
  it.each([
    ['a CRLF file', 'a\r\nb\r\n', 'b', 'x\ny', 'a\r\nx\r\ny\r\n'],
    ['CRLF into an LF file', 'a\nb\nc', 'b\nc', 'B\r\nC', 'a\nB\nC'],
    ['a lone-CR file', 'a\rb\rc\r', 'a\rb', 'x\ny', 'x\ry\rc\r'],
    ['a stray CR stays a character', 'p\rq\nr\n', 'r', 'x\ry', 'p\rq\nx\ry\n'],
    ['the replaced line of a mixed file', 'a\r\nb\nc\r\nd\n', 'b\n', 'b1\nb2\n', 'a\r\nb1\nb2\nc\r\nd\n'],
    ['the line that a part is replaced in', 'a\nb\r\n', 'b', '1\n2\n3', 'a\n1\r\n2\r\n3\r\n'],
    ['by position, then the last replaced', 'a\r\nb\nc\r\n', 'a\r\nb\n', '1\n2\n3\n', '1\r\n2\n3\nc\r\n'],
    ['an unended last line: the line before', 'a\r\nb', 'b', 'x\ny', 'a\r\nx\r\ny'],
    ['no line end in the file: as given', 'a', 'a', 'x\r\ny\n', 'x\r\ny\n'],
    ['unchanged lines keep their own', 'a\r\nb\nc\r\n', 'a\r\nb\nc\r\n', 'a\nX\nc\n', 'a\r\nX\nc\r\n'],
    ['a line put between two', 'a\r\nb\n', 'a\r\nb\n', 'a\nX\nb\n', 'a\r\nX\r\nb\n'],
    ['a line taken from between two', 'a\r\nb\nc\r\n', 'a\r\nb\nc\r\n', 'a\nc\n', 'a\r\nc\r\n'],
    ['$& is plain', 'a\n', 'a', '$&$1', '$&$1\n'],
  ])('%s', (_, text, old, put, expected) => {
    expect(replaced(text, old, put)).toBe(expected);
  });

  it('is null where only line ends would change', () => {
    expect(fittedSpan(linesOf('a\r\nb\r\n'), 0, 6, 'a\nb\n')).toBeNull();
    expect(fittedSpan(linesOf('a\n'), 1, 1, '')).toBeNull();
  });

  it('covers no line that stays', () => {
    expect(fittedSpan(linesOf('a\nb\nc\n'), 0, 6, 'a\nX\nc\n')).toEqual({ start: 2, end: 4, text: 'X\n' });
  });

  // A line whose content ends with a CR cannot be ended by LF: the two would be one CRLF.
  const placed = messyText.chain(text => {
    const offset = fc.nat(text.length).map(at => (text.slice(at - 1, at + 1) === '\r\n' ? at - 1 : at));
    const range = fc.tuple(offset, offset).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
    const put = messyText.filter(given => !given.includes('\r\r\n'));
    return fc.record({ text: fc.constant(text), range, put });
  });

  it('says what was asked, up to line ends, and stays inside the range', () => {
    fc.assert(
      fc.property(placed, ({ text, range: [start, end], put }) => {
        const span = fittedSpan(linesOf(text), start, end, put) ?? { start, end: start, text: '' };
        const lf = (part: string): string => part.replace(lineEndsFor(linesOf(text), put), '\n');
        const around = (from: number, to: number, inside: string) =>
          lf(text.slice(0, from)) + lf(inside) + lf(text.slice(to));
        expect(around(span.start, span.end, span.text)).toBe(around(start, end, put));
        expect(span.start >= start && span.end <= end).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('brings no other line end into a file with one kind', () => {
    const branches = new Branches('brings line ends');
    fc.assert(
      fc.property(placed, ({ text, range: [start, end], put }) => {
        const kinds = new Set(text.match(lineEndsFor(linesOf(text), put)));
        fc.pre(kinds.size === 1);
        const span = fittedSpan(linesOf(text), start, end, put);
        for (const lineEnd of span?.text.match(lineEndsFor(linesOf(text), put)) ?? []) {
          branches.ran('brings line ends');
          expect(kinds).toContain(lineEnd);
        }
      }),
      { numRuns: 500 },
    );
    branches.expectAll();
  });
});

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
