/** Numbers for lines, the same for equal ones: what a comparison works with, in some bytes a line. */

import { lineStarts } from '../lines.ts';

/** The numbers of the lines of two texts, in order. */
export interface LineIds {
  old: Uint32Array;
  new: Uint32Array;
  /** Numbers are below this. */
  count: number;
}

/** Whole lines of a text, by offsets. Not a text of its own: V8 takes twice as long for the characters of a part. */
export interface TextPart {
  text: string;
  from: number;
  to: number;
}

/** Each line ended by `lineBreak` alone, which is part of the line; an unended last one counts. */
export function lineIds(old: TextPart, fresh: TextPart, lineBreak: '\n' | '\r'): LineIds {
  const starts = [old, fresh].map(({ text, from, to }) => lineStarts(text, lineBreak, from, to));
  const known = new KnownLines(starts[0]!.length + starts[1]!.length);
  const ids = known.idsOf(old, starts[0]!);
  return { old: ids, new: known.idsOf(fresh, starts[1]!), count: known.count };
}

/**
 * Hashes are seeded anew in each process: nobody can choose lines that make all of this quadratic. Numbers go by the
 * order in which lines come, so they do not depend on it.
 */
const SEED = Math.floor(Math.random() * 2 ** 31);

/** The lines seen so far, in a hash table with open addressing: a Map of strings takes ten times as long. */
class KnownLines {
  count = 0;
  /** A number plus one, or 0 for a free place; at most half of them are taken. */
  readonly #table: Uint32Array;
  readonly #hashes: Int32Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  #text = '';
  /** The text before it, whose lines have the numbers below `#fromHere`. */
  #textBefore = '';
  #fromHere = 0;

  constructor(most: number) {
    this.#table = new Uint32Array(2 ** Math.ceil(Math.log2(2 * most + 2)));
    this.#hashes = new Int32Array(most);
    this.#starts = new Uint32Array(most);
    this.#ends = new Uint32Array(most);
  }

  /** Of the first text, and then of the second. */
  idsOf({ text, to }: TextPart, starts: Uint32Array): Uint32Array {
    [this.#textBefore, this.#text, this.#fromHere] = [this.#text, text, this.count];
    const ids = new Uint32Array(starts.length);
    for (let n = 0; n < ids.length; n++)
      ids[n] = this.#idOf(starts[n]!, n + 1 < ids.length ? starts[n + 1]! : to);
    return ids;
  }

  #idOf(start: number, end: number): number {
    const hash = hashOf(this.#text, start, end);
    const mask = this.#table.length - 1;
    let place = hash & mask;
    for (let taken = this.#table[place]!; taken > 0; taken = this.#table[place]!) {
      if (this.#hashes[taken - 1] === hash && this.#isSame(taken - 1, start, end)) return taken - 1;
      place = (place + 1) & mask;
    }
    this.#table[place] = this.count + 1;
    this.#hashes[this.count] = hash;
    this.#starts[this.count] = start;
    this.#ends[this.count] = end;
    return this.count++;
  }

  #isSame(id: number, start: number, end: number): boolean {
    const other = id < this.#fromHere ? this.#textBefore : this.#text;
    const text = this.#text;
    const shift = this.#starts[id]! - start;
    if (this.#ends[id]! !== end + shift) return false;
    for (let at = start; at < end; at++)
      if (text.charCodeAt(at) !== other.charCodeAt(at + shift)) return false;
    return true;
  }
}

/** FNV-1a over pairs of UTF-16 units, with the bits mixed once more (the end of MurmurHash3) since the low ones choose a place. */
function hashOf(text: string, start: number, end: number): number {
  let hash = SEED;
  let at = start;
  for (; at + 1 < end; at += 2)
    hash = Math.imul(hash ^ text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 16), 0x01000193);
  if (at < end) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
