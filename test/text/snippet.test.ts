import { describe, expect, it } from 'vitest';
import { snippet } from '../../src/text/snippet.ts';

const ten = Array.from({ length: 10 }, (_, i) => `l${i + 1}\n`).join('');

describe('snippet', () => {
  it('shows the changed lines with those around them', () => {
    expect(snippet(ten, [{ start: 6, end: 6 }], { around: 1 })).toBe('     5\tl5\n     6\tl6\n     7\tl7');
  });

  it('shows four lines around by default, within the file', () => {
    expect(snippet(ten, [{ start: 2, end: 2 }]).split('\n')).toHaveLength(6);
  });

  it('joins ranges that touch and parts others', () => {
    const shown = snippet(
      ten,
      [
        { start: 1, end: 1 },
        { start: 3, end: 3 },
        { start: 9, end: 9 },
      ],
      { around: 1 },
    );
    expect(shown).toBe(
      [
        '     1\tl1',
        '     2\tl2',
        '     3\tl3',
        '     4\tl4',
        '...',
        '     8\tl8',
        '     9\tl9',
        '    10\tl10',
      ].join('\n'),
    );
  });

  it('shows the lines around a place where lines were removed', () => {
    expect(snippet(ten, [{ start: 4, end: 3 }], { around: 1 })).toBe('     3\tl3\n     4\tl4');
  });

  it('says what the limit left out', () => {
    expect(snippet(ten, [{ start: 1, end: 8 }], { around: 0, maxLines: 2 })).toBe(
      '     1\tl1\n     2\tl2\n... more lines of this change, to line 8',
    );
    expect(
      snippet(
        ten,
        [
          { start: 1, end: 2 },
          { start: 9, end: 9 },
        ],
        { around: 0, maxLines: 2 },
      ),
    ).toContain('... more changes from line 9 on');
  });

  it('has nothing to show of an empty text', () => {
    expect(snippet('', [{ start: 1, end: 0 }])).toBe('');
  });
});
