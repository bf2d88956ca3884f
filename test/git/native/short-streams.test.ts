import { deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { deflateShort, inflateShort, inflateShortWhole } from '../../../src/git/native/short-streams.ts';
import { seededBytes } from '../../helpers/seeded-bytes.ts';

/** Contents of many lengths and kinds, and how hard they were deflated. */
function* samples(): Generator<{ content: Uint8Array; level: number }> {
  for (const size of [1, 2, 60, 300, 5000, 16_384])
    for (const level of [0, 1, 6, 9]) {
      yield { content: seededBytes(size), level };
      yield { content: Buffer.from('a line of text\n'.repeat(size)).subarray(0, size), level };
    }
}

describe('a short stream', () => {
  it('is inflated to the bytes that were deflated, whatever follows it', () => {
    for (const { content, level } of samples()) {
      const stream = deflateSync(content, { level });
      for (const bytes of [stream, Buffer.concat([stream, seededBytes(30)])]) {
        const found = inflateShort(bytes, content.length);
        expect(found && Buffer.compare(found, content)).toBe(0);
      }
    }
  });

  it('is not answered where it is longer or shorter than it should be, cut off or damaged, and the next one is', () => {
    for (const { content, level } of samples()) {
      const stream = deflateSync(content, { level });
      expect(inflateShort(stream, content.length + 1)).toBeNull();
      expect(inflateShort(stream, content.length - 1)).toBeNull();
      expect(inflateShort(stream.subarray(0, -1), content.length)).toBeNull();
      expect(inflateShort(stream.subarray(0, 3), content.length)).toBeNull();
      const damaged = Buffer.from(stream);
      damaged[damaged.length - 2]! ^= 1;
      expect(inflateShort(damaged, content.length)).toBeNull();
      const found = inflateShort(stream, content.length);
      expect(found && Buffer.compare(found, content)).toBe(0);
    }
  });

  it('is inflated whole as node itself does it, also when it is cut off, damaged or empty', () => {
    const byNode = (bytes: Uint8Array): Uint8Array | null => {
      try {
        return inflateSync(bytes);
      } catch {
        return null;
      }
    };
    const isSame = (bytes: Uint8Array): boolean => {
      const [own, nodes] = [inflateShortWhole(bytes), byNode(bytes)];
      return own === null ? nodes === null : nodes !== null && Buffer.compare(own, nodes) === 0;
    };
    for (const { content, level } of samples()) {
      const stream = deflateSync(content, { level });
      const damaged = Buffer.from(stream);
      damaged[damaged.length >> 1]! ^= 64;
      const all = [stream, Buffer.concat([stream, seededBytes(9)]), stream.subarray(0, -1), damaged];
      for (const bytes of all)
        expect([bytes.length, bytes.length > 16_384 || isSame(bytes)]).toEqual([bytes.length, true]);
    }
    for (const bytes of [deflateSync(''), new Uint8Array(), Uint8Array.of(120)])
      expect(isSame(bytes)).toBe(true);
    expect(inflateShortWhole(deflateSync(new Uint8Array(17_408)))).toBeNull();
  });

  it('is left to others where it is long', () => {
    const content = seededBytes(100_000);
    expect(inflateShort(deflateSync(content), content.length)).toBeNull();
  });

  it('is deflated to the bytes that node itself makes, one after another', () => {
    for (let round = 0; round < 2; round++)
      for (const { content } of samples()) {
        const made = deflateShort(content);
        expect(made && Buffer.compare(made, deflateSync(content, { level: 1 }))).toBe(0);
      }
    expect(deflateShort(new Uint8Array())).toEqual(new Uint8Array(deflateSync('', { level: 1 })));
    expect(deflateShort(seededBytes(16_385))).toBeNull();
  });
});
