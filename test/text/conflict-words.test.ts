import { describe, expect, it } from 'vitest';
import { regionWords } from '../../src/text/diff/merge.ts';

const region = (start_line: number, end_line: number, present: string, wanted: string) => {
  return { start_line, end_line, present, wanted };
};

describe('the places of a conflict', () => {
  it('are shown with what is there, numbered, and what is wanted, as it is to be sent', () => {
    expect(regionWords('a.txt', [region(9, 10, 'nine\nten\n', '  9\n')]).join('\n')).toBe(
      'a.txt, lines 9-10 now:\n     9\tnine\n    10\tten\nWanted there:\n```\n  9\n```',
    );
  });

  it('are told where lines are gone, or were to go', () => {
    expect(regionWords('a.txt', [region(9, 8, '', 'nine\n'), region(3, 3, 'three\n', '')])).toEqual([
      'a.txt, before line 9: the lines are gone.',
      'Wanted there:\n```\nnine\n```',
      'a.txt, line 3 now:\n     3\tthree',
      'Wanted there: nothing.',
    ]);
  });

  it('are shown in part where they are many or long, and it says so', () => {
    const long = `${'x'.repeat(5_000)}\n`.repeat(50);
    const words = regionWords('a.txt', Array(8).fill(region(1, 50, long, long))).join('\n');
    expect(words.length).toBeLessThan(60_000);
    expect(words).toContain('x… [4760 more characters]');
    expect(words).toContain('[30 more lines]');
    expect(words).toMatch(/\[and 3 more places in a\.txt\]$/);
  });
});
