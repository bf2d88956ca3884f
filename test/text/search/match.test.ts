import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Occurrences, occurrences, type TextRange } from '../../../src/text/search/match.ts';
import { messyText } from '../../helpers/arbitrary.ts';
import { Branches } from '../../helpers/branches.ts';

/** Line ends as one token each, every other unit by itself. */
function tokens(text: string, lineEnd: RegExp): Array<{ token: string; start: number; end: number }> {
  const pattern = new RegExp(`${lineEnd.source}|[^]`, 'g');
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => {
    const token = new RegExp(`^(?:${lineEnd.source})$`).test(found) ? '<end>' : found;
    return { token, start: index, end: index + found.length };
  });
}

function naive(text: string, old: string): TextRange[] {
  const lone = text.includes('\r') && !text.includes('\n');
  const lineEnd = lone ? /\r\n|\n|\r/ : /\r\n|\n/;
  const there = tokens(text, lineEnd);
  const wanted = tokens(old, lineEnd);
  const places: TextRange[] = [];
  for (let i = 0; i + wanted.length <= there.length; i++) {
    if (!wanted.every(({ token }, k) => there[i + k]!.token === token)) continue;
    places.push({ start: there[i]!.start, end: there[i + wanted.length - 1]!.end });
  }
  return places;
}

const part = messyText.chain(text =>
  fc
    .tuple(fc.nat(text.length), fc.nat(12))
    .map(([at, length]) => ({ text, old: text.slice(at, at + length) })),
);
const unrelated = fc.record({
  text: messyText,
  old: fc.constantFrom('a', '\n', '\r\n', '\r', 'a\nb', '\nfoo', 'r\r\n'),
});
const sample = fc.oneof(part, unrelated).filter(({ old }) => old !== '');

describe('occurrences', () => {
  it('finds what a naive search finds, whichever line ends', () => {
    const branches = new Branches('found', 'found with other line ends');
    fc.assert(
      fc.property(sample, ({ text, old }) => {
        const places = naive(text, old);
        expect(occurrences(text, old, 100)).toEqual({ count: places.length, places });
        const swapped = old.includes('\r\n') ? old.replaceAll('\r\n', '\n') : old.replaceAll('\n', '\r\n');
        if (places.length > 0) branches.ran('found');
        if (!text.includes('\n') || old.startsWith('\n')) return;
        const others = naive(text, swapped);
        if (swapped !== old && others.length > 0) branches.ran('found with other line ends');
        expect(occurrences(text, swapped, 100).places).toEqual(others);
      }),
      { numRuns: 500 },
    );
    branches.expectAll();
  });

  it.each([
    ['aaa', 'aa', [0, 1]],
    ['a\r\nb\r\n', 'a\nb', [0]],
    ['a\nb\n', 'a\r\nb', [0]],
    ['a\rb\rc\r', 'a\nb', [0]],
    ['a\rb\n', 'a\nb', []],
    ['a\r\nb', 'a\r', []],
    ['a\r\r\nb', 'a\r\r\n', [0]],
    ['x$1y', '$1', [1]],
  ])('%j in %j', (text, old, starts) => {
    expect(occurrences(text, old, 100).places.map(place => place.start)).toEqual(starts);
  });

  it('takes in the whole CRLF at both ends', () => {
    expect(occurrences('a\r\nb\r\nc', '\nb\n', 100).places).toEqual([{ start: 1, end: 6 }]);
  });

  it('counts all and lists the first', () => {
    expect(occurrences('a'.repeat(50), 'aa', 2)).toEqual({
      count: 49,
      places: [
        { start: 0, end: 2 },
        { start: 1, end: 3 },
      ],
    });
  });

  it('finds the same in a long text, where it does not look at any part twice', () => {
    const unit = 'abaababaabaab';
    const text = `${unit.repeat(200_000)}x${unit.repeat(10)}`;
    const old = unit.repeat(5);
    const starts = [...text.matchAll(new RegExp(`(?=${old})`, 'g'))].map(match => match.index);
    const found = occurrences(text, old, 1_000_000);
    expect(found.count).toBe(starts.length);
    expect(found.places.map(place => place.start)).toEqual(starts);
  });

  it.each([
    ['the same unit over and over', 'a'.repeat(4_000_000), 'a'.repeat(1_000_000), 3_000_001],
    ['a pattern that fails at its start', 'a'.repeat(4_000_000), `b${'a'.repeat(1_000_000)}`, 0],
    ['a pattern that fails at its end', 'a'.repeat(4_000_000), `${'a'.repeat(1_000_000)}b`, 0],
    ['a pattern longer than the text', 'a'.repeat(1000), 'a'.repeat(4_000_000), 0],
  ])('comes to an end: %s', (_, text, old, count) => {
    expect(occurrences(text, old, 1).count).toBe(count);
  });

  it('refuses to look for nothing', () => {
    expect(() => occurrences('a', '', 100)).toThrow(RangeError);
  });
});

describe('occurrences apart', () => {
  const separate = (text: string, old: string, limit = 100): Occurrences =>
    occurrences(text, old, limit, 'apart');

  it('takes places from left to right that do not overlap', () => {
    const starts = (text: string, old: string) => separate(text, old).places.map(place => place.start);
    expect([starts('aaaaa', 'aa'), starts('abcabc', 'abc')]).toEqual([
      [0, 2],
      [0, 3],
    ]);
    expect(separate('aaaaa', 'aa', 1)).toEqual({ count: 2, places: [{ start: 0, end: 2 }] });
  });

  it('is what replacing all replaces', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 30 }),
        fc.constantFrom('a', 'aa', 'aba'),
        (text, old) => {
          const { places } = separate(text, old);
          const pieces = places.map(({ start }, i) => `${text.slice(places[i - 1]?.end ?? 0, start)}X`);
          expect(pieces.join('') + text.slice(places.at(-1)?.end ?? 0)).toBe(text.replaceAll(old, 'X'));
        },
      ),
    );
  });
});
