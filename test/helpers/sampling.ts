/** How much is tried: some in the normal tests, most of it in the long forms, and all of it with EVERY=1. */

/** In the tests of the stores: every how many calls a fault is made. */
export const STRIDE: number = process.env.VEDIT_LONG ? 1 : 7;

/** Of these the long forms try all, and the normal tests some. */
export function some<T>(all: readonly T[], count: number): T[] {
  return process.env.VEDIT_LONG ? [...all] : all.slice(0, count);
}

/** Of what takes hours in full, the long forms try every `stride`-th. */
export function sampled(stride: number): number {
  return process.env.EVERY === '1' ? 1 : stride;
}
