import { expect, test } from 'vitest';
import { applyDelta, resultSize } from '../../../src/git/packs/entry-header.ts';

const BASE = new TextEncoder().encode('hello world');

test('copies and literals make the result', () => {
  const delta = Uint8Array.of(11, 8, 0x91, 6, 5, 3, 0x21, 0x21, 0x0a);
  expect(new TextDecoder().decode(applyDelta(BASE, delta))).toBe('world!!\n');
  expect(resultSize(delta)).toBe(8);
});

test('a copy without a length copies 65,536 bytes', () => {
  const base = new Uint8Array(0x10000).fill(7);
  expect(applyDelta(base, Uint8Array.of(0x80, 0x80, 4, 0x80, 0x80, 4, 0x80))).toEqual(base);
});

test.each([
  ['another base', [12, 1, 1, 65]],
  ['a copy past the base', [11, 5, 0x91, 8, 5]],
  ['more than the result', [11, 1, 2, 65, 66]],
  ['less than the result', [11, 3, 1, 65]],
  ['a literal that is cut off', [11, 3, 3, 65]],
  ['the reserved instruction', [11, 1, 0]],
  ['no end of a size', [0x80]],
  ['nothing', []],
])('a delta for %s is refused', (_, bytes) => {
  expect(() => applyDelta(BASE, Uint8Array.from(bytes))).toThrow(/delta/);
});
