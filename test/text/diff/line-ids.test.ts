import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineIds, splitLines, type TextPart } from '../../../src/text/diff/line-diff.ts';
import { messyText } from '../../helpers/arbitrary.ts';

const whole = (text: string): TextPart => ({ text, from: 0, to: text.length });

describe('lineIds', () => {
  it('gives equal lines the same number, and others another one', () => {
    fc.assert(
      fc.property(
        messyText,
        messyText,
        fc.constantFrom('\n', '\r' as const),
        (oldText, newText, lineBreak) => {
          const ids = lineIds(whole(oldText), whole(newText), lineBreak);
          const lines = [...splitLines(oldText, lineBreak), ...splitLines(newText, lineBreak)];
          const distinct = [...new Set(lines)];
          expect([...ids.old, ...ids.new]).toEqual(lines.map(line => distinct.indexOf(line)));
          expect(ids.count).toBe(distinct.length);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('tells very many lines apart', () => {
    const text = Array.from({ length: 200_000 }, (_, n) => `${n}\n`).join('');
    const { old, new: fresh, count } = lineIds(whole(text), whole(text), '\n');
    expect([old.length, count]).toEqual([200_000, 200_000]);
    expect(fresh).toEqual(old);
  });
});
