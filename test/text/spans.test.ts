import { describe, expect, it } from 'vitest';
import { applySpans, orderedSpans } from '../../src/text/spans.ts';

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
