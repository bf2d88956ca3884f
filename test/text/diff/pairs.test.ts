import { diffArrays } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairRows } from '../../../src/text/diff/pairs.ts';

const UNBOUNDED = Number.POSITIVE_INFINITY;

const texts = (row: readonly number[]): string[] => row.map(String);

/** The pairs, `[old, fresh]` each. */
function pairsOf(old: readonly number[], fresh: readonly number[], most: number): Array<[number, number]> {
  const { to } = pairRows(texts(old), texts(fresh), most);
  return [...to].flatMap((partner, at) => (partner < 0 ? [] : [[at, partner]]));
}

/** What the package diff finds in common; `null` where it gives up. It looks at what both rows have, as we do. */
function expected(old: number[], fresh: number[], maxEditLength: number): Array<[number, number]> | null {
  const [ours, theirs] = [old, fresh].map((row, n) =>
    [...row.keys()].filter(at => (n === 0 ? fresh : old).includes(row[at]!)),
  );
  const changes = diffArrays(
    ours!.map(at => old[at]),
    theirs!.map(at => fresh[at]),
    { maxEditLength },
  );
  if (!changes) return null;
  const pairs: Array<[number, number]> = [];
  let [from, to] = [0, 0];
  for (const { added, removed, count } of changes) {
    if (!added && !removed) for (let n = 0; n < count; n++) pairs.push([ours![from + n]!, theirs![to + n]!]);
    if (!added) from += count;
    if (!removed) to += count;
  }
  return pairs;
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
/** None of them is there once, and the two rows agree nowhere for long. */
const repeated = (step: number): number[] => upTo(300).map(n => 10_000 + ((n * step) % 97));

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
        const wanted = expected(old, fresh, limit);
        expect(pairRows(texts(old), texts(fresh), limit).isShortest).toBe(wanted !== null);
        if (wanted) expect(pairsOf(old, fresh, limit)).toEqual(wanted);
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
          expect(pairsOf(old, fresh, UNBOUNDED)).toEqual(expected(old, fresh, UNBOUNDED));
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('pairs within limits', () => {
  it('are of equal rows, in order and apart, however little is searched', () => {
    const row = fc.array(fc.nat({ max: 25 }), { maxLength: 40 });
    fc.assert(
      fc.property(row, row, fc.nat({ max: 6 }), (old, fresh, most) => {
        let last = -1;
        for (const [at, to] of pairsOf(old, fresh, most)) {
          expect([old[at], to > last]).toEqual([fresh[to], true]);
          last = to;
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('of rows that differ everywhere hold all that both have once, in parts that are searched', () => {
    const old = upTo(3000);
    const fresh = old.flatMap(n => (n % 3 === 0 ? [n, 2] : n % 3 === 1 ? [1, n] : [0]));
    expect(pairsOf(old, fresh, 20).length).toBeGreaterThanOrEqual(1998);
  });

  it('follow the order in which most agrees, when a part was moved', () => {
    const [moved, others] = [upTo(100), upTo(400).map(n => n + 1000)];
    expect(pairsOf([...moved, ...others], [...others, ...moved], 20)).toHaveLength(400);
    expect(pairsOf([...others, ...moved], [...moved, ...others], 20)).toHaveLength(400);
  });

  it('are found again in a part whose rows are rare only there', () => {
    const noise = (step: number): number[] => upTo(40).map(n => 10_000 + ((n * step * n) % 7));
    const found = pairsOf(
      [...noise(2), 1, 2, 3, ...noise(3), 5000, 1, 2, 3],
      [...noise(4), 1, 2, 3, ...noise(5), 5000, 1, 2, 3],
      10,
    );
    expect(found.filter(([at]) => at >= 40 && at < 43)).toHaveLength(3);
    expect(found.length).toBeGreaterThanOrEqual(7);
  });

  it('give up one part', () => {
    const [old, fresh] = [
      [...repeated(31), 1, 2, 3, 4, 5],
      [...repeated(53), 1, 2, 3, 4, 5],
    ];
    const found = pairsOf(old, fresh, 20);
    expect(found.slice(-5)).toEqual([300, 301, 302, 303, 304].map(at => [at, at]));
    expect(found.length).toBeLessThan(100);
  });

  it('keep what both have once and what is beside it, where no part is searched', () => {
    expect(pairsOf([1, 7, 8, 3], [1, 7, 7, 8, 3], 0)).toEqual([
      [0, 0],
      [1, 1],
      [2, 3],
      [3, 4],
    ]);
  });
});
