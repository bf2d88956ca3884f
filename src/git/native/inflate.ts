/**
 * Inflates short zlib streams. To set up a stream of node's zlib takes longer than to inflate most commits and deltas, and
 * leaves much for the garbage collector, so one stream is set back and used again. Node has `reset` for that and no
 * documented way to write to a stream at once: what inflateSync uses inside is used here, where it proves to work.
 */

import { createInflate, deflateSync } from 'node:zlib';

/** Streams of at most this many inflated bytes go through the one that is kept. */
const SHORT = 16 * 1024;
/** The flag with which zlib is told that all input is there. */
const FINISH = 4;

/** The part of node's own stream handle that is used. */
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

class KeptStream {
  readonly #handle: Handle;
  /** How much room was left in the output and how much input, after a write. */
  readonly #left: Uint32Array;
  readonly #output = new Uint8Array(SHORT + 1);
  /** Set by node where the stream is damaged. */
  readonly #damage: { error: unknown };

  constructor(stream: { _handle?: Handle; _writeState?: Uint32Array }) {
    const { _handle: handle, _writeState: left } = stream;
    if (typeof handle?.writeSync !== 'function' || left?.length !== 2) throw new Error('another zlib');
    this.#handle = handle;
    this.#left = left;
    this.#damage = { error: null };
    (handle as { onerror?: unknown }).onerror = (message: string) => {
      this.#damage.error = new Error(message);
    };
  }

  /** `null` where the input ends before the stream; otherwise as inflateSync. */
  inflate(bytes: Uint8Array, size: number): Uint8Array | null {
    this.#damage.error = null;
    this.#handle.reset();
    this.#handle.writeSync(FINISH, bytes, 0, bytes.length, this.#output, 0, size + 1);
    if (this.#damage.error !== null) return null;
    const written = size + 1 - this.#left[0]!;
    return written === size ? this.#output.slice(0, size) : null;
  }
}

/** `null` where this node has no such stream. */
const kept: KeptStream | null = keptStream();

function keptStream(): KeptStream | null {
  try {
    const stream = new KeptStream(createInflate() as unknown as ConstructorParameters<typeof KeptStream>[0]);
    const sample = Uint8Array.from({ length: 300 }, (_, n) => (n * n) % 251);
    for (let turn = 0; turn < 2; turn++) {
      const made = stream.inflate(deflateSync(sample), sample.length);
      if (!made || Buffer.compare(made, sample) !== 0) return null;
    }
    return stream;
  } catch {
    return null;
  }
}

/**
 * Exactly `size` bytes of the stream that `bytes` begin with, or `null` where they are not to be had this way: the stream is
 * longer, shorter, cut off or damaged, which inflateSync then says.
 */
export function inflateShort(bytes: Uint8Array, size: number): Uint8Array | null {
  return kept && size <= SHORT && size > 0 ? kept.inflate(bytes, size) : null;
}
