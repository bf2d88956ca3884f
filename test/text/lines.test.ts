import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineEndsFor, linesOf } from '../../src/text/lines.ts';
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
