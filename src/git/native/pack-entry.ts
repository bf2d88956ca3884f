/** One entry of a pack (gitformat-pack(5)): a header, and a zlib stream with a whole object or a delta. */

import { inflateSync } from 'node:zlib';
import { errno } from '../../fs/fs.ts';
import { type ObjectType, toHex } from '../objects/object.ts';
import { HEADER_BYTES, parseEntryHeader } from '../packs/entry-header.ts';
import { compact } from './compact.ts';
import type { PackIndex } from './pack-index.ts';
import type { RangedFile } from './ranged-file.ts';

/** `size` is that of the inflated bytes; `dataAt` and `base` are offsets in the pack. */
export type Entry = { size: number; dataAt: number } & ({ type: ObjectType } | { type: null; base: number });

/**
 * Reads the header: type and size in 3 and 4 bits, then 7 bits a byte; after it, for a delta, where the base is. Throws
 * an Error when it is damaged.
 */
export async function readEntry(file: RangedFile, index: PackIndex, offset: number): Promise<Entry> {
  const end = file.size - 20;
  if (offset < 12 || offset >= end) throw new Error('an offset leads out of the pack');
  const head = await file.read(offset, Math.min(HEADER_BYTES, end - offset));
  const { size, kind, end: headerEnd } = parseEntryHeader(head, 0);
  const dataAt = offset + headerEnd;
  if ('type' in kind) return { type: kind.type, size, dataAt };
  const base = await baseOf(kind, head, index, offset);
  return { type: null, base, size, dataAt };
}

async function baseOf(
  kind: { distance: number } | { baseAt: number },
  head: Uint8Array,
  index: PackIndex,
  offset: number,
): Promise<number> {
  if ('distance' in kind) {
    if (kind.distance >= offset) throw new Error('the base of a delta is out of the pack');
    return offset - kind.distance;
  }
  const base = await index.offsetOf(toHex(head.subarray(kind.baseAt, kind.baseAt + 20)));
  if (base === null) throw new Error('the base of a delta is not in the pack');
  return base;
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
