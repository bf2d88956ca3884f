/**
 * Measures a zlib stream without keeping what it holds. The entries of a pack do not say where they end, and a stranger's
 * entry of four megabytes may hold four gigabytes, so they are measured before anything is made of them. (Compression
 * streams of browsers cannot say where a stream ended.)
 */

import { Inflate } from 'pako/lib/inflate.js';

export interface Measured {
  /** Where the next entry begins. */
  end: number;
  /** Bytes of what the stream holds. */
  size: number;
  /** The first bytes of that, at most HEAD. */
  head: Uint8Array;
}

/** Bytes that are kept: the two sizes at the beginning of a delta. */
const HEAD = 20;
/** Bytes that are inflated at a time. */
const CHUNK = 16_384;

/**
 * Measures the stream at byte `start`. Throws an Error for a damaged one, and for one of more than `limit` bytes as soon as
 * that is known.
 */
export function measureZlib(bytes: Uint8Array, start: number, limit: number): Measured {
  // With windowBits a stream of gzip is damaged, too.
  const stream = new Inflate({ windowBits: 15, chunkSize: Math.min(Math.max(limit, HEAD), CHUNK) });
  let size = 0;
  let head: Uint8Array = new Uint8Array(0);
  stream.onData = chunk => {
    if (size === 0) head = chunk.slice(0, HEAD);
    size += chunk.length;
    if (size > limit) throw new Error(`it holds more than ${limit} bytes`);
  };
  let isWhole = false;
  stream.onEnd = status => {
    isWhole = status === 0;
  };
  stream.push(bytes.subarray(start), false);
  if (!isWhole) throw new Error('a compressed entry is damaged');
  return { end: bytes.length - stream.strm.avail_in, size, head };
}
