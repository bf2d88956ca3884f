/**
 * Commits by what they were asked under, in 36 bytes each: two keys as 64-bit fingerprints, and the commit. A fingerprint
 * only says where to look: whoever finds a commit by it reads there what the key is. A repository of 100,000 edits takes
 * 3.6 MB, where texts and objects took a hundred times that.
 */

import { fromHex, toHex } from '../../git/objects/object.ts';

/** 32-bit words: two keys of two words, a commit of five. */
const WORDS = 9;
const KEYS = 4;
const ROW = WORDS * 4;

export class IdRows {
  /** The oldest first. */
  #words: Uint32Array;
  #count: number;

  /** Of `bytes`, or none. */
  constructor(bytes: Uint8Array = new Uint8Array()) {
    this.#words = new Uint32Array(bytes.slice().buffer);
    this.#count = bytes.length / ROW;
  }

  /** True for bytes of whole rows. */
  static fits(bytes: Uint8Array): boolean {
    return bytes.length % ROW === 0;
  }

  /** Adds a newer commit. A key that it does not have is ''. */
  add(first: string, second: string, commit: string): void {
    if ((this.#count + 1) * WORDS > this.#words.length) this.#grow();
    const at = this.#count++ * WORDS;
    this.#words.set([...fingerprint(first), ...fingerprint(second)], at);
    new Uint8Array(this.#words.buffer).set(fromHex(commit), (at + KEYS) * 4);
  }

  /** The newest commit with this first or second key, or with one of the same fingerprint; `null` for none. */
  newest(which: 'first' | 'second', key: string): string | null {
    const [high, low] = fingerprint(key);
    const offset = which === 'first' ? 0 : 2;
    for (let row = this.#count - 1; row >= 0; row--) {
      const at = row * WORDS;
      if (this.#words[at + offset] !== high || this.#words[at + offset + 1] !== low) continue;
      return toHex(new Uint8Array(this.#words.buffer, (at + KEYS) * 4, 20));
    }
    return null;
  }

  get bytes(): Uint8Array {
    return new Uint8Array(this.#words.buffer, 0, this.#count * ROW);
  }

  #grow(): void {
    const words = new Uint32Array(Math.max(64 * WORDS, this.#words.length * 2));
    words.set(this.#words);
    this.#words = words;
  }
}

/** Two independent 32-bit hashes of the text, of multiplications as in MurmurHash. */
function fingerprint(text: string): readonly [number, number] {
  let high = 0x9e3779b9 ^ text.length;
  let low = 0x85ebca6b ^ text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x5bd1e995);
    low = Math.imul(low ^ unit, 0x1b873593);
    high ^= high >>> 13;
    low ^= low >>> 15;
  }
  return [high >>> 0, low >>> 0];
}
