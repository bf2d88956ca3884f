import { diffArrays } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CommonRun, commonRuns } from '../../../src/text/diff/shortest-edit.ts';

const UNBOUNDED = Number.POSITIVE_INFINITY;

/** What the package diff finds in common. */
function expected(old: number[], fresh: number[], maxEditLength: number): CommonRun[] | null {
  const changes = diffArrays(old, fresh, { maxEditLength });
  if (!changes) return null;
  const runs: CommonRun[] = [];
  let [oldStart, newStart] = [0, 0];
  for (const { added, removed, count } of changes) {
    if (!added && !removed) runs.push({ oldStart, newStart, count });
    if (!added) oldStart += count;
    if (!removed) newStart += count;
  }
  return runs;
}

describe('the shortest edit', () => {
  it('is the one that the package diff finds', () => {
    const few = (most: number) => fc.array(fc.nat({ max: 3 }), { maxLength: most });
    const rows = fc.oneof(
      fc.tuple(few(12), few(12)),
      fc.tuple(few(60), few(60)),
      fc.tuple(fc.array(fc.nat({ max: 40 }), { maxLength: 80 }), few(30)),
    );
    fc.assert(
      fc.property(rows, fc.option(fc.nat({ max: 20 })), ([old, fresh], most) => {
        const limit = most ?? UNBOUNDED;
        const runs = commonRuns(Uint32Array.from(old), Uint32Array.from(fresh), limit);
        expect(runs).toEqual(expected(old, fresh, limit));
      }),
      { numRuns: 3000 },
    );
  });

  it('of rows that were changed here and there is the one that the package diff finds', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 200 }), { minLength: 100, maxLength: 400 }),
        fc.array(fc.tuple(fc.nat(400), fc.nat(5), fc.array(fc.nat(200), { maxLength: 5 })), {
          maxLength: 20,
        }),
        (old, edits) => {
          const fresh = [...old];
          for (const [at, removed, added] of edits) fresh.splice(at, removed, ...added);
          const runs = commonRuns(Uint32Array.from(old), Uint32Array.from(fresh), UNBOUNDED);
          expect(runs).toEqual(expected(old, fresh, Number.POSITIVE_INFINITY));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is not looked for longer than allowed', () => {
    const [old, fresh] = [31, 53].map(step =>
      Uint32Array.from({ length: 20_000 }, (_, i) => (i * step) % 9973),
    );
    expect(commonRuns(old!, fresh!, 50)).toBeNull();
  });
});
