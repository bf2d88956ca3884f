import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EditError } from '../../src/errors.ts';
import { checkLine, checkLineRange, lineEndsFor, linesOf } from '../../src/text/lines.ts';
import { messyText, naiveLines } from '../helpers/arbitrary.ts';

const contents = (text: string): string[] => {
  const lines = linesOf(text);
  return Array.from({ length: lines.count }, (_, i) => lines.content(i + 1));
};

describe('linesOf', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\n\n', ['a', '']],
    ['\n', ['']],
    ['a\r\nb\n', ['a', 'b']],
    ['a\rb\rc', ['a', 'b', 'c']],
    ['a\r\r', ['a', '']],
    ['p 10%\rp 90%\rdone\nnext\n', ['p 10%\rp 90%\rdone', 'next']],
    ['a\r\r\nb', ['a\r', 'b']],
    ['a\u2028b\fc\u0085d\n', ['a\u2028b\fc\u0085d']],
  ])('%j', (text, expected) => {
    expect(contents(text)).toEqual(expected);
  });

  it('agrees with the rule told naively', () => {
    fc.assert(
      fc.property(messyText, text => {
        const lines = linesOf(text);
        const whole = naiveLines(text);
        expect(lines.count).toBe(whole.length);
        let at = 0;
        for (const [i, line] of whole.entries()) {
          const n = i + 1;
          expect([lines.start(n), lines.end(n)]).toEqual([at, at + line.length]);
          expect(lines.content(n) + lines.ending(n)).toBe(line);
          expect(lines.contentEnd(n)).toBe(at + line.length - lines.ending(n).length);
          expect(lines.ending(n)).toBe(line.match(text.includes('\n') ? /\r?\n$/ : /\r$/)?.[0] ?? '');
          for (let offset = at; offset < at + line.length; offset++) expect(lines.lineAt(offset)).toBe(n);
          at += line.length;
        }
        expect(lines.lineAt(text.length)).toBe(whole.length);
      }),
    );
  });

  it('knows what closes its lines', () => {
    const breaks = ['a\nb\r', 'a\r\n', 'a\rb', 'a\r', 'a', ''].map(text => linesOf(text).lineBreak);
    expect(breaks).toEqual(['\n', '\n', '\r', '\r', '', '']);
  });

  it('refuses numbers outside the text', () => {
    const lines = linesOf('a\nb\n');
    for (const n of [0, 3, -1, 1.5]) expect(() => lines.start(n)).toThrow(RangeError);
    expect(() => linesOf('').end(1)).toThrow(RangeError);
  });

  it('takes a million lines', () => {
    const lines = linesOf('x\n'.repeat(1_000_000));
    expect([lines.count, lines.start(1_000_000), lines.lineAt(1_000_001)]).toEqual([
      1_000_000, 1_999_998, 500_001,
    ]);
  });
});

describe('lineEndsFor', () => {
  const split = (file: string, text: string): string[] => text.split(lineEndsFor(linesOf(file), text));

  it('counts a lone CR only where the file does', () => {
    expect(split('x\n', 'a\rb\nc\r\nd')).toEqual(['a\rb', 'c', 'd']);
    expect(split('x\r', 'a\rb\nc\r\nd')).toEqual(['a', 'b', 'c', 'd']);
  });

  it('asks the text where the file has no line end', () => {
    expect(split('x', 'a\rb')).toEqual(['a', 'b']);
    expect(split('', 'a\rb\n')).toEqual(['a\rb', '']);
  });
});

const lines = linesOf('a\nb\nc\n');
const range = (start: number, end: number) => () =>
  checkLineRange('f', lines, ['start_line', start], ['end_line', end]);

describe('checkLineRange', () => {
  it('lets the lines of the file pass', () => {
    expect(range(1, 3)).not.toThrow();
    expect(range(2, 2)).not.toThrow();
  });

  it.each([
    [0, 1, { field: 'start_line', line: 0, min: 1, max: 3 }],
    [4, 4, { field: 'start_line', line: 4, min: 1, max: 3 }],
    [2, 4, { field: 'end_line', line: 4, min: 2, max: 3 }],
    [3, 1, { field: 'end_line', line: 1, min: 3, max: 3 }],
  ])('refuses %i to %i', (start, end, data) => {
    expect(range(start, end)).toThrow(EditError);
    try {
      range(start, end)();
    } catch (error) {
      expect((error as EditError).code).toBe('LINE_OUT_OF_RANGE');
      expect((error as EditError).data).toEqual({ ...data, path: 'f', line_count: 3 });
    }
  });
});

describe('checkLine', () => {
  const valid = { path: 'f', lines: linesOf(''), advice: 'Do this.' };

  it('says which numbers are valid, and what to do', () => {
    const message = (min: number, max: number) => {
      try {
        checkLine('line', 7, { ...valid, min, max });
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    expect(message(0, 3)).toBe('line 7 is out of range: f has no lines, so valid is 0 to 3. Do this.');
    expect(message(0, 0)).toContain('only 0 is valid');
    expect(message(1, 0)).toContain('no number is valid');
  });
});
