/**
 * Encodes a target as a delta of a base (gitformat-pack(5), "Deltified representation"). Most versions of a file or folder
 * differ in one place, so the common beginning and end come first; what lies between is looked up in an index of the
 * base's blocks, as git's diff-delta does.
 */

import { commonPrefix, commonSuffix } from '../../../bytes.ts';
import { DeltaWriter } from './delta-writer.ts';

/** Bytes of a block of the base that is indexed: the shortest piece that is found again. */
const BLOCK = 16;
/** A shared beginning or end that is shorter is written out: a copy instruction takes up to 7 bytes. */
const SHORTEST_END = 8;
/** How many blocks with the same hash are compared at one place. */
const PROBES = 16;
/** A piece this long is taken without a look at the other blocks. */
const GOOD_ENOUGH = 4096;
/** Longer pieces are found in parts, so that one look takes a millisecond at most. */
const LONGEST = 1 << 20;
/** The base of the rolling hash, and its power for the byte that leaves the window. */
const FACTOR = 0x01000193;
const LEAVING = power(FACTOR, BLOCK - 1);
/** About so many bytes are looked at between two steps: a millisecond or less. */
const STEP = 1 << 18;

/** The delta that makes `target` out of `base`. */
export function encodeDelta(base: Uint8Array, target: Uint8Array): Uint8Array {
  const steps = deltaSteps(base, target);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** As `encodeDelta`, in steps, so that large contents do not keep the event loop waiting. */
export function* deltaSteps(base: Uint8Array, target: Uint8Array): Generator<void, Uint8Array> {
  const writer = new DeltaWriter(base.length, target);
  const prefix = yield* sharedStart(base, target);
  const suffix = yield* sharedEnd(base, target, prefix);
  if (prefix > 0) writer.copy(0, prefix);
  yield* encodeMiddle(writer, base, target, { from: prefix, to: target.length - suffix });
  if (suffix > 0) writer.copy(base.length - suffix, suffix);
  return writer.finish();
}

function* sharedStart(base: Uint8Array, target: Uint8Array): Generator<void, number> {
  const most = Math.min(base.length, target.length);
  let length = 0;
  while (length < most) {
    const stop = Math.min(most, length + STEP);
    length += commonPrefix(base.subarray(length, stop), target.subarray(length, stop));
    if (length < stop) break;
    yield;
  }
  return length < SHORTEST_END ? 0 : length;
}

/** Of what the beginning left of both. */
function* sharedEnd(base: Uint8Array, target: Uint8Array, prefix: number): Generator<void, number> {
  const most = Math.min(base.length, target.length) - prefix;
  let length = 0;
  while (length < most) {
    const stop = Math.min(most, length + STEP);
    const [a, b] = [base, target].map(bytes => bytes.subarray(bytes.length - stop, bytes.length - length));
    length += commonSuffix(a!, b!);
    if (length < stop) break;
    yield;
  }
  return length < SHORTEST_END ? 0 : length;
}

interface Range {
  from: number;
  to: number;
}

/** Encodes one range of the target by what can be found anywhere in the base. */
function* encodeMiddle(
  writer: DeltaWriter,
  base: Uint8Array,
  target: Uint8Array,
  { from, to }: Range,
): Generator<void, void> {
  let written = from;
  if (to - from >= BLOCK && base.length >= BLOCK) {
    const index = yield* indexBlocks(base);
    let at = from;
    let hash = hashBlock(target, at);
    let work = 0;
    while (at + BLOCK <= to) {
      const found = index.longest(target, at, hash, { from: written, to });
      work += 1 + found.compared;
      if (found.length > 0) {
        writer.insert(written, found.target);
        writer.copy(found.base, found.length);
        written = at = found.target + found.length;
        if (at + BLOCK <= to) hash = hashBlock(target, at);
      } else {
        if (at + BLOCK < to) hash = rolled(hash, target[at]!, target[at + BLOCK]!);
        at++;
      }
      if (work > STEP) {
        work = 0;
        yield;
      }
    }
  }
  writer.insert(written, to);
}

/** A part of the target that the base has too; `length` 0 for none. */
interface Match {
  base: number;
  target: number;
  length: number;
  /** Bytes that were looked at. */
  compared: number;
}

function* indexBlocks(base: Uint8Array): Generator<void, BlockIndex> {
  const index = new BlockIndex(base);
  const perStep = STEP / BLOCK;
  for (let block = index.blocks - 1; block >= 0; block -= perStep) {
    index.add(Math.max(0, block - perStep + 1), block);
    yield;
  }
  return index;
}

/** The blocks of the base by hash: chains of block numbers, the earliest first. */
class BlockIndex {
  readonly blocks: number;
  readonly #base: Uint8Array;
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  readonly #shift: number;
  /** Of the block that was added last: of a run of equal blocks only the first is kept. */
  #lastHash: number | null = null;

  constructor(base: Uint8Array) {
    this.#base = base;
    this.blocks = Math.floor(base.length / BLOCK);
    const bits = Math.max(4, Math.ceil(Math.log2(this.blocks + 1)));
    this.#shift = 32 - bits;
    this.#first = new Int32Array(1 << bits).fill(-1);
    this.#next = new Int32Array(this.blocks).fill(-1);
  }

  /** Adds the blocks from the last to the first. */
  add(first: number, last: number): void {
    for (let block = last; block >= first; block--) {
      const hash = hashBlock(this.#base, block * BLOCK);
      const slot = this.#slot(hash);
      this.#next[block] = hash === this.#lastHash ? this.#next[block + 1]! : this.#first[slot]!;
      this.#first[slot] = block;
      this.#lastHash = hash;
    }
  }

  /** The longest piece of the base that covers the block of the target at `at` and stays within `range`. */
  longest(target: Uint8Array, at: number, hash: number, range: Range): Match {
    const best = { base: 0, target: at, length: 0, compared: 0 };
    let block = this.#first[this.#slot(hash)]!;
    for (let probe = 0; block >= 0 && probe < PROBES; probe++, block = this.#next[block]!) {
      if (best.length >= GOOD_ENOUGH) break;
      const length = this.#matched(block * BLOCK, target, at, range.to);
      best.compared += length;
      if (length < BLOCK || length <= best.length) continue;
      best.length = length;
      best.base = block * BLOCK;
    }
    if (best.length > 0) this.#extendBack(best, target, range.from);
    return best;
  }

  #matched(from: number, target: Uint8Array, at: number, to: number): number {
    const most = Math.min(this.#base.length - from, to - at, LONGEST);
    let length = 0;
    while (length < most && this.#base[from + length] === target[at + length]) length++;
    return length;
  }

  #extendBack(match: Match, target: Uint8Array, from: number): void {
    while (match.target > from && match.base > 0 && this.#base[match.base - 1] === target[match.target - 1]) {
      match.target--;
      match.base--;
      match.length++;
    }
  }

  #slot(hash: number): number {
    return Math.imul(hash, 0x9e3779b1) >>> this.#shift;
  }
}

function hashBlock(bytes: Uint8Array, at: number): number {
  let hash = 0;
  for (let i = at; i < at + BLOCK; i++) hash = (Math.imul(hash, FACTOR) + bytes[i]!) | 0;
  return hash;
}

/** The hash one byte further on. */
function rolled(hash: number, leaving: number, entering: number): number {
  return (Math.imul(hash - Math.imul(leaving, LEAVING), FACTOR) + entering) | 0;
}

function power(factor: number, exponent: number): number {
  let result = 1;
  for (let i = 0; i < exponent; i++) result = Math.imul(result, factor);
  return result;
}
