import { describe, expect, it } from 'vitest';
import { type FileDiff, joinedDiff } from '../../src/engine/file-diffs.ts';

const fileDiff = (diff: string): FileDiff => ({
  kind: 'modify',
  path: 'a.txt',
  from: null,
  before: null,
  after: null,
  added: 0,
  removed: 0,
  binary: false,
  diff,
  lines: [],
});

describe('joinedDiff', () => {
  it('is the diffs of all files, one after the other', () => {
    expect(joinedDiff([fileDiff('a\n'), fileDiff(''), fileDiff('b\n')])).toBe('a\nb\n');
    expect(joinedDiff([])).toBe('');
  });

  it('is refused where it would be longer than memory is worth', () => {
    const large = fileDiff('x'.repeat(160_000_000));
    expect(joinedDiff([large])).toHaveLength(160_000_000);
    expect(() => joinedDiff([large, large])).toThrow(
      expect.objectContaining({
        code: 'TOO_LARGE',
        data: { length: 320_000_000, limit: 300_000_000 },
      }),
    );
  });
});
