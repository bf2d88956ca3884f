import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CommonRun, commonRuns } from '../../../src/text/diff/shortest-edit.ts';
import { boundedRuns } from '../../../src/text/diff/unique-anchors.ts';

const ALWAYS = Number.POSITIVE_INFINITY;

/** The runs, those that touch as one. */
function runsOf(old: readonly number[], fresh: readonly number[], most: number): CommonRun[] {
  const joined: CommonRun[] = [];
  for (const run of boundedRuns(Uint32Array.from(old), Uint32Array.from(fresh), 20_000, most)) {
    const last = joined.at(-1);
    const touches = last && last.oldStart + last.count === run.oldStart;
    if (touches && last.newStart + last.count === run.newStart) last.count += run.count;
    else joined.push({ ...run });
  }
  return joined;
}

function commonCount(runs: readonly CommonRun[]): number {
  return runs.reduce((sum, { count }) => sum + count, 0);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
/** None of them is there once, and the two rows agree nowhere for long. */
const repeated = (step: number): number[] => upTo(300).map(n => 10_000 + ((n * step) % 97));

describe('common runs within limits', () => {
  it('are in both rows, in order and apart, however little is searched', () => {
    const row = fc.array(fc.nat({ max: 25 }), { maxLength: 40 });
    fc.assert(
      fc.property(row, row, fc.nat({ max: 6 }), (old, fresh, most) => {
        let [oldEnd, newEnd] = [0, 0];
        for (const { oldStart, newStart, count } of runsOf(old, fresh, most)) {
          expect([count > 0, oldStart >= oldEnd, newStart >= newEnd]).toEqual([true, true, true]);
          expect(old.slice(oldStart, oldStart + count)).toEqual(fresh.slice(newStart, newStart + count));
          [oldEnd, newEnd] = [oldStart + count, newStart + count];
        }
        expect(Math.max(oldEnd - old.length, newEnd - fresh.length)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('are those of the shortest edit where that is found', () => {
    const row = fc.array(fc.nat({ max: 5 }), { maxLength: 20 });
    fc.assert(
      fc.property(row, row, (old, fresh) => {
        const runs = commonRuns(Uint32Array.from(old), Uint32Array.from(fresh), ALWAYS);
        expect(runsOf(old, fresh, ALWAYS)).toEqual(runs);
      }),
    );
  });

  it('of rows that differ everywhere hold all that both have once, in parts that are searched', () => {
    const old = upTo(3000);
    const fresh = old.flatMap(n => (n % 3 === 0 ? [n, 15_000] : n % 3 === 1 ? [16_000, n] : [17_000]));
    const found = runsOf(old, fresh, 20);
    expect(commonCount(found)).toBe(2000);
  });

  it('follow the order in which most agrees, when a part was moved', () => {
    const [moved, others] = [upTo(100), upTo(400).map(n => n + 1000)];
    expect(commonCount(runsOf([...moved, ...others], [...others, ...moved], 20))).toBe(400);
    expect(commonCount(runsOf([...others, ...moved], [...moved, ...others], 20))).toBe(400);
  });

  it('are found again in a part whose numbers are rare only there', () => {
    const noise = (step: number): number[] => upTo(40).map(n => 10_000 + ((n * step * n) % 7));
    const found = runsOf(
      [...noise(2), 1, 2, 3, ...noise(3), 5000, 1, 2, 3],
      [...noise(4), 1, 2, 3, ...noise(5), 5000, 1, 2, 3],
      10,
    );
    const isMiddleFound = found.some(({ oldStart, count }) => oldStart <= 40 && oldStart + count >= 43);
    expect([isMiddleFound, commonCount(found) >= 7]).toEqual([true, true]);
  });

  it('give up one part', () => {
    const found = runsOf([...repeated(31), 1, 2, 3, 4, 5], [...repeated(53), 1, 2, 9, 4, 5], 20);
    expect(found.slice(-2)).toEqual([
      { oldStart: 300, newStart: 300, count: 2 },
      { oldStart: 303, newStart: 303, count: 2 },
    ]);
  });

  it('keep what both have once and what is beside it, where no part is searched', () => {
    expect(runsOf([1, 2, 7, 8, 3], [1, 9, 7, 7, 8, 3], 0)).toEqual([
      { oldStart: 0, newStart: 0, count: 1 },
      { oldStart: 2, newStart: 3, count: 3 },
    ]);
  });

  it('search no part any more after very many steps, whatever time they took', () => {
    const noise = (step: number): number[] => upTo(250).map(n => 100 + ((n * step) % 7));
    const [parts, easy] = [upTo(6000), { old: [1, 2, 1], fresh: [2, 1, 2] }];
    const old = [...easy.old, ...parts.flatMap(n => [1000 + n, ...noise(3)]), 9999, ...easy.old];
    const fresh = [...easy.fresh, ...parts.flatMap(n => [1000 + n, ...noise(5)]), 9999, ...easy.fresh];
    const runs = runsOf(old, fresh, 100);
    expect([runs[0], runs.at(-1)]).toEqual([
      { oldStart: 1, newStart: 0, count: 2 },
      { oldStart: old.length - 4, newStart: fresh.length - 4, count: 1 },
    ]);
  });
});
