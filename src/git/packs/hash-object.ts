/** The id of an object of any size, without keeping the event loop waiting. */

import { type Codec, type GitObject, objectHeader, type PackCodec, toHex } from '../objects/object.ts';
import type { Pace } from './pace.ts';

/** Bytes whose hash takes about a millisecond. */
const AT_ONCE = 1 << 20;

export async function hashObject(codec: Codec, pace: Pace | null, object: GitObject): Promise<string> {
  const { type, content } = object;
  if (!codec.packing || !pace || content.length <= AT_ONCE) return await codec.hash(type, content);
  return await pace.run(hashSteps(codec.packing, object));
}

function* hashSteps(codec: PackCodec, { type, content }: GitObject): Generator<void, string> {
  const hash = codec.sha1();
  hash.update(objectHeader(type, content.length));
  for (let at = 0; at < content.length; at += AT_ONCE) {
    hash.update(content.subarray(at, at + AT_ONCE));
    yield;
  }
  return toHex(hash.digest());
}
