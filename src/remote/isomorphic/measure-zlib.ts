/**
 * Measures a zlib stream without making what it holds: where it ends, and how many bytes it is of. The entries of a pack
 * do not say where they end, and a stranger's entry of four megabytes may hold four gigabytes, so they are measured before
 * anything is inflated. (Compression streams of browsers cannot say where a stream ended.)
 */

/** Where a zlib stream ends, and what it holds. */
export interface Measured {
  /** Where the next entry begins. */
  end: number;
  /** Bytes of what it holds. */
  size: number;
  /** The first bytes of what it holds, at most HEAD. */
  head: Uint8Array;
}

/** Bytes that are kept: the two sizes at the beginning of a delta. */
const HEAD = 20;
const END_OF_BLOCK = 256;
const ADLER = 4;

const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12289, 16385, 24577,
];
const DISTANCE_BITS = [
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
];
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** A table of Huffman codes (RFC 1951, 3.2.2): how many there are of each length, and their symbols in order. */
interface Codes {
  counts: Uint16Array;
  symbols: Uint16Array;
}

/**
 * Measures the stream at byte `start`. Throws an Error for a damaged one, and for one of more than `limit` bytes as soon as
 * that is known.
 */
export function measureZlib(bytes: Uint8Array, start: number, limit: number): Measured {
  const isZlib = (bytes[start]! & 15) === 8 && ((bytes[start]! << 8) | bytes[start + 1]!) % 31 === 0;
  if (!isZlib || (bytes[start + 1]! & 0x20) !== 0) throw damaged();
  const stream = new Deflated(bytes, start + 2, limit);
  while (!stream.block());
  const end = stream.end + ADLER;
  if (end > bytes.length) throw damaged();
  return { end, size: stream.size, head: stream.head.subarray(0, Math.min(stream.size, HEAD)) };
}

class Deflated {
  size = 0;
  readonly head: Uint8Array = new Uint8Array(HEAD);
  readonly #bytes: Uint8Array;
  readonly #limit: number;
  #at: number;
  #bits = 0;
  #count = 0;

  constructor(bytes: Uint8Array, at: number, limit: number) {
    this.#bytes = bytes;
    this.#at = at;
    this.#limit = limit;
  }

  /** The first byte after what was read. */
  get end(): number {
    return this.#at;
  }

  /** Reads a block; true for the last one. */
  block(): boolean {
    const isLast = this.#take(1) === 1;
    const type = this.#take(2);
    if (type === 0) this.#stored();
    else if (type === 1) this.#coded(FIXED, FIXED_DISTANCES);
    else if (type === 2) this.#dynamic();
    else throw damaged();
    return isLast;
  }

  #stored(): void {
    this.#bits = this.#count = 0;
    const view = this.#bytes.subarray(this.#at, this.#at + 4);
    const length = view[0]! | (view[1]! << 8);
    if (view.length < 4 || (length ^ (view[2]! | (view[3]! << 8))) !== 0xffff) throw damaged();
    this.#at += 4;
    if (this.#at + length > this.#bytes.length) throw damaged();
    for (let i = 0; i < length && this.size + i < HEAD; i++)
      this.head[this.size + i] = this.#bytes[this.#at + i]!;
    this.#at += length;
    this.#grow(length);
  }

  #dynamic(): void {
    const [literals, distances, lengths] = [this.#take(5) + 257, this.#take(5) + 1, this.#take(4) + 4];
    const own = new Uint8Array(19);
    for (let i = 0; i < lengths; i++) own[CODE_ORDER[i]!] = this.#take(3);
    const codes = codesOf(own);
    const all = new Uint8Array(literals + distances);
    for (let i = 0; i < all.length; ) {
      const symbol = this.#symbol(codes);
      if (symbol < 16) all[i++] = symbol;
      else i = this.#repeat(all, i, symbol);
    }
    this.#coded(codesOf(all.subarray(0, literals)), codesOf(all.subarray(literals)));
  }

  /** 16 repeats the last length, 17 and 18 repeat none. */
  #repeat(all: Uint8Array, at: number, symbol: number): number {
    const times = symbol === 16 ? 3 + this.#take(2) : symbol === 17 ? 3 + this.#take(3) : 11 + this.#take(7);
    if (at + times > all.length || (symbol === 16 && at === 0)) throw damaged();
    all.fill(symbol === 16 ? all[at - 1]! : 0, at, at + times);
    return at + times;
  }

  #coded(literals: Codes, distances: Codes): void {
    for (;;) {
      const symbol = this.#symbol(literals);
      if (symbol === END_OF_BLOCK) return;
      if (symbol < END_OF_BLOCK) {
        if (this.size < HEAD) this.head[this.size] = symbol;
        this.#grow(1);
      } else this.#copy(symbol - 257, distances);
    }
  }

  #copy(code: number, distances: Codes): void {
    if (code >= LENGTH_BASE.length) throw damaged();
    const length = LENGTH_BASE[code]! + this.#take(LENGTH_BITS[code]!);
    const symbol = this.#symbol(distances);
    if (symbol >= DISTANCE_BASE.length) throw damaged();
    const distance = DISTANCE_BASE[symbol]! + this.#take(DISTANCE_BITS[symbol]!);
    if (distance > this.size) throw damaged();
    for (let at = this.size; at < Math.min(this.size + length, HEAD); at++)
      this.head[at] = this.head[at - distance]!;
    this.#grow(length);
  }

  #grow(length: number): void {
    this.size += length;
    if (this.size > this.#limit) throw new Error(`it holds more than ${this.#limit} bytes`);
  }

  #symbol({ counts, symbols }: Codes): number {
    let [code, first, index] = [0, 0, 0];
    for (let length = 1; length <= 15; length++) {
      code |= this.#take(1);
      const count = counts[length]!;
      if (code - first < count) return symbols[index + code - first]!;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw damaged();
  }

  #take(count: number): number {
    while (this.#count < count) {
      if (this.#at >= this.#bytes.length) throw damaged();
      this.#bits |= this.#bytes[this.#at++]! << this.#count;
      this.#count += 8;
    }
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#count -= count;
    return value;
  }
}

function codesOf(lengths: Uint8Array): Codes {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length]!++;
  counts[0] = 0;
  const next = new Uint16Array(16);
  for (let length = 1; length < 15; length++) next[length + 1] = next[length]! + counts[length]!;
  const symbols = new Uint16Array(lengths.length);
  for (const [symbol, length] of lengths.entries()) if (length > 0) symbols[next[length]!++] = symbol;
  return { counts, symbols };
}

const FIXED: Codes = codesOf(
  Uint8Array.from({ length: 288 }, (_, n) => (n < 144 ? 8 : n < 256 ? 9 : n < 280 ? 7 : 8)),
);
const FIXED_DISTANCES: Codes = codesOf(new Uint8Array(30).fill(5));

function damaged(): Error {
  return new Error('a compressed entry is damaged');
}
