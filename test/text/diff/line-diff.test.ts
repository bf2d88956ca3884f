import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineDiff, lineMap, splitLines } from '../../../src/text/diff/line-diff.ts';
import { type Lines, linesOf } from '../../../src/text/lines.ts';
import { mapRange } from '../../../src/text/spans.ts';
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

describe('lineMap', () => {
  it('says of each line where it is, exactly when nothing of it was changed', () => {
    fc.assert(
      fc.property(messyText, messyText, (was, now) => {
        const [before, after] = [linesOf(was), linesOf(now)];
        const map = lineMap(was, now);
        const whole = (lines: Lines, n: number): string => lines.text.slice(lines.start(n), lines.end(n));
        let last = 0;
        for (let n = 1; n <= before.count; n++) {
          const to = map(n);
          if (to === null) continue;
          expect([to > last, whole(after, to)]).toEqual([true, whole(before, n)]);
          last = to;
        }
        expect([map(0), map(before.count + 1)]).toEqual([0, after.count + 1]);
      }),
    );
  });

  it('knows no line outside the text', () => {
    expect([-1, 3, 1.5].map(lineMap('a\n', 'a\n'))).toEqual([null, null, null]);
  });

  it('moves lines past an insertion and loses a changed line', () => {
    expect([1, 2, 3].map(lineMap('a\nb\nc\n', 'a\nx\ny\nb\nc\n'))).toEqual([1, 4, 5]);
    expect([1, 2, 3].map(lineMap('a\nb\nc\n', 'a\nB\nc\n'))).toEqual([1, null, 3]);
    expect([1, 2].map(lineMap('a\nb', 'a\nbc'))).toEqual([1, null]);
  });

  it('maps a run of lines that stayed together, and none with a changed line or new lines inside', () => {
    expect(mapRange(lineMap('a\nb\nc\nd\n', 'x\na\nb\nc\nd\n'), 2, 4)).toEqual({ start: 3, end: 5 });
    const inside = lineMap('a\nb\nc\n', 'a\nx\nb\nc\n');
    expect([mapRange(inside, 1, 2), mapRange(inside, 2, 3)]).toEqual([null, { start: 3, end: 4 }]);
    const changed = lineMap('a\nb\nc\n', 'a\nB\nc\n');
    expect([mapRange(changed, 1, 3), mapRange(changed, 2, 2)]).toEqual([null, null]);
  });
});
