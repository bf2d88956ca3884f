/**
 * The index of a pack, version 2 (gitformat-pack(5)): magic, 256 running counts by first byte, sorted ids, checksums,
 * 4-byte offsets, 8-byte offsets, and the ids of pack and index. It is searched by short reads: an index of a large
 * repository has hundreds of megabytes.
 */

import { compareBytes, toHex, uint32 } from '../../bytes.ts';
import { firstNotBefore } from '../../sorted.ts';
import { fromHex } from '../objects/object.ts';
import type { RangedFile } from './ranged-file.ts';

const HEADER_BYTES = 8 + 256 * 4;
/** The number of ids that are read at once when the search has come down to so few. */
const WINDOW = 400;
const MAGIC = 0xff744f63;
/** Set in a 4-byte offset that is the position of an 8-byte one. */
const LARGE = 0x8000_0000;

export class PackIndex {
  readonly #file: RangedFile;
  readonly #fanOut: Uint32Array;

  private constructor(file: RangedFile, fanOut: Uint32Array) {
    this.#file = file;
    this.#fanOut = fanOut;
  }

  /** Reads the header. Throws an Error when the file is no index of version 2, or too short. */
  static async open(file: RangedFile): Promise<PackIndex> {
    const header = await file.read(0, HEADER_BYTES);
    if (uint32(header, 0) !== MAGIC || uint32(header, 4) !== 2)
      throw new Error('the index of the pack is not version 2');
    const fanOut = Uint32Array.from({ length: 256 }, (_, i) => uint32(header, 8 + i * 4));
    const sorted = fanOut.every((count, i) => i === 0 || count >= fanOut[i - 1]!);
    const index = new PackIndex(file, fanOut);
    if (!sorted || file.size < index.#largeOffsets + 40) throw new Error('the index of the pack is damaged');
    return index;
  }

  get count(): number {
    return this.#fanOut[255]!;
  }

  /** Reads the id that the pack ends with. */
  async packId(): Promise<string> {
    return toHex(await this.#file.read(this.#file.size - 40, 20));
  }

  /** Finds the byte of the pack at which the object begins, or `null`. */
  async offsetOf(oid: string): Promise<number | null> {
    const { position, found } = await this.#search(fromHex(oid));
    if (!found) return null;
    const short = uint32(await this.#file.read(HEADER_BYTES + this.count * 24 + position * 4, 4), 0);
    if (short < LARGE) return short;
    const bytes = await this.#file.read(this.#largeOffsets + (short - LARGE) * 8, 8);
    return uint32(bytes, 0) * 2 ** 32 + uint32(bytes, 4);
  }

  async expand(prefix: string): Promise<string[]> {
    const found: string[] = [];
    const { position } = await this.#search(fromHex(prefix.padEnd(40, '0')));
    for (let at = position; at < this.count; at += WINDOW) {
      const count = Math.min(WINDOW, this.count - at);
      const ids = await this.#ids(at, count);
      const oids = Array.from({ length: count }, (_, i) => toHex(ids.subarray(i * 20, i * 20 + 20)));
      found.push(...oids.filter(oid => oid.startsWith(prefix)));
      if (!oids.at(-1)!.startsWith(prefix)) break;
    }
    return found;
  }

  /** Finds the position of the first id that is not below `wanted`, and whether it is that one. */
  async #search(wanted: Uint8Array): Promise<{ position: number; found: boolean }> {
    const first = wanted[0]!;
    let [low, high] = [first === 0 ? 0 : this.#fanOut[first - 1]!, this.#fanOut[first]!];
    while (high - low > WINDOW) {
      const middle = (low + high) >>> 1;
      if (compareId(await this.#ids(middle, 1), 0, wanted) < 0) low = middle + 1;
      else high = middle;
    }
    // The one at the end too: it may be the first that is not below.
    const count = Math.min(high + 1, this.count) - low;
    const ids = await this.#ids(low, count);
    const at = firstNotBefore(0, high - low, one => compareId(ids, one * 20, wanted) < 0);
    return { position: low + at, found: at < count && compareId(ids, at * 20, wanted) === 0 };
  }

  #ids(position: number, count: number): Promise<Uint8Array> {
    return this.#file.read(HEADER_BYTES + position * 20, count * 20);
  }

  get #largeOffsets(): number {
    return HEADER_BYTES + this.count * 28;
  }
}

/** Compares: negative when the id at byte `at` comes before `wanted`, 0 when it is the same. */
function compareId(ids: Uint8Array, at: number, wanted: Uint8Array): number {
  return compareBytes(ids.subarray(at, at + 20), wanted);
}
