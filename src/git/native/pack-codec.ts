/** The codec for writing packs, by node's own modules. */

import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import zlib from 'node:zlib';
import { type CompressionLevels, objectHeader, type PackCodec, type PackInput } from '../objects/object.ts';
import { contentStream } from './object-streams.ts';
import { deflateAside, deflateNow } from './short-streams.ts';

export function nativePackCodec(levels: () => CompressionLevels): PackCodec {
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
