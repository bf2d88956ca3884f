/** The header of an entry of a pack (gitformat-pack(5)): type and size, and for a delta where its base is. */

import type { ObjectType } from '../objects/object.ts';

const CODES: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };
const TYPES = new Map(Object.entries(CODES).map(([type, code]) => [code, type as ObjectType]));
const OFS_DELTA = 6;
const REF_DELTA = 7;

/** Bytes that hold every header of an object below 2^53 bytes. */
export const HEADER_BYTES = 40;

/** The content after the header: a whole object; a delta of the entry so many bytes before; a delta of an object. */
export type EntryKind = { type: ObjectType } | { distance: number } | { baseAt: number };

export interface EntryHeader {
  /** Bytes of the inflated content, of the object or of the delta. */
  size: number;
  kind: EntryKind;
  /** Where the zlib stream begins. */
  end: number;
}

/** Reads the header at byte `start`; `baseAt` is where the 20 bytes of the base's id begin. Throws an Error. */
export function parseEntryHeader(bytes: Uint8Array, start: number): EntryHeader {
  let at = start;
  const code = ((bytes[at] ?? 0) >> 4) & 7;
  let size = (bytes[at] ?? 0) & 0x0f;
  for (let factor = 16; (bytes[at++] ?? 0) >= 0x80; factor *= 128) size += ((bytes[at] ?? 0) & 0x7f) * factor;
  if (code === REF_DELTA) return { size, kind: { baseAt: at }, end: at + 20 };
  if (code === OFS_DELTA) return ofsDelta(bytes, at, size);
  const type = TYPES.get(code);
  if (type === undefined) throw new Error(`unknown type ${code}`);
  return { size, kind: { type }, end: at };
}

/** Reads the distance back to the base: 7 bits a byte, the highest first, with one added at each further byte. */
function ofsDelta(bytes: Uint8Array, start: number, size: number): EntryHeader {
  let at = start;
  let distance = (bytes[at] ?? 0) & 0x7f;
  while ((bytes[at++] ?? 0) >= 0x80) distance = (distance + 1) * 128 + ((bytes[at] ?? 0) & 0x7f);
  if (distance <= 0) throw new Error('the base of a delta is out of the pack');
  return { size, kind: { distance }, end: at };
}

export function entryHeader(type: ObjectType, size: number): Uint8Array {
  const bytes: number[] = [];
  let rest = Math.floor(size / 16);
  bytes.push((CODES[type] << 4) | (size % 16) | (rest > 0 ? 0x80 : 0));
  for (; rest > 0; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | (rest >= 128 ? 0x80 : 0));
  return Uint8Array.from(bytes);
}
