/**
 * Deflates and inflates short zlib streams. To set up a stream of node's zlib takes longer than to work off most commits,
 * trees and deltas, and leaves much for the garbage collector, so streams are set back and used again. Node has `reset` for
 * that and no documented way to write to a stream at once: what deflateSync uses inside is used here, where it proves to
 * work. Wherever it does not, the answer is `null`, and the caller asks node's own functions.
 */

import { promisify } from 'node:util';
import { createDeflate, createInflate, deflate, deflateSync, inflateSync, type ZlibOptions } from 'node:zlib';

const deflateElsewhere = promisify<Uint8Array, ZlibOptions, Buffer>(deflate);

/** Contents of at most this many bytes go through the streams that are kept. */
const SHORT = 16 * 1024;
/** More bytes than zlib adds to contents of that size that it cannot make shorter. */
const ADDED = 1024;
/** The flag with which zlib is told that all input is there. */
const FINISH = 4;

interface Handle {
  reset(): void;
  writeSync(
    flush: number,
    input: Uint8Array,
    inputFrom: number,
    inputLength: number,
    output: Uint8Array,
    outputFrom: number,
    outputLength: number,
  ): void;
}

/** Shared by all streams: what a stream answers is copied out before the next one writes. */
const output = new Uint8Array(SHORT + ADDED);

class ReusedStream {
  readonly #handle: Handle;
  /** Node's counts after a write: the room left in the output, and the input that was not read. */
  readonly #left: Uint32Array;
  /** Set by node where the stream is damaged. */
  #isDamaged = false;

  constructor(stream: { _handle?: Handle; _writeState?: Uint32Array }) {
    const { _handle: handle, _writeState: left } = stream;
    if (typeof handle?.writeSync !== 'function' || left?.length !== 2) throw new Error('another zlib');
    this.#handle = handle;
    this.#left = left;
    (handle as { onerror?: unknown }).onerror = () => {
      this.#isDamaged = true;
    };
  }

  /** Runs the stream, to at most `room` bytes of output; `null` where it is damaged. */
  run(bytes: Uint8Array, room: number): Uint8Array | null {
    this.#isDamaged = false;
    this.#handle.reset();
    this.#handle.writeSync(FINISH, bytes, 0, bytes.length, output, 0, room);
    return this.#isDamaged ? null : output.slice(0, room - this.#left[0]!);
  }
}

/** Makes a stream that does to a sample, twice, what node's own function takes back; `null` where this node has none. */
function proven(
  make: () => unknown,
  input: Uint8Array,
  isRight: (made: Uint8Array) => boolean,
): ReusedStream | null {
  try {
    const stream = new ReusedStream(make() as ConstructorParameters<typeof ReusedStream>[0]);
    for (let turn = 0; turn < 2; turn++) {
      const made = stream.run(input, output.length);
      if (!made || !isRight(made)) return null;
    }
    return stream;
  } catch {
    return null;
  }
}

const SAMPLE = Uint8Array.from({ length: 300 }, (_, n) => (n * n) % 251);

const inflater: ReusedStream | null = proven(
  () => createInflate(),
  deflateSync(SAMPLE),
  made => Buffer.compare(made, SAMPLE) === 0,
);

/** zlib's Z_BEST_SPEED, git's default for loose objects: a tenth of the time of the default, and a fifth more bytes. A repack makes it smaller. */
const LEVEL: ZlibOptions = { level: 1 };

/** Made when it is first asked for. */
let deflater: ReusedStream | null | undefined;

/**
 * Exactly `size` bytes of the stream that `bytes` begin with, or `null` where they are not to be had this way: the stream is
 * longer, shorter, cut off or damaged, which inflateSync then says.
 */
export function inflateShort(bytes: Uint8Array, size: number): Uint8Array | null {
  if (!inflater || size > SHORT || size === 0) return null;
  const made = inflater.run(bytes, size + 1);
  return made?.length === size ? made : null;
}

/** Inflates all of a stream; `null` where it is not short, or is cut off or damaged. What follows its end is not looked at. */
export function inflateShortWhole(bytes: Uint8Array): Uint8Array | null {
  if (!inflater || bytes.length > SHORT) return null;
  const made = inflater.run(bytes, output.length);
  return made && made.length < output.length ? made : null;
}

/**
 * Deflates `bytes`; `null` where they are not short. Of some inputs node's zlib makes another stream after other
 * input than in a new one: it holds the same, and is not always the same bytes.
 */
export function deflateShort(bytes: Uint8Array): Uint8Array | null {
  if (bytes.length > SHORT) return null;
  const isRight = (made: Uint8Array): boolean => Buffer.compare(inflateSync(made), SAMPLE) === 0;
  if (deflater === undefined) deflater = proven(() => createDeflate(LEVEL), SAMPLE, isRight);
  return deflater?.run(bytes, output.length) ?? null;
}

/**
 * The bytes as a plain array (`Buffer.slice` shares memory where `Uint8Array.slice` copies), copied when they would
 * keep a much larger block of memory alive: zlib answers with a slice of 16 KiB however short the result is.
 */
export function compact(buffer: Buffer): Uint8Array {
  const view = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  return buffer.buffer.byteLength > 2 * view.length ? view.slice() : view;
}

export function deflateNow(bytes: Uint8Array): Uint8Array {
  return deflateShort(bytes) ?? compact(deflateSync(bytes, LEVEL));
}

/** From here on the thread pool is worth its trip: deflating takes over a millisecond. */
export const LARGE: number = 64 * 1024;

export async function deflateAside(bytes: Uint8Array): Promise<Uint8Array> {
  return bytes.length < LARGE ? deflateNow(bytes) : compact(await deflateElsewhere(bytes, LEVEL));
}
