/**
 * Content is deflated once: the zlib streams of a loose object and of an entry of a pack hold the same blocks. The loose one
 * begins with a stored block of its own, which holds the header, and its checksum is that of header and content.
 */

import { concatBytes } from '../../bytes.ts';

/** Bytes of a zlib header, of the head of a stored block, and of an Adler-32. */
const ZLIB = 2;
const STORED = 5;
const SUM = 4;

/** Makes what the file of a loose object holds out of the zlib stream of its content. */
export function looseStream(header: Uint8Array, content: Uint8Array, length: number): Uint8Array {
  const { length: size } = header;
  const stored = Uint8Array.of(0, size, 0, ~size, 0xff);
  const sum = joinedSum(adler32(header), sumAt(content), length);
  return concatBytes([
    content.subarray(0, ZLIB),
    stored,
    header,
    content.subarray(ZLIB, -SUM),
    sumBytes(sum),
  ]);
}

/** Returns the zlib stream of the content alone, in parts and without a copy; `null` where the loose object was not made by `looseStream`. */
export function contentStream(loose: Uint8Array, header: Uint8Array, length: number): Uint8Array[] | null {
  const start = ZLIB + STORED + header.length;
  const isStored = loose[ZLIB] === 0 && loose[ZLIB + 1] === header.length && loose[ZLIB + 2] === 0;
  if (!isStored || loose.length < start + SUM) return null;
  const sum = partedSum(adler32(header), sumAt(loose), length);
  return [loose.subarray(0, ZLIB), loose.subarray(start, -SUM), sumBytes(sum)];
}

/** An Adler-32 (RFC 1950): the sum of the bytes, and the sum of those sums. */
interface Adler {
  a: number;
  b: number;
}

/** The largest prime below 65,536. */
const BASE = 65_521;

/** Computes the Adler-32 sum of a few bytes. */
function adler32(bytes: Uint8Array): Adler {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a += byte;
    b += a;
  }
  return { a: a % BASE, b: b % BASE };
}

function sumAt(stream: Uint8Array): Adler {
  const [b1, b0, a1, a0] = stream.subarray(-SUM) as unknown as [number, number, number, number];
  return { a: a1 * 256 + a0, b: b1 * 256 + b0 };
}

function sumBytes({ a, b }: Adler): Uint8Array {
  return Uint8Array.of(b >> 8, b, a >> 8, a);
}

/** The sum of two parts, of which the second has `length` bytes. */
function joinedSum(first: Adler, second: Adler, length: number): Adler {
  const shift = (length % BASE) * (first.a - 1);
  return { a: modulo(first.a + second.a - 1), b: modulo(first.b + second.b + shift) };
}

/** The sum of the second part, of which the first and both together are known. */
function partedSum(first: Adler, both: Adler, length: number): Adler {
  const shift = (length % BASE) * (first.a - 1);
  return { a: modulo(both.a - first.a + 1), b: modulo(both.b - first.b - shift) };
}

function modulo(value: number): number {
  return ((value % BASE) + BASE) % BASE;
}
