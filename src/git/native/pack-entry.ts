/** One entry of a pack (gitformat-pack(5)): a header, and a zlib stream with a whole object or a delta. */

import { inflateSync } from 'node:zlib';
import { errno } from '../fs.ts';
import { type ObjectType, toHex } from '../objects/object.ts';
import { compact } from './compact.ts';
import type { PackIndex } from './pack-index.ts';
import type { RangedFile } from './ranged-file.ts';

const TYPES: Record<number, ObjectType> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const OFS_DELTA = 6;
const REF_DELTA = 7;
/** `size` is that of the inflated bytes; `dataAt` and `base` are offsets in the pack. */
export type Entry = { size: number; dataAt: number } & ({ type: ObjectType } | { type: null; base: number });

/**
 * Reads the header: type and size in 3 and 4 bits, then 7 bits a byte; after it, for a delta, where the base is. Throws
 * an Error when it is damaged.
 */
export async function readEntry(file: RangedFile, index: PackIndex, offset: number): Promise<Entry> {
  const end = file.size - 20;
  if (offset < 12 || offset >= end) throw new Error('an offset leads out of the pack');
  const head = await file.read(offset, Math.min(40, end - offset));
  let at = 0;
  let size = head[at]! & 0x0f;
  for (let factor = 16; head[at++]! >= 0x80; factor *= 128) size += ((head[at] ?? 0) & 0x7f) * factor;
  const code = (head[0]! >> 4) & 7;
  if (code === OFS_DELTA) return ofsDelta(head, at, offset, size);
  if (code === REF_DELTA) {
    const base = await index.offsetOf(toHex(head.subarray(at, at + 20)));
    if (base === null) throw new Error('the base of a delta is not in the pack');
    return { type: null, base, size, dataAt: offset + at + 20 };
  }
  const type = TYPES[code];
  if (type === undefined) throw new Error(`unknown type ${code}`);
  return { type, size, dataAt: offset + at };
}

/** The distance back to the base: 7 bits a byte, the highest first, with one added at each further byte. */
function ofsDelta(head: Uint8Array, start: number, offset: number, size: number): Entry {
  let at = start;
  let distance = head[at]! & 0x7f;
  while (head[at++]! >= 0x80) distance = (distance + 1) * 128 + ((head[at] ?? 0) & 0x7f);
  if (distance <= 0 || distance >= offset) throw new Error('the base of a delta is out of the pack');
  return { type: null, base: offset - distance, size, dataAt: offset + at };
}

/**
 * Inflates `size` bytes from a stream whose own length is written nowhere: as many bytes are read as zlib needs at
 * most for that size, and more when another tool needed more. Throws an Error when they are damaged.
 */
export async function inflateAt(file: RangedFile, at: number, size: number): Promise<Uint8Array> {
  const left = file.size - 20 - at;
  for (let length = size + (size >> 10) + 64; ; length *= 4) {
    const bytes = tryInflate(await file.read(at, Math.min(length, left)), size);
    if (bytes !== null && bytes.length !== size) throw new Error('an entry is shorter than it says');
    if (bytes !== null) return bytes;
    if (length >= left) throw new Error('an entry is cut off');
  }
}

/** `null` when the stream goes on after `bytes`. One byte more than needed lets zlib see the end without another buffer. */
function tryInflate(bytes: Uint8Array, size: number): Uint8Array | null {
  try {
    return compact(
      inflateSync(bytes, { maxOutputLength: Math.max(size, 1), chunkSize: Math.max(size + 1, 64) }),
    );
  } catch (error) {
    if (errno(error) === 'Z_BUF_ERROR') return null;
    throw error;
  }
}
