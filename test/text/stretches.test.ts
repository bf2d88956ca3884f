import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stretches } from '../../src/text/stretches.ts';
import { messyText } from './arbitrary.ts';

describe('stretches', () => {
  it('are the text, in whole lines, none longer than asked but a single line', () => {
    fc.assert(
      fc.property(messyText, fc.integer({ min: 1, max: 9 }), (text, size) => {
        const parts = [...stretches(text, size)];
        expect(parts.join('')).toBe(text);
        for (const part of parts.slice(0, -1)) expect(part.endsWith('\n')).toBe(true);
        for (const part of parts) expect(part.length <= size || !part.slice(0, -1).includes('\n')).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('hold as many lines as there is room for', () => {
    expect([...stretches('a\nb\nc\nlong line\nd', 4)]).toEqual(['a\nb\n', 'c\n', 'long line\n', 'd']);
  });
});
