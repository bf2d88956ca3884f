import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyDelta } from '../../../../src/git/packs/delta/apply-delta.ts';
import { deltaSteps, encodeDelta } from '../../../../src/git/packs/delta/encode-delta.ts';

/** Encodes, and expects that the delta gives the target back. */
function roundTrip(base: Uint8Array, target: Uint8Array): Uint8Array {
  const delta = encodeDelta(base, target);
  expect(Buffer.from(applyDelta(base, delta)).equals(Buffer.from(target))).toBe(true);
  return delta;
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** The same bytes for the same seed. */
function noise(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) | 0;
    bytes[i] = state >>> 16;
  }
  return bytes;
}

const repeated = (piece: Uint8Array, times: number): Uint8Array =>
  Uint8Array.from({ length: piece.length * times }, (_, i) => piece[i % piece.length]!);

/** Bytes of few values, so that they repeat, cut and put together again. */
const lumpy = fc
  .array(fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 0, max: 60 })), { maxLength: 12 })
  .map(pieces => Buffer.concat(pieces.map(([piece, times]) => repeated(piece, times))));

const cut = fc.tuple(fc.nat(), fc.nat());

describe('a delta gives the target back', () => {
  it('for any two contents', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), (a, b) => {
        roundTrip(a, b);
      }),
      { numRuns: 500 },
    );
  });

  it('for contents that repeat themselves', () => {
    fc.assert(
      fc.property(lumpy, lumpy, (a, b) => {
        roundTrip(a, b);
        roundTrip(a, a);
      }),
      { numRuns: 300 },
    );
  });

  it('for pieces of the base in another order, with bytes between them', () => {
    fc.assert(
      fc.property(
        lumpy,
        fc.array(fc.tuple(cut, fc.uint8Array({ maxLength: 20 })), { maxLength: 10 }),
        (base, plan) => {
          const size = base.length + 1;
          const pieces = plan.flatMap(([[a, b], extra]) => [
            base.subarray(Math.min(a % size, b % size), Math.max(a % size, b % size)),
            extra,
          ]);
          roundTrip(base, Buffer.concat(pieces));
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([0, 1, 7, 8, 15, 16, 17, 127, 128, 0xffff, 0x10000, 0x10001, 0x20000, 1 << 20, 3 << 20])(
    'for %d bytes: itself, one byte more and less, changed at the ends and in the middle',
    length => {
      const base = noise(length);
      roundTrip(base, base);
      roundTrip(base, base.subarray(1));
      roundTrip(base, base.subarray(0, -1));
      roundTrip(base, Buffer.concat([text('x'), base]));
      roundTrip(base, Buffer.concat([base, text('x')]));
      roundTrip(base, new Uint8Array(0));
      roundTrip(new Uint8Array(0), base);
      for (const at of [0, length >> 1, length - 1].filter(place => place >= 0 && place < length)) {
        const changed = base.slice();
        changed[at]! ^= 0xff;
        roundTrip(base, changed);
      }
    },
  );

  it.each([
    ['zeros of other lengths', new Uint8Array(1 << 20), new Uint8Array((1 << 20) - 12_345)],
    ['a period against the next phase', repeated(text('ab'), 300_000), repeated(text('ba'), 299_000)],
    ['a period of 15', repeated(noise(15), 40_000), repeated(noise(15).reverse(), 40_000)],
    [
      'a period of 16',
      repeated(noise(16), 40_000),
      Buffer.concat([text('!'), repeated(noise(16), 39_000), noise(99, 3)]),
    ],
    ['noise against noise', noise(1 << 20, 1), noise(1 << 20, 2)],
    [
      'halves exchanged',
      noise(1 << 20),
      Buffer.concat([noise(1 << 20).subarray(1 << 19), noise(1 << 20).subarray(0, 1 << 19)]),
    ],
  ])('for %s', (_, base, target) => {
    roundTrip(base, target);
  });
});

describe('a delta is small', () => {
  const lines = Array.from({ length: 800 }, (_, i) => `line ${i} of the file ${(i * 7919) % 1009}`);

  it('for one changed line', () => {
    const changed = lines.with(400, 'another line');
    expect(roundTrip(text(lines.join('\n')), text(changed.join('\n'))).length).toBeLessThan(40);
  });

  it('for a few lines here and there', () => {
    const changed = lines.map((line, i) => (i % 100 === 50 ? `changed ${i}` : line));
    expect(roundTrip(text(lines.join('\n')), text(changed.join('\n'))).length).toBeLessThan(400);
  });

  it('for lines that moved', () => {
    const moved = [
      ...lines.slice(0, 50),
      ...lines.slice(500, 600),
      ...lines.slice(50, 500),
      ...lines.slice(600),
    ];
    expect(roundTrip(text(lines.join('\n')), text(moved.join('\n'))).length).toBeLessThan(120);
  });

  it('and a copy of 70,000 bytes takes two instructions of at most 65,536', () => {
    const base = noise(70_000);
    expect(roundTrip(base, base).length).toBeLessThan(20);
  });
});

it('large contents are encoded in steps', () => {
  const steps = [...deltaSteps(noise(4 << 20, 1), noise(4 << 20, 2))];
  expect(steps.length).toBeGreaterThan(16);
});
