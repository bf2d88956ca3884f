import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fittedSpan } from '../../src/text/line-ends.ts';
import { lineEndsFor, linesOf } from '../../src/text/lines.ts';
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
