import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../src/text/lines.ts';
import { align, linesGiven } from '../../../src/text/search/align.ts';
import { looseKey, looseText } from '../../../src/text/search/loose.ts';

const file = looseText(linesOf('one\ntwo\nthree\nfour\nfive\n'), 1e6, 1e6);
const aligned = (old: string, start: number) => align(linesGiven(old).map(looseKey), file, start);

describe('align', () => {
  it('lays equal lines side by side', () => {
    expect(aligned('two\n  three', 2)).toEqual({
      start: 2,
      end: 3,
      gaps: [],
      same: [
        [0, 2],
        [1, 3],
      ],
    });
  });

  it('lets the outer lines be parts of lines', () => {
    expect(aligned('wo\nthree\nfo', 2).gaps).toEqual([]);
    expect(aligned('two\nthr\nfour', 2).gaps).toHaveLength(1);
  });

  it.each([
    ['a line that the file has more', 'two\nfour', { oldStart: 1, oldEnd: 1, fileStart: 3, fileEnd: 4 }, 4],
    [
      'a line that the old text has more',
      'two\nnew\nthree',
      { oldStart: 1, oldEnd: 2, fileStart: 3, fileEnd: 3 },
      3,
    ],
    ['another line', 'two\nnew\nfour', { oldStart: 1, oldEnd: 2, fileStart: 3, fileEnd: 4 }, 4],
    [
      'a last line that is not there',
      'four\nfive\nsix',
      { oldStart: 2, oldEnd: 3, fileStart: 6, fileEnd: 6 },
      5,
    ],
  ])('finds %s', (_, old, gap, end) => {
    const found = aligned(old, old.startsWith('four') ? 4 : 2);
    expect([found.gaps, found.end]).toEqual([[gap], end]);
  });

  it('begins below line 1 where the old text has lines before it', () => {
    expect(aligned('zero\none\ntwo', 0)).toMatchObject({
      start: 1,
      end: 2,
      gaps: [{ oldStart: 0, oldEnd: 1, fileStart: 1, fileEnd: 1 }],
    });
  });
});
