/** One entry of a pack (gitformat-pack(5)): a header, and a zlib stream with a whole object or a delta. */

import { inflateSync } from 'node:zlib';
import { errno } from '../../fs/fs.ts';
import { type ObjectType, toHex } from '../objects/object.ts';
import { HEADER_BYTES, parseEntryHeader } from '../packs/entry-header.ts';
import { compact } from './compact.ts';
import type { RangedFile } from './ranged-file.ts';
import { inflateShort } from './short-streams.ts';

/**
 * `size` is that of the inflated bytes; `dataAt` is an offset in the pack, and so is the base of a delta, unless it is
 * named by its id.
 */
export interface Entry {
  size: number;
  dataAt: number;
  type: ObjectType | null;
  base: number | string;
}

/**
 * Reads the header: type and size in 3 and 4 bits, then 7 bits a byte; after it, for a delta, where the base is. Throws
 * an Error when it is damaged.
 */
export function readEntry(file: RangedFile, offset: number): Entry | Promise<Entry> {
  const end = file.size - 20;
  if (offset < 12 || offset >= end) throw new Error('an offset leads out of the pack');
  const length = Math.min(HEADER_BYTES, end - offset);
  const head = file.peek(offset, length);
  return head ? entryOf(head, offset) : file.read(offset, length).then(read => entryOf(read, offset));
}

function entryOf(head: Uint8Array, offset: number): Entry {
  const { size, kind, end } = parseEntryHeader(head, 0);
  const dataAt = offset + end;
  if ('type' in kind) return { type: kind.type, size, dataAt, base: 0 };
  if ('baseAt' in kind)
    return { type: null, size, dataAt, base: toHex(head.subarray(kind.baseAt, kind.baseAt + 20)) };
  if (kind.distance >= offset) throw new Error('the base of a delta is out of the pack');
  return { type: null, size, dataAt, base: offset - kind.distance };
}

/**
 * Inflates `size` bytes from a stream whose own length is written nowhere: as many bytes are read as zlib needs at
 * most for that size, and more when another tool needed more. Throws an Error when they are damaged.
 */
export async function inflateAt(file: RangedFile, at: number, size: number): Promise<Uint8Array> {
  const left = file.size - 20 - at;
  for (let length = mostDeflated(size); ; length *= 4) {
    const most = Math.min(length, left);
    const bytes = tryInflate(file.peek(at, most) ?? (await file.read(at, most)), size);
    if (bytes !== null && bytes.length !== size) throw new Error('an entry is shorter than it says');
    if (bytes !== null) return bytes;
    if (length >= left) throw new Error('an entry is cut off');
  }
}

/** As `inflateAt`, at once, where the bytes are in memory and in the first piece; else `null`. */
export function peekInflated(file: RangedFile, at: number, size: number): Uint8Array | null {
  const bytes = file.peek(at, Math.min(mostDeflated(size), file.size - 20 - at));
  return bytes && inflateShort(bytes, size);
}

function mostDeflated(size: number): number {
  return size + (size >> 10) + 64;
}

/** `null` when the stream goes on after `bytes`. One byte more than needed lets zlib see the end without another buffer. */
function tryInflate(bytes: Uint8Array, size: number): Uint8Array | null {
  const short = inflateShort(bytes, size);
  if (short) return short;
  try {
    return compact(
      inflateSync(bytes, { maxOutputLength: Math.max(size, 1), chunkSize: Math.max(size + 1, 64) }),
    );
  } catch (error) {
    if (errno(error) === 'Z_BUF_ERROR') return null;
    throw error;
  }
}
