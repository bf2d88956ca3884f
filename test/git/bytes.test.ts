import fc from 'fast-check';
import { expect, it } from 'vitest';
import { includesText, latin1, uint32 } from '../../src/git/bytes.ts';
import { fromHex, toHex } from '../../src/git/objects/object.ts';

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
