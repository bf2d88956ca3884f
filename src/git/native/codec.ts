/**
 * Git's encodings by node's own modules. All calls are synchronous inside: for the small objects of an edit that is
 * several times faster than the thread pool, and nothing has to be loaded at start-up.
 */

import { createHash, hash as hashOnce } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import zlib, { inflateSync } from 'node:zlib';
import { concatBytes } from '../../bytes.ts';
import { errno } from '../../fs/fs.ts';
import {
  type Codec,
  type EncodedObject,
  type GitObject,
  type ObjectType,
  objectHeader,
  type PackInput,
  type Packs,
  type PacksOptions,
  tooLarge,
} from '../objects/object.ts';
import { NativePacks } from './packs.ts';
import { compact, deflateAside, deflateNow, inflateShortWhole, LARGE } from './short-streams.ts';

export const nativeCodec: Codec = {
  hash: hashObject,
  sha1: (...parts) => {
    const hash = createHash('sha1');
    for (const part of parts) hash.update(part);
    return hash.digest('hex');
  },
  encode: async (type, content, oid = hashObject(type, content)) => deflatedWhenAsked({ oid, type, content }),
  inflate,
  packs: (options: PacksOptions): Packs => new NativePacks(options),
  packing: {
    entry: async object => takenOver(object) ?? [await deflateAside(object.content)],
    crc32: (bytes, before = 0) => zlib.crc32(bytes, before),
    sha1,
    turn,
  },
};

/** Header and content of what is hashed at once: for short objects that takes a quarter of the time of a stream. */
const hashed = Buffer.alloc(64 * 1024);

function hashObject(type: ObjectType, content: Uint8Array): string {
  if (content.length < hashed.length - 32) {
    const header = hashed.write(`${type} ${content.length}\0`, 'latin1');
    hashed.set(content, header);
    return hashOnce('sha1', hashed.subarray(0, header + content.length), 'hex');
  }
  return createHash('sha1').update(objectHeader(type, content.length)).update(content).digest('hex');
}

/** Makes an object that is deflated when it is first asked for that: a dry run writes none. */
function deflatedWhenAsked(object: GitObject & { oid: string }): EncodedObject {
  let deflated: Uint8Array | undefined;
  const encoded: EncodedObject = {
    ...object,
    get deflated() {
      deflated ??= isStored(object) ? storedObject(object) : looseStream(object, deflateNow(object.content));
      return deflated;
    },
  };
  if (object.content.length >= LARGE)
    encoded.deflate = async () => {
      deflated ??= looseStream(object, await deflateAside(object.content));
    };
  return encoded;
}

/** Inflates a stored object. Its header is at most 32 bytes, so `maxBytes` of content fit with a little room. */
async function inflate(bytes: Uint8Array, maxBytes: number = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const limit = Math.min(maxBytes + 32, 0xffff_ffff);
  const short = inflateShortWhole(bytes);
  if (short && short.length <= limit) return short;
  try {
    return compact(inflateSync(bytes, { maxOutputLength: limit }));
  } catch (error) {
    throw errno(error) === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(maxBytes) : error;
  }
}

/** Takes over what is deflated already for a loose object, which is not deflated once more. */
function takenOver({ type, content, deflated }: Omit<PackInput, 'oid'>): Uint8Array[] | null {
  return deflated ? contentStream(deflated, objectHeader(type, content.length), content.length) : null;
}

function sha1(): ReturnType<Codec['packing']['sha1']> {
  const hash = createHash('sha1');
  return { update: bytes => void hash.update(bytes), digest: () => hash.digest() };
}

/** Milliseconds of work between two turns. */
const MILLISECONDS = 4;
let since = 0;

async function turn(): Promise<void> {
  if (performance.now() - since < MILLISECONDS) return;
  await nextTurn();
  since = performance.now();
}

/** Bytes of a zlib header, of the head of a stored block, and of an Adler-32. */
const ZLIB = 2;
const STORED = 5;
const SUM = 4;

/** Bytes of trees and commits that are stored. */
const MOST_STORED = 16 * 1024;

/**
 * True for a tree or commit that is not deflated before it is packed. Its loose file and its record stay for a second as a rule,
 * nobody waits for the checkpoint that packs it, and most of a tree are ids, of which deflating makes nothing shorter.
 */
function isStored({ type, content }: GitObject): boolean {
  return type !== 'blob' && content.length <= MOST_STORED;
}

/** Makes what the file of a loose object holds: a zlib stream of one stored block, the last one, by which `contentStream` tells it. */
function storedObject({ type, content }: GitObject): Uint8Array {
  const header = objectHeader(type, content.length);
  const [size, start] = [header.length + content.length, ZLIB + STORED];
  const bytes = new Uint8Array(start + size + SUM);
  bytes.set([0x78, 0x01, 1, size, size >> 8, ~size, ~size >> 8]);
  bytes.set(header, start);
  bytes.set(content, start + header.length);
  let [a, b] = [1, 0];
  // Of as many bytes as are stored, the sums of sums stay exact.
  for (let at = start; at < start + size; at++) {
    a += bytes[at]!;
    b += a;
  }
  [a, b] = [a % BASE, b % BASE];
  bytes.set([b >> 8, b, a >> 8, a], start + size);
  return bytes;
}

/** Makes what the file of a loose object holds out of the zlib stream of its content. */
function looseStream({ type, content }: GitObject, stream: Uint8Array): Uint8Array {
  const header = objectHeader(type, content.length);
  const stored = Uint8Array.of(0, header.length, 0, ~header.length, 0xff);
  const sum = sumWith(stream, header, content.length, 1);
  return concatBytes([stream.subarray(0, ZLIB), stored, header, stream.subarray(ZLIB, -SUM), sum]);
}

/** Returns the zlib stream of the content alone, in parts and without a copy; `null` where the loose object was not made by `looseStream`. */
function contentStream(loose: Uint8Array, header: Uint8Array, length: number): Uint8Array[] | null {
  const start = ZLIB + STORED + header.length;
  const isStored = loose[ZLIB] === 0 && loose[ZLIB + 1] === header.length && loose[ZLIB + 2] === 0;
  if (!isStored || loose.length < start + SUM) return null;
  const sum = sumWith(loose, header, length, -1);
  return [loose.subarray(0, ZLIB), loose.subarray(start, -SUM), sum];
}

/** The largest prime below 65,536. */
const BASE = 65_521;

/**
 * The Adler-32 (RFC 1950: the sum of the bytes, and the sum of those sums) at the end of a stream, when the header of the object
 * comes before its `length` bytes of content (`sign` 1), or goes (-1).
 */
function sumWith(stream: Uint8Array, header: Uint8Array, length: number, sign: 1 | -1): Uint8Array {
  let [sum, sums] = [0, 0];
  for (const byte of header) {
    sum += byte;
    sums += sum + 1;
  }
  const [b1, b0, a1, a0] = stream.subarray(-SUM) as unknown as [number, number, number, number];
  const a = modulo(a1 * 256 + a0 + sign * sum);
  const b = modulo(b1 * 256 + b0 + sign * (sums + (length % BASE) * sum));
  return Uint8Array.of(b >> 8, b, a >> 8, a);
}

function modulo(value: number): number {
  return ((value % BASE) + BASE) % BASE;
}
