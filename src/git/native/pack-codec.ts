/** The codec for writing packs, by node's own modules. */

import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { CompressionLevels, PackCodec } from '../objects/object.ts';
import { compact } from './compact.ts';
import { deflateShort } from './short-streams.ts';

const deflateAside = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.deflate);

export function nativePackCodec(levels: () => CompressionLevels): PackCodec {
  return {
    deflate: (bytes, what = 'pack') => deflate(bytes, levels()[what]),
    deflateParts: (bytes, what = 'pack') => deflateParts(bytes, levels()[what]),
    crc32: (bytes, before = 0) => zlib.crc32(bytes, before),
    sha1,
    turn: () => nextTurn(),
  };
}

/** From here on the thread pool is worth its trip: deflating takes over a millisecond. */
const LARGE = 64 * 1024;

function deflate(bytes: Uint8Array, level: number): Uint8Array | Promise<Uint8Array> {
  if (bytes.length >= LARGE) return deflateAside(bytes, { level }).then(compact);
  return deflateShort(bytes, level) ?? compact(zlib.deflateSync(bytes, { level }));
}

/** As many bytes of a part as keep the trips between the threads few. */
const PART = 256 * 1024;

function deflateParts(bytes: Uint8Array, level: number): AsyncIterable<Uint8Array> {
  const stream = zlib.createDeflate({ level, chunkSize: PART });
  stream.end(bytes);
  return stream;
}

function sha1(): ReturnType<PackCodec['sha1']> {
  const hash = createHash('sha1');
  return { update: bytes => void hash.update(bytes), digest: () => hash.digest() };
}
