/**
 * A look at a stranger's pack before anything of it is inflated: whether it is whole, and how large what it holds is. A
 * delta of thirty bytes may make gigabytes, and so may a compressed entry.
 */

import { Inflate } from 'pako/lib/inflate.js';
import { latin1, uint32 } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import { type Codec, toHex } from '../../git/objects/object.ts';
import { resultSize } from '../../git/packs/apply-delta.ts';
import { parseEntryHeader } from '../../git/packs/entry-header.ts';

export interface PackLimits {
  /** The most bytes of one object. */
  object: number;
  /** Bytes of all objects together. */
  all: number;
}

/** Checks a whole pack, and answers how many objects it has. Throws CORRUPT, and TOO_LARGE for what goes beyond the limits. */
export async function surveyPack(codec: Codec, pack: Uint8Array, limits: PackLimits): Promise<number> {
  if (pack.length < 32 || latin1(pack.subarray(0, 4)) !== 'PACK' || uint32(pack, 4) !== 2)
    throw damaged('it is not a pack of version 2');
  const checksum = await codec.sha1(pack.subarray(0, -20));
  if (checksum !== toHex(pack.subarray(-20))) throw damaged('it is cut off or damaged');
  const count = uint32(pack, 8);
  const entries = pack.subarray(0, -20);
  let [at, sum] = [12, 0];
  for (let n = 0; n < count; n++) {
    const one = entryAt(entries, at, limits.object);
    at = one.end;
    sum += one.size;
    if (sum > limits.all) throw tooLarge('all objects together', limits.all);
  }
  if (at !== entries.length) throw damaged('it holds more than its objects');
  return count;
}

/** Measures an entry. `size`: what the object takes when it is made, and the delta it is made of. */
function entryAt(pack: Uint8Array, at: number, limit: number): { end: number; size: number } {
  try {
    const header = parseEntryHeader(pack, at);
    if (header.size > limit) throw tooLarge('an object', limit);
    const { end, size, head } = measureZlib(pack, header.end, header.size);
    if (size !== header.size) throw damaged('an entry has another size than it says');
    const made = 'type' in header.kind ? 0 : resultSize(head);
    if (made > limit) throw tooLarge('an object', limit);
    return { end, size: size + made };
  } catch (error) {
    if (error instanceof EditError) throw error;
    throw damaged((error as Error).message);
  }
}

function damaged(what: string): EditError {
  return new EditError('CORRUPT', `the pack that was sent cannot be used: ${what}`);
}

function tooLarge(what: string, limit: number): EditError {
  const message = `The remote sends ${what} of more than ${limit} bytes, and nothing was taken. Use git fetch if that is right.`;
  return new EditError('TOO_LARGE', message, { limit });
}

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
 * Measures the stream at byte `start` without keeping what it holds: entries of a pack do not say where they end, and
 * compression streams of browsers cannot, either. Throws an Error for a damaged one, and for one of more than `limit` bytes
 * as soon as that is known.
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
