import { describe, expect, it } from 'vitest';
import { linesOf } from '../../src/text/lines.ts';
import { numbered } from '../../src/text/snippet.ts';

describe('numbered', () => {
  it('is what cat -n prints, without the final newline', () => {
    expect(numbered(linesOf('a\r\n\tb\n\nc'), 1, 4)).toBe('     1\ta\n     2\t\tb\n     3\t\n     4\tc');
  });

  it('shows a range, also beyond a million lines', () => {
    const lines = linesOf('x\n'.repeat(1_000_001));
    expect(numbered(lines, 999_999, 1_000_000)).toBe('999999\tx\n1000000\tx');
    expect(numbered(lines, 2, 1)).toBe('');
    expect(() => numbered(linesOf('a\n'), 1, 2)).toThrow(RangeError);
  });

  it('goes on from the number of a part of a text', () => {
    expect(numbered(linesOf('a\nb\n'), 1, 2, { firstNumber: 99 })).toBe('    99\ta\n   100\tb');
  });

  it('cuts a long line with a notice, never inside a character', () => {
    expect(numbered(linesOf('abcdef\nab\n'), 1, 2, { maxLineLength: 4 })).toBe(
      '     1\tabcd… [2 more characters]\n     2\tab',
    );
    expect(numbered(linesOf('a😀b'), 1, 1, { maxLineLength: 2 })).toContain('\ta…');
  });
});
