import { describe, expect, it } from 'vitest';
import { linesOf } from '../../src/text/lines.ts';
import { type LineRange, snippet } from '../../src/text/snippet.ts';

const twenty = Array.from({ length: 20 }, (_, i) => `l${i + 1}\n`).join('');

function shown(ranges: readonly LineRange[], maxLines = 60, text = twenty): string {
  return snippet(linesOf(text), ranges, { maxLines, maxLineLength: 500 }).text;
}

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `${String(from + i).padStart(6)}\tl${from + i}`);

describe('snippet', () => {
  it('shows the changed lines with four lines around them, within the file', () => {
    expect(shown([{ start: 6, end: 6 }])).toBe(numbered(2, 10).join('\n'));
    expect(shown([{ start: 2, end: 2 }])).toBe(numbered(1, 6).join('\n'));
  });

  it('joins ranges that touch and parts others', () => {
    const ranges = [1, 9, 20].map(line => ({ start: line, end: line }));
    expect(shown(ranges)).toBe([...numbered(1, 13), '...', ...numbered(16, 20)].join('\n'));
  });

  it('says which lines it shows', () => {
    const ranges = [1, 20].map(line => ({ start: line, end: line }));
    const limits = { maxLines: 60, maxLineLength: 500 };
    const expected = [
      { start: 1, end: 5 },
      { start: 16, end: 20 },
    ];
    expect(snippet(linesOf(twenty), ranges, limits).shown).toEqual(expected);
  });

  it('shows the lines around a place where lines were removed', () => {
    expect(shown([{ start: 6, end: 5 }])).toBe(numbered(2, 9).join('\n'));
  });

  it('says what the limit left out', () => {
    expect(shown([{ start: 1, end: 8 }], 2)).toBe(
      '     1\tl1\n     2\tl2\n... more lines of this change, to line 12',
    );
    const ranges = [1, 20].map(line => ({ start: line, end: line }));
    expect(shown(ranges, 5)).toContain('... more changes from line 16 on');
  });

  it('has nothing to show of an empty text', () => {
    expect(shown([{ start: 1, end: 0 }], 60, '')).toBe('');
  });
});
