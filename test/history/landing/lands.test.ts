import { describe, expect, it } from 'vitest';
import { landsOf } from '../../../src/history/landing/lands.ts';
import { formatLands, parseLands } from '../../../src/history/landing/lands-trailer.ts';
import { rowOf, type TrailRow } from '../../../src/history/walk.ts';

const id = (n: number): string => n.toString(16).padStart(40, '0');

/** Commit n on top of n - 1, which is nothing for 1; of these numbers the outside changes. */
function chain(numbers: readonly number[], outside: readonly number[] = []): TrailRow[] {
  return numbers.map(n =>
    rowOf({
      commit: id(n),
      parents: n === 1 ? [] : [id(n - 1)],
      tree: id(0),
      subject: '',
      reason: '',
      author: { name: 'a', email: 'a', seconds: 0, offsetMinutes: 0 },
      time: 0,
      meta: { op: outside.includes(n) ? 'outside' : 'str_replace', paths: [] },
    }),
  );
}

const named = (entries: TrailRow[], ...chosen: number[]): string[] =>
  landsOf(entries, new Set(chosen.map(id))).map(({ after, last }) =>
    [after, last].flatMap(one => (one === null ? [] : [Number.parseInt(one, 16)])).join('..'),
  );

describe('what a landed commit names', () => {
  it('is single commits, and rows where there are several', () => {
    expect(named(chain([2, 3, 4, 5, 6]), 2, 4, 5, 6)).toEqual(['2', '3..6']);
    expect(named(chain([2, 3]), 2, 3)).toEqual(['1..3']);
    expect(named(chain([2, 3]))).toEqual([]);
  });

  it('are two where a row begins with the first commit of all, which stands on none', () => {
    expect(named(chain([1, 2, 3]), 1, 2, 3)).toEqual(['1', '1..3']);
    expect(named(chain([1, 2]), 1)).toEqual(['1']);
    expect(named(chain([1, 2, 3]), 2, 3)).toEqual(['1..3']);
  });

  it('are outside changes one by one, which do not break a row', () => {
    expect(named(chain([2, 3, 4, 5], [3]), 2, 4, 5)).toEqual(['1..5']);
    expect(named(chain([2, 3, 4], [3]), 2, 3, 4)).toEqual(['3', '1..4']);
  });

  it('is read from any message that holds it', () => {
    const lands = [
      { after: null, last: id(7) },
      { after: id(1), last: id(5) },
    ];
    const lines = lands.map(one => `Vedit-Lands: ${formatLands(one)}`).join('\n');
    expect(parseLands(`subject\n\n${lines}\n`)).toEqual(lands);
    expect(parseLands(`squashed\n\n    subject\n\n    ${lines.replace('\n', '\n    ')}\n\nmore\n`)).toEqual(
      lands,
    );
    expect(parseLands('subject\n\nVedit-Lands: abc\nSee Vedit-Lands: everything\n')).toEqual([]);
  });
});
