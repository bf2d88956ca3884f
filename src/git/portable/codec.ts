/**
 * Git's encodings by what every JavaScript engine has: Web Crypto and compression streams. They need no import, where
 * isomorphic-git (whose inflate is not public) costs 90 ms; it is loaded when the first pack is read.
 */

import { collected, concatBytes, partsOf } from '../../bytes.ts';
import {
  type Codec,
  type EncodedObject,
  type ObjectType,
  objectHeader,
  type Packs,
  type PacksOptions,
  toHex,
  tooLarge,
} from '../objects/object.ts';
import { PortablePacks } from './packs.ts';

/** The codec for browsers and for file systems in memory. Browsers have Web Crypto on https and localhost only. */
export const portableCodec: Codec = {
  hash: (type, content) => sha1(concatBytes([objectHeader(type, content.length), content])),
  sha1,
  encode,
  // A compression stream of the browser has one level.
  compressing: () => portableCodec,
  inflate: async (bytes, maxBytes = Number.POSITIVE_INFINITY) => {
    return await through(new DecompressionStream('deflate'), bytes, maxBytes + 32);
  },
  packs: (options: PacksOptions): Packs => new PortablePacks(options),
  packing: null,
};

async function sha1(...parts: readonly Uint8Array[]): Promise<string> {
  const bytes = parts.length === 1 ? parts[0]! : concatBytes(parts);
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-1', bytes as Uint8Array<ArrayBuffer>)));
}

async function encode(type: ObjectType, content: Uint8Array, known?: string): Promise<EncodedObject> {
  const stored = concatBytes([objectHeader(type, content.length), content]);
  const deflating = through(new CompressionStream('deflate'), stored, Number.POSITIVE_INFINITY);
  const [oid, deflated] = await Promise.all([known ?? sha1(stored), deflating]);
  return { oid, type, content, deflated };
}

function through(
  stream: CompressionStream | DecompressionStream,
  bytes: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array> {
  const through = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream);
  return collected(partsOf(through), maxBytes, tooLarge);
}
