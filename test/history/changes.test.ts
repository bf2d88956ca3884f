import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hunksOf, type RowHunk } from '../../src/history/changes.ts';

const rows = fc.array(fc.constantFrom('a', 'b', 'c', '', '\0name f', 'a longer row'), { maxLength: 20 });

function patched(old: readonly string[], hunks: readonly RowHunk[]): string[] {
  const rows = [...old];
  for (const [start, gone, ...put] of hunks.toReversed()) rows.splice(start, gone, ...put);
  return rows;
}

describe('hunks of rows', () => {
  it('make of the old rows the new ones, whatever both are', () => {
    fc.assert(
      fc.property(rows, rows, (old, fresh) => {
        expect(patched(old, hunksOf(old, fresh)!)).toEqual(fresh);
      }),
    );
  });

  it('tell only what differs', () => {
    const old = Array.from({ length: 1000 }, (_, n) => `row ${n}`);
    expect(hunksOf(old, old.with(3, 'three').toSpliced(900, 2))).toEqual([
      [3, 1, 'three'],
      [900, 2],
    ]);
    expect(hunksOf(old, old)).toEqual([]);
  });

  it('are not made of what is long', () => {
    expect(hunksOf(['one'], ['one', 'x'.repeat(4095)])).toBeDefined();
    expect(hunksOf(['one'], ['one', 'x'.repeat(4096)])).toBeUndefined();
  });
});
