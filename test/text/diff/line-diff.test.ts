import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineDiff, splitLines } from '../../../src/text/diff/line-diff.ts';
import { messyText } from '../../helpers/arbitrary.ts';

describe('lineDiff', () => {
  it('makes the new lines of the old, with changes apart from each other', () => {
    fc.assert(
      fc.property(
        messyText,
        messyText,
        fc.constantFrom('\n', '\r' as const),
        (oldText, newText, lineBreak) => {
          const changes = lineDiff(oldText, newText, lineBreak);
          const oldLines = splitLines(oldText, lineBreak);
          const newLines = splitLines(newText, lineBreak);
          const made: string[] = [];
          let at = 0;
          for (const [i, change] of changes.entries()) {
            if (i > 0) expect(change.oldStart).toBeGreaterThan(changes[i - 1]!.oldEnd);
            made.push(
              ...oldLines.slice(at, change.oldStart),
              ...newLines.slice(change.newStart, change.newEnd),
            );
            expect(made.length).toBe(change.newEnd);
            at = change.oldEnd;
          }
          expect([...made, ...oldLines.slice(at)]).toEqual(newLines);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('finds as many common lines as there are', () => {
    const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n'), { maxLength: 8 });
    fc.assert(
      fc.property(text, text, (oldLines, newLines) => {
        const changes = lineDiff(oldLines.join(''), newLines.join(''));
        const changed = changes.reduce((sum, c) => sum + c.oldEnd - c.oldStart + c.newEnd - c.newStart, 0);
        expect(changed).toBe(oldLines.length + newLines.length - 2 * commonLength(oldLines, newLines));
      }),
    );
  });

  it('is cheap for a text rewritten as a whole', () => {
    const oldText = Array.from({ length: 50_000 }, (_, i) => `old ${i}\n`).join('');
    expect(lineDiff(oldText, oldText.replaceAll('old', 'new'))).toHaveLength(1);
  });
});

/** Longest common subsequence, by the book. */
function commonLength(a: string[], b: string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      table[i]![j] =
        a[i - 1] === b[j - 1] ? table[i - 1]![j - 1]! + 1 : Math.max(table[i - 1]![j]!, table[i]![j - 1]!);
    }
  }
  return table[a.length]![b.length]!;
}

it('does not look for common lines among millions', () => {
  const [before, after] = ['a\n'.repeat(2_500_000), 'b\n'.repeat(2_000_000)];
  expect(lineDiff(`x\n${before}y`, `x\n${after}y`)).toEqual([
    { oldStart: 1, oldEnd: 2_500_001, newStart: 1, newEnd: 2_000_001 },
  ]);
});

it('is one change where only one side has lines', () => {
  const text = 'one\ntwo\n'.repeat(100_000);
  const whole = { oldStart: 0, oldEnd: 0, newStart: 0, newEnd: 200_000 };
  expect(lineDiff('', text)).toEqual([whole]);
  const put = { oldStart: 1, oldEnd: 1, newStart: 1, newEnd: 200_001 };
  expect(lineDiff('a\nb\n', `a\n${text}b\n`)).toEqual([put]);
});
