/** Numbers for lines, the same for equal ones: what a comparison works with, in some bytes a line. */

import { lineStarts } from '../lines.ts';

/** The numbers of the lines of two texts, in order. */
export interface LineIds {
  old: Uint32Array;
  new: Uint32Array;
  /** Numbers are below this. */
  count: number;
}

/** Each line ended by `lineBreak` alone, which is part of the line; an unended last one counts. */
export function lineIds(oldText: string, newText: string, lineBreak: '\n' | '\r'): LineIds {
  const oldStarts = lineStarts(oldText, lineBreak);
  const newStarts = lineStarts(newText, lineBreak);
  const known = new KnownLines(oldStarts.length + newStarts.length);
  const old = known.idsOf(oldText, oldStarts);
  return { old, new: known.idsOf(newText, newStarts), count: known.count };
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
  idsOf(text: string, starts: Uint32Array): Uint32Array {
    [this.#textBefore, this.#text, this.#fromHere] = [this.#text, text, this.count];
    return starts.map((start, n) => this.#idOf(start, starts[n + 1] ?? text.length));
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

/** FNV-1a over UTF-16 units, with the bits mixed once more (the end of MurmurHash3) since the low ones choose a place. */
function hashOf(text: string, start: number, end: number): number {
  let hash = SEED;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
