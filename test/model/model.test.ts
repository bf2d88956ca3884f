/**
 * The protocol and its recovery, tried in a model: all histories of a few acts, then a kill and power cuts, recovery by
 * the rules of src/fs/recovery-rules.ts, and the invariants.
 */

import { describe, expect, it } from 'vitest';
import { explore } from './explore.ts';

/** Shapes of histories, the power cuts tried of each, and one of how many is judged. */
const SHAPES: ReadonlyArray<{ shape: string; cuts: number; oneOf: number }> = [
  { shape: 'work|act|kill', cuts: 64, oneOf: 1 },
  { shape: 'work|act work|act', cuts: 8, oneOf: 1 },
  { shape: 'beside', cuts: 4, oneOf: 1 },
  { shape: 'work|act|kill kill', cuts: 3, oneOf: 23 },
  { shape: 'kill act', cuts: 4, oneOf: 3 },
  { shape: 'gc-marks checkpoint|plain gc-removes checkpoint|plain', cuts: 8, oneOf: 1 },
  { shape: 'work|act beside', cuts: 3, oneOf: 47 },
  { shape: 'stop plain wake', cuts: 4, oneOf: 5 },
  { shape: 'stop kill wake', cuts: 3, oneOf: 997 },
  { shape: 'plain|kill cut|act kill', cuts: 3, oneOf: 401 },
];

describe('the model of the write protocol', () => {
  it.each(SHAPES)('keeps its promises in every history: $shape', ({ shape, cuts, oneOf }) => {
    const { histories, worlds, found } = explore([shape], { cuts, oneOf });
    expect(Object.fromEntries(found)).toEqual({});
    expect(histories).toBeGreaterThan(50);
    expect(worlds).toBeGreaterThan(histories);
  });
});
