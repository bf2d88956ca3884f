import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  commonPrefix,
  commonSuffix,
  countByte,
  includesText,
  indexOfByte,
  latin1,
  nameBytes,
  nameOf,
  sameBytes,
  toHex,
  uint32,
} from '../src/bytes.ts';
import { fromHex } from '../src/git/objects/object.ts';

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

it('finds a text in bytes where it is', () => {
  const few = fc.string({ unit: fc.constantFrom('a', 'b', 'V'), maxLength: 12 });
  fc.assert(
    fc.property(few, few.filter(Boolean), (text, wanted) => {
      expect(includesText(Buffer.from(text), wanted)).toBe(text.includes(wanted));
    }),
  );
});

it('writes hex digits as node does, and reads them in either case', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), bytes => {
      const hex = Buffer.from(bytes).toString('hex');
      expect(toHex(bytes)).toBe(hex);
      expect([...fromHex(hex)]).toEqual([...bytes]);
      expect([...fromHex(hex.toUpperCase())]).toEqual([...bytes]);
      expect(latin1(bytes)).toBe(Buffer.from(bytes).toString('latin1'));
    }),
  );
  expect(toHex(new Uint8Array(20).fill(0xaf))).toBe('af'.repeat(20));
});

it('reads numbers of 32 bits without a sign, and none beyond the end', () => {
  expect(uint32(Uint8Array.from([0, 0xff, 0xfe, 0xfd, 0xfc]), 1)).toBe(0xfffefdfc);
  expect(() => uint32(new Uint8Array(5), 2)).toThrow(RangeError);
});

it('carries any name of bytes, and one of UTF-8 as the text that it is', () => {
  const near = fc.array(
    fc.constantFrom(0x61, 0xe9, 0xc3, 0xa9, 0xed, 0xa0, 0xb3, 0x80, 0xf0, 0x9f, 0x98, 0xff),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        near.map(bytes => Uint8Array.from(bytes)),
      ),
      bytes => {
        expect([...nameBytes(nameOf(bytes))]).toEqual([...bytes]);
      },
    ),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), text => {
      expect(nameOf(new TextEncoder().encode(text))).toBe(text);
    }),
  );
  expect(nameOf(Uint8Array.of(0x63, 0xe9))).toBe('c\udce9');
});
