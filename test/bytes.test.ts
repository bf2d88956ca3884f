import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commonPrefix, commonSuffix, countByte, indexOfByte, sameBytes } from '../src/bytes.ts';

/** Two arrays with the same beginning and end, longer than what is compared at once. */
const pair = fc
  .tuple(fc.nat(100_000), fc.uint8Array({ maxLength: 4 }), fc.uint8Array({ maxLength: 4 }), fc.nat(100_000))
  .map(([head, a, b, tail]) => [a, b].map(middle => ones(head, middle, tail)) as [Uint8Array, Uint8Array]);

function ones(head: number, middle: Uint8Array, tail: number): Uint8Array {
  const bytes = new Uint8Array(head + middle.length + tail).fill(1);
  bytes.set(middle, head);
  return bytes;
}

it('finds what two arrays have in common, as looking byte by byte does', () => {
  fc.assert(
    fc.property(pair, ([a, b]) => {
      const most = Math.min(a.length, b.length);
      let lead = 0;
      while (lead < most && a[lead] === b[lead]) lead++;
      let tail = 0;
      while (tail < most && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
      expect([commonPrefix(a, b), commonSuffix(a, b)]).toEqual([lead, tail]);
      expect(commonSuffix(a, b, most - lead)).toBe(Math.min(tail, most - lead));
      expect(sameBytes(a, b)).toBe(a.length === b.length && lead === a.length);
      expect(indexOfByte(a, 7)).toBe(a.indexOf(7));
      expect(indexOfByte(a.subarray(3), 1, 5)).toBe(a.subarray(3).indexOf(1, 5));
      expect(countByte(a, 1, lead)).toBe(lead - a.subarray(0, lead).filter(byte => byte !== 1).length);
    }),
    { numRuns: 100 },
  );
});
