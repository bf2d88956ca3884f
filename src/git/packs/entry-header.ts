/** An entry of a pack (gitformat-pack(5)): its header, which has type and size and for a delta where its base is, and the delta. */

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

/** Applies a delta. Throws an Error when it does not fit the base or itself. */
export function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array {
  const source = readSize(delta, 0);
  if (source.value !== base.length) throw new Error('the delta is for another base');
  const target = readSize(delta, source.end);
  const result = new Uint8Array(target.value);
  let written = 0;
  for (let at = target.end; at < delta.length; ) {
    const code = delta[at++]!;
    // Top bit set: copy from the base. Clear: that many literal bytes follow. Zero is reserved.
    const copies = code >= 0x80;
    let [start, length] = [at, code];
    if (copies) {
      start = 0;
      length = 0;
      for (let i = 0; i < 4; i++) if (code & (1 << i)) start += (delta[at++] ?? 0) * 256 ** i;
      for (let i = 0; i < 3; i++) if (code & (16 << i)) length += (delta[at++] ?? 0) << (8 * i);
      if (length === 0) length = 0x10000;
    } else at += code;
    const from = copies ? base : delta;
    const fits = length > 0 && start + length <= from.length && written + length <= result.length;
    if (!fits) throw new Error('an instruction of the delta leads out of its bounds');
    copy(result, written, from, start, length);
    written += length;
  }
  if (written !== result.length) throw new Error('the delta is cut off');
  return result;
}

/** A view of a few bytes costs more than to copy them. */
const FEW = 48;

function copy(to: Uint8Array, at: number, from: Uint8Array, start: number, length: number): void {
  if (length > FEW) to.set(from.subarray(start, start + length), at);
  else for (let i = 0; i < length; i++) to[at + i] = from[start + i]!;
}

/** Reads the size in bytes of what `applyDelta` will make. */
export function resultSize(delta: Uint8Array): number {
  return readSize(delta, readSize(delta, 0).end).value;
}

/** Reads a size: seven bits a byte, the lowest first; the top bit says that another byte follows. */
function readSize(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  for (let at = start, factor = 1; at < bytes.length && factor < 2 ** 50; at++, factor *= 128) {
    const byte = bytes[at]!;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return { value, end: at + 1 };
  }
  throw new Error('a size in the delta is damaged');
}
