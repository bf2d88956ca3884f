/** Bytes that no compression makes shorter, the same in every run, so that a failure can be seen again. */

import { createHash } from 'node:crypto';

let calls = 0;

/** Each call of a test file gives other bytes. */
export function seededBytes(length: number): Buffer {
  return createHash('shake256', { outputLength: length }).update(`${calls++}`).digest();
}
