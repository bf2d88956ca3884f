import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { align } from '../../../src/text/diff/alignment.ts';

/** The pairs, as `old>fresh`. */
function pairs(old: readonly string[], fresh: readonly string[], prefers?: (at: number) => boolean): string {
  const found = [...align(old, fresh, prefers).to].map((to, at) => (to < 0 ? '' : `${at}>${to}`));
  return found.filter(Boolean).join(' ');
}

/** How many rows the longest common subsequence has, by the book. */
function longest(old: readonly string[], fresh: readonly string[]): number {
  let below = new Array<number>(fresh.length + 1).fill(0);
  for (const token of [...old].reverse()) {
    const row = [...below];
    for (let j = fresh.length - 1; j >= 0; j--)
      row[j] = token === fresh[j] ? below[j + 1]! + 1 : Math.max(below[j]!, row[j + 1]!);
    below = row;
  }
  return below[0]!;
}

const row = (letters: string): string[] => [...letters];
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe('pairs of equal rows', () => {
  const few = fc.array(fc.constantFrom('a', 'b', 'c', '}'), { maxLength: 30 });
  const lots = fc.array(fc.nat({ max: 5 }).map(String), { minLength: 260, maxLength: 300 });

  it.each([
    ['small', few, few, 300],
    ['large', lots, lots, 30],
  ] as const)(
    'are equal, ascending and apart, and slide only onto equal ones: %s',
    (_, one, other, numRuns) => {
      fc.assert(
        fc.property(one, other, fc.func(fc.boolean()), (old, fresh, prefers) => {
          let last = -1;
          for (const [at, to] of align(old, fresh, prefers).to.entries()) {
            if (to < 0) continue;
            expect([old[at], to > last]).toEqual([fresh[to], true]);
            last = to;
          }
        }),
        { numRuns },
      );
    },
  );

  it('are as many as there can be in small lists, whatever is preferred', () => {
    fc.assert(
      fc.property(few, few, fc.func(fc.boolean()), (old, fresh, prefers) => {
        const { to } = align(old, fresh, prefers);
        expect(to.filter(one => one >= 0)).toHaveLength(longest(old, fresh));
      }),
      { numRuns: 500 },
    );
  });

  it('are those that are preferred, of several equal ones', () => {
    const prefers =
      (...wanted: number[]) =>
      (at: number) =>
        wanted.includes(at);
    expect(pairs(row('xx'), row('x'))).toBe('0>0');
    expect(pairs(row('xx'), row('x'), prefers(1))).toBe('1>0');
    expect(pairs(row('axbxc'), row('axc'), prefers(3))).toBe('0>0 3>1 4>2');
    expect(pairs(row('xyxy'), row('xy'), prefers(2, 3))).toBe('2>0 3>1');
    expect(pairs(row('axyxyb'), row('axyb'), prefers(1, 2))).toBe('0>0 1>1 2>2 5>3');
    // More pairs go before preferred ones.
    expect(pairs(row('xyzx'), row('xyz'), prefers(3))).toBe('0>0 1>1 2>2');
  });

  it('are those that are preferred in large lists too, where a run without partners can slide onto others', () => {
    const around = upTo(70_000).map(n => `row ${n}`);
    const old = [...around, ...row('{}{}'), ...around.map(one => `${one} again`)];
    const fresh = [...around.map(one => `${one}!`), ...row('{}'), ...around.map(one => `${one} again`)];
    const { to } = align(old, fresh, at => at >= 70_002);
    expect([...to.slice(70_000, 70_004)]).toEqual([-1, -1, 70_000, 70_001]);
  });
});

describe('the work of a comparison', () => {
  it('asks of each row a few times at most whether it is preferred, if all are equal', () => {
    let asked = 0;
    const old = new Array<string>(100_000).fill('');
    const { to } = align(old, old.slice(0, 50_000), () => asked++ < 0);
    expect([to.filter(one => one >= 0).length, asked <= 400_000]).toEqual([50_000, true]);
  });
});
