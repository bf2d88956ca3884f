/**
 * Git's encodings by node's own modules. All calls are synchronous inside: for the small objects of an edit that is
 * several times faster than the thread pool, and nothing has to be loaded at start-up.
 */

import { createHash, hash as hashOnce } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import zlib, { inflateSync } from 'node:zlib';
import { EditError } from '../../errors.ts';
import { errno } from '../../fs/fs.ts';
import { DEFAULT_LEVELS } from '../compression.ts';
import {
  type Codec,
  type CompressionLevels,
  type EncodedObject,
  type ObjectType,
  objectHeader,
  type PackCodec,
  type PackInput,
  type Packs,
  type PacksOptions,
} from '../objects/object.ts';
import { compact } from './compact.ts';
import { contentStream, looseStream } from './object-streams.ts';
import { NativePacks } from './packs.ts';
import { deflateAside, deflateNow, inflateShortWhole, LARGE } from './short-streams.ts';

/** The codec for Node. */
export const nativeCodec: Codec = codecWith(() => DEFAULT_LEVELS);

function codecWith(levels: () => CompressionLevels): Codec {
  return {
    hash: hashObject,
    sha1: (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha1')).digest('hex'),
    encode: async (type, content, oid = hashObject(type, content)) =>
      new DeflatedWhenAsked(oid, type, content, levels),
    compressing: codecWith,
    inflate,
    packs: (options: PacksOptions): Packs => new NativePacks(options),
    packing: nativePackCodec(levels),
  };
}

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

/** A dry run writes no object. */
class DeflatedWhenAsked implements EncodedObject {
  readonly oid: string;
  readonly type: ObjectType;
  readonly content: Uint8Array;
  readonly deflate?: () => Promise<void>;
  readonly #levels: () => CompressionLevels;
  #deflated: Uint8Array | undefined;

  constructor(oid: string, type: ObjectType, content: Uint8Array, levels: () => CompressionLevels) {
    this.oid = oid;
    this.type = type;
    this.content = content;
    this.#levels = levels;
    if (content.length >= LARGE) this.deflate = () => this.#deflateAside();
  }

  get deflated(): Uint8Array {
    this.#deflated ??= this.#loose(deflateNow(this.content, this.#levels().loose));
    return this.#deflated;
  }

  async #deflateAside(): Promise<void> {
    this.#deflated ??= this.#loose(await deflateAside(this.content, this.#levels().loose));
  }

  #loose(content: Uint8Array): Uint8Array {
    return looseStream(objectHeader(this.type, this.content.length), content, this.content.length);
  }
}

/** As the header of an object is at most 32 bytes, `maxBytes` of content fit with a little room. */
async function inflate(bytes: Uint8Array, maxBytes: number = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const limit = Math.min(maxBytes + 32, 0xffff_ffff);
  const short = inflateShortWhole(bytes);
  if (short && short.length <= limit) return short;
  try {
    return compact(inflateSync(bytes, { maxOutputLength: limit }));
  } catch (error) {
    if (errno(error) !== 'ERR_BUFFER_TOO_LARGE') throw error;
    throw tooLarge(maxBytes);
  }
}

function tooLarge(maxBytes: number): EditError {
  const message = `an object of the repository is larger than ${maxBytes} bytes; read it with git cat-file`;
  return new EditError('TOO_LARGE', message, { limit: maxBytes });
}

function nativePackCodec(levels: () => CompressionLevels): PackCodec {
  return {
    deflate: bytes => deflateNow(bytes, levels().pack),
    entry: async object => takenOver(object) ?? [await deflateAside(object.content, levels().pack)],
    crc32: (bytes, before = 0) => zlib.crc32(bytes, before),
    sha1,
    turn,
  };
}

/** Takes over what is deflated already for a loose object, which is not deflated once more. */
function takenOver({ type, content, deflated }: PackInput): Uint8Array[] | null {
  return deflated ? contentStream(deflated, objectHeader(type, content.length), content.length) : null;
}

function sha1(): ReturnType<PackCodec['sha1']> {
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
