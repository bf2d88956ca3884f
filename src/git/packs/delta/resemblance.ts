/**
 * Finds which objects resemble each other where nothing says whose versions they are: of each content a few pieces are
 * remembered that a similar content has too.
 */

import type { ObjectType } from '../../objects/object.ts';

/** Pieces that are remembered of one content. */
const PIECES = 12;
/** A hash ends a piece when these bits of it are 0: every 64th byte on average. */
const BOUNDARY = 0xfc00_0000;
/** So many pieces must be shared. */
const ENOUGH = 2;
/** Bytes between two steps. */
const STEP = 1 << 19;

export class Resemblance {
  /** By type and piece, the object that had it last. */
  readonly #last = new Map<string, string>();

  /** The object before this one that shares most pieces with it; remembers this one. */
  *add({
    oid,
    type,
    content,
  }: {
    oid: string;
    type: ObjectType;
    content: Uint8Array;
  }): Generator<void, string | undefined> {
    const shared = new Map<string, number>();
    const keys = (yield* pieces(content)).map(piece => `${type}${piece}`);
    for (const key of keys) {
      const other = this.#last.get(key);
      if (other !== undefined) shared.set(other, (shared.get(other) ?? 0) + 1);
      this.#last.set(key, oid);
    }
    const [best] = [...shared].sort((a, b) => b[1] - a[1]);
    return best && best[1] >= Math.min(ENOUGH, keys.length) ? best[0] : undefined;
  }
}

/** The smallest hashes of pieces; a byte counts for the 32 bytes after it, so an edit changes few of them. */
function* pieces(content: Uint8Array): Generator<void, number[]> {
  let smallest: number[] = [];
  let hash = 0;
  for (let at = 0; at < content.length; ) {
    const stop = Math.min(content.length, at + STEP);
    for (; at < stop; at++) {
      hash = ((hash << 1) + GEAR[content[at]!]!) | 0;
      if ((hash & BOUNDARY) === 0) smallest.push(Math.imul(hash, 0x9e3779b1) >>> 0);
    }
    smallest = [...new Set(smallest)].sort((a, b) => a - b).slice(0, PIECES);
    yield;
  }
  return smallest;
}

/** A random number for each byte, always the same. */
const GEAR: Int32Array = Int32Array.from({ length: 256 }, (_, byte) => {
  let t = Math.imul(byte + 1, 0x6d2b79f5);
  t = Math.imul(t ^ (t >>> 15), 1 | t);
  t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
  return t ^ (t >>> 14);
});
