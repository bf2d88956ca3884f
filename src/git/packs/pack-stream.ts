/** Writes a pack entry by entry (gitformat-pack(5)): nothing of it has to fit into memory but what its index says. */

import { concatBytes, fromLatin1 } from '../../bytes.ts';
import { type ObjectType, type PackCodec, toHex } from '../objects/object.ts';
import { entryHeader } from './entry-header.ts';

/** Takes the next bytes of the pack; they are not changed afterwards. */
export type PackSink = (bytes: Uint8Array) => Promise<void>;

/** Bytes that are handed on together. */
const BUFFER = 256 * 1024;

export class PackStream {
  /** Where the next entry begins. */
  offset = 0;
  readonly #codec: PackCodec;
  readonly #sink: PackSink;
  readonly #hash: ReturnType<PackCodec['sha1']>;
  #buffer = new Uint8Array(BUFFER);
  #filled = 0;

  private constructor(codec: PackCodec, sink: PackSink) {
    this.#codec = codec;
    this.#sink = sink;
    this.#hash = codec.sha1();
  }

  /** Begins a pack of so many objects. */
  static async begin(codec: PackCodec, count: number, sink: PackSink): Promise<PackStream> {
    const stream = new PackStream(codec, sink);
    await stream.#put(concatBytes([fromLatin1('PACK'), uint32Bytes(2), uint32Bytes(count)]));
    return stream;
  }

  /**
   * Writes one entry: `size` bytes of an object, or of a delta against the entry at byte `base`, as a zlib stream, whole or
   * in parts. Answers its CRC-32.
   */
  async add(
    kind: { type: ObjectType } | { base: number },
    size: number,
    deflated: Uint8Array | AsyncIterable<Uint8Array>,
  ): Promise<number> {
    const header = entryHeader('type' in kind ? kind : { distance: this.offset - kind.base }, size);
    let crc = this.#codec.crc32(header);
    await this.#put(header);
    if (deflated instanceof Uint8Array) {
      await this.#put(deflated);
      return this.#codec.crc32(deflated, crc);
    }
    for await (const part of deflated) {
      crc = this.#codec.crc32(part, crc);
      await this.#put(part);
    }
    return crc;
  }

  /** Ends the pack with the SHA-1 of all of it, and answers that. */
  async finish(): Promise<string> {
    await this.#flush();
    const checksum = this.#hash.digest();
    await this.#sink(checksum);
    return toHex(checksum);
  }

  /** A promise only when the buffer is full: most entries have a few dozen bytes. */
  #put(bytes: Uint8Array): Promise<void> | undefined {
    this.offset += bytes.length;
    if (this.#filled + bytes.length >= BUFFER) return this.#putLong(bytes);
    this.#buffer.set(bytes, this.#filled);
    this.#filled += bytes.length;
    return undefined;
  }

  async #putLong(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + BUFFER - this.#filled);
      this.#buffer.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === BUFFER) await this.#flush();
    }
  }

  async #flush(): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#filled);
    this.#buffer = new Uint8Array(BUFFER);
    this.#filled = 0;
    this.#hash.update(bytes);
    await this.#sink(bytes);
  }
}

/** Most significant byte first. */
export function uint32Bytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}
