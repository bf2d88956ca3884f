import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as diff from '../../../../../src/surfaces/web/page/model/diff.ts';
import { unifiedDiff } from '../../../../../src/text/diff/diff.ts';
import { Branches } from '../../../../helpers/branches.ts';

/** Lines that look like parts of a diff, hide, or end in their own ways. */
const line = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '-',
    '+',
    '--- a',
    '+++ b',
    '@@ -1 +1 @@',
    '\\ No newline at end of file',
    'diff --git a b',
  ),
  fc.constantFrom('a', 'b', 'c', 'a\r', '\u2028', '\ud83d\ude00x', '\ud83d\ude01x'),
  fc.string({ unit: 'binary', maxLength: 8 }).map(text => text.replaceAll('\n', '')),
);
const text = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
  .map(([lines, ended]) => (lines.length === 0 ? '' : lines.join('\n') + (ended ? '\n' : '')));

function hunksOf(oldText: string, newText: string): ReturnType<typeof diff.parse> {
  return diff.parse(unifiedDiff({ oldPath: 'a', newPath: 'a', oldText, newText }).text);
}

describe('a diff', () => {
  it('as a whole gives both texts, with their line numbers', () => {
    fc.assert(
      fc.property(text, text, (old, now) => {
        const rows = diff.whole(diff.lines(now), hunksOf(old, now));
        const before = rows.filter(row => row.sign !== '+');
        const after = rows.filter(row => row.sign !== '-');
        expect([before.map(row => row.text).join(''), after.map(row => row.text).join('')]).toEqual([
          old,
          now,
        ]);
        expect(before.map(row => row.old)).toEqual(before.map((_, at) => at + 1));
        expect(after.map(row => row.now)).toEqual(after.map((_, at) => at + 1));
      }),
    );
  });

  it('marks in a replaced line what is different, never half of a character', () => {
    const branches = new Branches('marked');
    fc.assert(
      fc.property(line, line, line, line, (lead, a, b, tail) => {
        const rows = hunksOf(`${lead}${a}${tail}\n`, `${lead}${b}${tail}\n`).flatMap(hunk => hunk.rows);
        for (const { text, marks = [] } of rows) {
          if (!text.isWellFormed()) continue;
          for (const [from, to] of marks) {
            branches.ran('marked');
            expect(from).toBeLessThan(to);
            expect(text.slice(from, to).isWellFormed()).toBe(true);
          }
        }
        // What is not marked is the same in both.
        const rest = rows
          .filter(({ marks }) => marks)
          .map(({ text, marks }) =>
            marks!.reduceRight((all, [from, to]) => all.slice(0, from) + all.slice(to), text),
          );
        expect(new Set(rest).size).toBeLessThanOrEqual(1);
      }),
    );
    branches.expectAll();
  });

  it('marks the changed words alone, and nothing in lines that have little in common', () => {
    const marks = (old: string, now: string): Array<string[] | undefined> =>
      hunksOf(old, now)
        .flatMap(hunk => hunk.rows)
        .map(({ text, marks }) => marks?.map(([from, to]) => text.slice(from, to)));
    expect(marks('const rate = 0.2;\n', 'const rate = 0.25;\n')).toEqual([['2'], ['25']]);
    expect(marks('let a = f(one, two);\n', 'let b = f(one, three);\n')).toEqual([
      ['a', 'two'],
      ['b', 'three'],
    ]);
    expect(marks('import a from b\n', 'let x = 1;\n')).toEqual([undefined, undefined]);
  });
});
