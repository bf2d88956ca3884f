import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../src/text/lines.ts';
import { occurrences } from '../../../src/text/search/match.ts';
import { surroundings } from '../../../src/text/search/surroundings.ts';
import { messyText } from '../../helpers/arbitrary.ts';
import { Branches } from '../../helpers/branches.ts';

function around(text: string, old: string, shown = 10) {
  const { count, places } = occurrences(text, old, 1000);
  return surroundings(linesOf(text), places, shown, count === places.length);
}

describe('surroundings', () => {
  it('gives line, column, the lines to show and the fewest lines that name the place', () => {
    const text = 'def a(t):\n    return validate(t)\n\ndef b(t):\n    return validate(t)\n';
    expect(around(text, 'validate(t)')).toEqual([
      { line: 2, endLine: 2, column: 12, shown: { from: 1, to: 4 }, unique: { from: 1, to: 2 } },
      { line: 5, endLine: 5, column: 12, shown: { from: 3, to: 5 }, unique: { from: 4, to: 5 } },
    ]);
  });

  it('needs no more than the line where the lines differ', () => {
    expect(around('a = x\nb = x\n', 'x').map(({ unique }) => unique)).toEqual([
      { from: 1, to: 1 },
      { from: 2, to: 2 },
    ]);
  });

  it('grows until the places differ', () => {
    const block = (name: string): string => `${name}\n1\n2\n3\n4\n5\nhere\n`;
    const [first] = around(block('A') + block('B'), 'here');
    expect(first).toMatchObject({ unique: { from: 7, to: 8 }, shown: { to: 9 } });
    const [, second] = around(`${block('A')}${block('B')}${block('B')}`, 'here');
    expect(second!.unique).toEqual({ from: 8, to: 20 });
  });

  it('knows nothing to tell places apart in a text that repeats itself', () => {
    const spots = around('x\n'.repeat(100), 'x');
    expect(spots.slice(3).every(({ unique }) => unique === null)).toBe(true);
    expect(spots.at(-1)!.shown).toEqual({ from: 8, to: 12 });
  });

  it('claims nothing when it did not see all places', () => {
    const text = 'a x\nb x\nc x\n';
    const { places } = occurrences(text, 'x', 2);
    expect(surroundings(linesOf(text), places, 2, false).map(({ unique }) => unique)).toEqual([null, null]);
  });

  it('names only texts that occur once', () => {
    const case_ = messyText.chain(text =>
      fc.record({ text: fc.constant(text), old: fc.constantFrom('a', 'foo', '\n', 'b', 'foo\n') }),
    );
    const branches = new Branches('named', 'nothing to name');
    fc.assert(
      fc.property(case_, ({ text, old }) => {
        const lines = linesOf(text);
        for (const { unique, line, endLine, shown } of around(text, old, 100)) {
          expect(shown.from <= line && shown.to >= endLine).toBe(true);
          branches.ran(unique === null || old.includes('\n') ? 'nothing to name' : 'named');
          if (unique === null) continue;
          const end = Math.max(lines.contentEnd(unique.to), 0);
          const named = text.slice(lines.start(unique.from), end);
          if (!old.includes('\n')) expect(occurrences(text, named, 100).count).toBe(1);
        }
      }),
      { numRuns: 300 },
    );
    branches.expectAll();
  });
});
