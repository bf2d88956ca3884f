/** Decides whether a delta is worth it. */

import { sameBytes } from '../../../bytes.ts';
import type { PackCodec } from '../../objects/object.ts';
import type { Pace } from '../pace.ts';
import { applyDelta } from './apply-delta.ts';
import { deltaSteps } from './encode-delta.ts';

/** Git makes no deltas of smaller objects either. */
const SMALLEST = 50;
/** Of larger contents no delta is made: it takes seconds, and several times their size in memory. */
export const LARGEST_DELTA: number = 64 * 1024 * 1024;

export interface DeflatedDelta {
  /** Bytes before they were deflated. */
  size: number;
  deflated: Uint8Array;
}

/** The delta that makes `content` out of `base`, checked, or `null` when the whole content takes no more room. */
export async function usableDelta(
  codec: PackCodec,
  pace: Pace,
  base: Uint8Array,
  content: Uint8Array,
): Promise<DeflatedDelta | null> {
  if (content.length < SMALLEST || Math.max(base.length, content.length) > LARGEST_DELTA) return null;
  const delta = await pace.run(deltaSteps(base, content));
  if (delta.length >= content.length) return null;
  const deflated = await codec.deflate(delta);
  const isClearlySmaller = delta.length < content.length / 4;
  if (!isClearlySmaller && deflated.length >= (await codec.deflate(content)).length) return null;
  const isRight = await pace.run(isSame(applyDelta(base, delta), content));
  if (!isRight) throw new Error('a delta does not give its content back');
  return { size: delta.length, deflated };
}

function* isSame(a: Uint8Array, b: Uint8Array): Generator<void, boolean> {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; ) {
    const stop = Math.min(a.length, at + STEP);
    if (!sameBytes(a.subarray(at, stop), b.subarray(at, stop))) return false;
    at = stop;
    yield;
  }
  return true;
}

/** Bytes compared between two looks at the clock. */
const STEP = 1 << 19;
