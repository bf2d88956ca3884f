/** Comparing and searching bytes at the speed of memory where there is node's Buffer, and one by one elsewhere. */

/** Not imported, so that all of this runs in a browser as well. */
const native = globalThis.Buffer as typeof Buffer | undefined;

/** Bytes that are compared at once, before the first that differs is looked for among them. */
const BLOCK = 1 << 15;

/** True for the same bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  if (native) return native.compare(a, b) === 0;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/** The bytes of `parts`, one after another. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** How many bytes at the beginning are the same in both, up to `most`. */
export function commonPrefix(
  a: Uint8Array,
  b: Uint8Array,
  most: number = Math.min(a.length, b.length),
): number {
  let at = 0;
  for (let end = BLOCK; end <= most && sameBytes(a.subarray(at, end), b.subarray(at, end)); end += BLOCK)
    at = end;
  while (at < most && a[at] === b[at]) at++;
  return at;
}

/** How many bytes at the end are the same in both, up to `most`. */
export function commonSuffix(
  a: Uint8Array,
  b: Uint8Array,
  most: number = Math.min(a.length, b.length),
): number {
  const [aEnd, bEnd] = [a.length, b.length];
  const isSame = (from: number, to: number): boolean =>
    sameBytes(a.subarray(aEnd - to, aEnd - from), b.subarray(bEnd - to, bEnd - from));
  let at = 0;
  for (let end = BLOCK; end <= most && isSame(at, end); end += BLOCK) at = end;
  while (at < most && a[aEnd - 1 - at] === b[bEnd - 1 - at]) at++;
  return at;
}

/** Where the byte stands first at or after `from`, or -1. */
export function indexOfByte(bytes: Uint8Array, byte: number, from = 0): number {
  if (!native) return bytes.indexOf(byte, from);
  return native.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(byte, from);
}

/** How often the byte stands before `end`. */
export function countByte(bytes: Uint8Array, byte: number, end: number = bytes.length): number {
  let count = 0;
  for (let at = 0; at < end; at++) if (bytes[at] === byte) count++;
  return count;
}
