/**
 * Reads what git's commit-graph says of commits (gitformat-commit-graph(5)): parents, dates and generation numbers, in
 * one file or in layers of files of which each goes on from the one below.
 */

import { uint32 } from '../../bytes.ts';
import { firstNotBefore } from '../../sorted.ts';
import type { CommitInfo } from './commit.ts';
import { fromHex, toHex } from './object.ts';

export const ID_BYTES = 20;
/** The bytes of a commit: the id of its tree, positions of two parents, generation and date. */
export const DATA_BYTES = 36;
const NO_PARENT = 0x7000_0000;
/** Set in the second parent where the others are in a list, in the last parent of that list, and in a large offset. */
const FLAG = 0x8000_0000;
const TWO_BITS = 2 ** 32;
/** Where the parts of one file lie, as byte offsets. */
export interface Layer {
  bytes: Uint8Array;
  /** The number of commits that it has, and of those in the files below it. */
  count: number;
  below: number;
  fanOut: number;
  ids: number;
  data: number;
  edges: Range | null;
  dates: Range | null;
  largeDates: Range | null;
}

export type Range = readonly [from: number, to: number];

export class CommitGraph {
  readonly #layers: readonly Layer[];
  readonly #count: number;
  /** Generation numbers by position; `null` where git wrote none. */
  readonly #generations: Float64Array | null;

  /** Throws an Error where what the files say cannot be. */
  constructor(layers: readonly Layer[]) {
    this.#layers = layers;
    this.#count = layers.reduce((sum, { count }) => sum + count, 0);
    const dated = layers.every(({ dates }) => dates !== null);
    this.#generations = this.#checked(dated ? correctedDate : topologicalLevel);
  }

  get hasGenerations(): boolean {
    return this.#generations !== null;
  }

  /** `null` for a commit that it does not have. */
  find(oid: string): CommitInfo | null {
    const wanted = fromHex(oid);
    for (let n = this.#layers.length - 1; n >= 0; n--) {
      const layer = this.#layers[n]!;
      const at = positionIn(layer, wanted);
      if (at >= 0) return this.#info(layer, at);
    }
    return null;
  }

  #info(layer: Layer, at: number): CommitInfo {
    return {
      parents: this.#parents(layer, at).map(position => this.#oidOf(position)),
      seconds: secondsAt(layer, at),
      generation: this.#generations?.[layer.below + at] ?? Number.POSITIVE_INFINITY,
    };
  }

  #oidOf(position: number): string {
    const layer = this.#layers.findLast(({ below }) => below <= position)!;
    const at = layer.ids + (position - layer.below) * ID_BYTES;
    return toHex(layer.bytes.subarray(at, at + ID_BYTES));
  }

  /** Their positions, counted through all files. */
  #parents({ bytes, data, edges }: Layer, at: number): number[] {
    const row = data + at * DATA_BYTES + ID_BYTES;
    const [first, second] = [uint32(bytes, row), uint32(bytes, row + 4)];
    if (first === NO_PARENT) return [];
    if (second === NO_PARENT) return [first];
    if (second < FLAG) return [first, second];
    const parents = [first];
    const [from, to] = edges ?? [0, 0];
    for (let edge = from + (second - FLAG) * 4, more = true; more; edge += 4) {
      if (edge + 4 > to) throw new Error('a list of parents does not end');
      const parent = uint32(bytes, edge);
      more = parent < FLAG;
      parents.push(more ? parent : parent - FLAG);
    }
    return parents;
  }

  /** Generation numbers, if there are any, each above those of the parents: so no commit is its own ancestor. */
  #checked(generationOf: (layer: Layer, at: number) => number): Float64Array | null {
    const generations = new Float64Array(this.#count);
    let isWhole = true;
    for (const layer of this.#layers)
      for (let at = 0; at < layer.count; at++) {
        const generation = generationOf(layer, at);
        generations[layer.below + at] = generation;
        isWhole &&= generation > 0 && generation < Number.MAX_SAFE_INTEGER;
      }
    for (const layer of this.#layers)
      for (let at = 0; at < layer.count; at++) this.#checkParents(layer, at, isWhole ? generations : null);
    return isWhole ? generations : null;
  }

  #checkParents(layer: Layer, at: number, generations: Float64Array | null): void {
    const end = layer.below + layer.count;
    const own = generations?.[layer.below + at] ?? 0;
    const row = layer.data + at * DATA_BYTES + ID_BYTES;
    const [first, second] = [uint32(layer.bytes, row), uint32(layer.bytes, row + 4)];
    // Hardly any commit has more than two: no list is made for the others.
    const others = second >= FLAG && first !== NO_PARENT ? this.#parents(layer, at) : NONE;
    for (let n = 0; n < 2 + others.length; n++) {
      const parent = n === 0 ? first : n === 1 ? second : others[n - 2]!;
      if (parent === NO_PARENT || (n === 1 && others !== NONE)) continue;
      if (parent >= end) throw new Error('a parent is not in the file');
      if (generations && generations[parent]! >= own) throw new Error('a parent comes after its child');
    }
  }
}

const NONE: readonly number[] = [];

/** Between the fan-out's bounds by binary search; -1 where it is not. */
function positionIn({ bytes, fanOut, ids, count }: Layer, wanted: Uint8Array): number {
  const first = wanted[0]!;
  const low = first === 0 ? 0 : uint32(bytes, fanOut + (first - 1) * 4);
  const high = Math.min(uint32(bytes, fanOut + first * 4), count);
  const order = (at: number): number => compareIds(bytes, ids + at * ID_BYTES, wanted, 0);
  const found = firstNotBefore(low, high, at => order(at) < 0);
  return found < high && order(found) === 0 ? found : -1;
}

export function compareIds(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number): number {
  for (let i = 0; i < ID_BYTES; i++) {
    const difference = a[aAt + i]! - b[bAt + i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** 30 bits of the topological level, then 34 of the date. */
function topologicalLevel({ bytes, data }: Layer, at: number): number {
  return uint32(bytes, data + at * DATA_BYTES + ID_BYTES + 8) >>> 2;
}

function secondsAt({ bytes, data }: Layer, at: number): number {
  const word = data + at * DATA_BYTES + ID_BYTES + 8;
  return (uint32(bytes, word) & 3) * TWO_BITS + uint32(bytes, word + 4);
}

/** Generation number v2: the commit's date, or that of the newest ancestor and a second. */
function correctedDate(layer: Layer, at: number): number {
  const { bytes, dates, largeDates } = layer;
  const offset = uint32(bytes, dates![0] + at * 4);
  if (offset < FLAG) return secondsAt(layer, at) + offset;
  const large = (largeDates?.[0] ?? bytes.length) + (offset - FLAG) * 8;
  if (large + 8 > (largeDates?.[1] ?? 0)) throw new Error('an offset of a date is not in the file');
  return secondsAt(layer, at) + uint32(bytes, large) * TWO_BITS + uint32(bytes, large + 4);
}
