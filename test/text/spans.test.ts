import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../src/text/lines.ts';
import { applySpans, lineMap, mapRange, orderedSpans, type Span } from '../../src/text/spans.ts';
import { messyText } from '../helpers/arbitrary.ts';
import { Branches } from '../helpers/branches.ts';

describe('applySpans', () => {
  it('puts texts in, in any order given', () => {
    const spans = [
      { start: 4, end: 5, text: 'E' },
      { start: 0, end: 1, text: '' },
      { start: 2, end: 2, text: '--' },
    ];
    expect(applySpans('abcdef', spans)).toBe('b--cdEf');
  });

  it('keeps the order of insertions at one place, and puts them before a replacement there', () => {
    const spans = [
      { start: 1, end: 2, text: 'R' },
      { start: 1, end: 1, text: '1' },
      { start: 1, end: 1, text: '2' },
    ];
    expect(applySpans('abc', spans)).toBe('a12Rc');
  });

  it('takes $& and the like as plain characters', () => {
    expect(applySpans('ab', [{ start: 0, end: 1, text: '$&$1\\0' }])).toBe('$&$1\\0b');
  });

  it.each([
    [
      'overlap',
      [
        { start: 0, end: 2, text: '' },
        { start: 1, end: 3, text: '' },
      ],
    ],
    [
      'an insertion inside a replacement',
      [
        { start: 0, end: 2, text: '' },
        { start: 1, end: 1, text: 'x' },
      ],
    ],
    [
      'the same range twice',
      [
        { start: 0, end: 2, text: '' },
        { start: 0, end: 2, text: '' },
      ],
    ],
    ['past the end', [{ start: 2, end: 9, text: '' }]],
    ['backwards', [{ start: 2, end: 1, text: '' }]],
    ['before the start', [{ start: -1, end: 1, text: '' }]],
  ])('refuses %s', (_, spans) => {
    expect(() => orderedSpans(spans, 4)).toThrow(RangeError);
  });
});

/** Some spans of a text that do not overlap, cut at random offsets. */
function spansOf(text: string): fc.Arbitrary<Span[]> {
  const put = fc.constantFrom('', 'x', 'x\n', '\n', 'y\r\nz\n', '\r');
  const cuts = fc.uniqueArray(fc.nat(text.length), { maxLength: 6 }).map(list => list.sort((a, b) => a - b));
  return fc.tuple(cuts, fc.array(put, { minLength: 6, maxLength: 6 })).map(([offsets, puts]) => {
    const spans: Span[] = [];
    for (let i = 0; i + 1 < offsets.length; i += 2) {
      spans.push({ start: offsets[i]!, end: offsets[i + 1]!, text: puts[i]! });
    }
    return offsets.length % 2 === 1
      ? [...spans, { start: offsets.at(-1)!, end: offsets.at(-1)!, text: puts[5]! }]
      : spans;
  });
}

const edited = messyText.chain(text => fc.tuple(fc.constant(text), spansOf(text)));

describe('lineMap', () => {
  it('says of each line where it is, exactly when none of it was touched and it is still a line', () => {
    const branches = new Branches('kept', 'touched');
    fc.assert(
      fc.property(edited, ([text, spans]) => {
        const before = linesOf(text);
        const after = linesOf(applySpans(text, spans));
        const map = lineMap(text, spans);
        for (let n = 1; n <= before.count; n++) {
          expect(map(n)).toBe(naiveLine(text, spans, n));
          const to = map(n);
          branches.ran(to === null ? 'touched' : 'kept');
          if (to !== null) expect(after.content(to)).toBe(before.content(n));
        }
        expect([map(0), map(before.count + 1)]).toEqual([0, after.count + 1]);
      }),
      { numRuns: 500 },
    );
    branches.expectAll();
  });

  it('knows no line outside the text', () => {
    expect([-1, 3, 1.5].map(lineMap('a\n', []))).toEqual([null, null, null]);
  });

  it('moves lines past an insertion and loses a changed line', () => {
    const map = lineMap('a\nb\nc\n', [{ start: 2, end: 2, text: 'x\ny\n' }]);
    expect([1, 2, 3].map(map)).toEqual([1, 4, 5]);
    expect(lineMap('a\nb\nc\n', [{ start: 2, end: 3, text: 'B' }])(2)).toBeNull();
    expect(lineMap('a\nb', [{ start: 3, end: 3, text: '\nc' }])(2)).toBe(2);
    expect(lineMap('a\nb', [{ start: 3, end: 3, text: 'c' }])(2)).toBeNull();
  });
});

/** Follows every unit of the line one by one. */
function naiveLine(text: string, spans: Span[], n: number): number | null {
  const before = linesOf(text);
  const after = linesOf(applySpans(text, spans));
  const [start, end] = [before.start(n), before.end(n)];
  const touched = spans.some(span => {
    return span.start === span.end
      ? span.start > start && span.start < end
      : span.start < end && span.end > start;
  });
  if (touched) return null;
  const shift = spans
    .filter(span => span.end <= start)
    .reduce((sum, span) => sum + span.text.length - (span.end - span.start), 0);
  for (let m = 1; m <= after.count; m++) {
    if (after.start(m) === start + shift && after.content(m) === before.content(n)) return m;
  }
  return null;
}

describe('mapRange', () => {
  it('maps a run of lines that stayed together', () => {
    const map = lineMap('a\nb\nc\nd\n', [{ start: 0, end: 0, text: 'x\n' }]);
    expect(mapRange(map, 2, 4)).toEqual({ start: 3, end: 5 });
  });

  it('refuses a run with a changed line or with new lines inside', () => {
    const inside = lineMap('a\nb\nc\n', [{ start: 2, end: 2, text: 'x\n' }]);
    expect([mapRange(inside, 1, 2), mapRange(inside, 2, 3)]).toEqual([null, { start: 3, end: 4 }]);
    const changed = lineMap('a\nb\nc\n', [{ start: 2, end: 3, text: 'B' }]);
    expect([mapRange(changed, 1, 3), mapRange(changed, 2, 2)]).toEqual([null, null]);
  });
});
