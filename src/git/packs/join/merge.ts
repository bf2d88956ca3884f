/** All objects of several packs, each once, sorted by id. */

import { compareIds, type JoinSource } from './source.ts';

/**
 * The entries of all packs have one number each: those of the first pack by their position in its index, then those of
 * the next. About 60 bytes an object are held while packs are joined.
 */
export interface Merged {
  /** The number of the first entry of each pack. */
  starts: readonly number[];
  total: number;
  /** The entries that are kept, sorted by id. */
  sorted: Uint32Array;
  /** By entry, the one that is kept of the same object: that in the earliest pack. */
  kept: Uint32Array;
}

/** Entries between two looks at the clock. */
const SLICE = 2048;

export function* mergeSources(sources: readonly JoinSource[]): Generator<void, Merged> {
  const starts: number[] = [];
  let total = 0;
  for (const { table } of sources) {
    starts.push(total);
    total += table.count;
  }
  const kept = new Uint32Array(total);
  const sorted = new Uint32Array(total);
  const heads = sources.map(() => 0);
  let count = 0;
  for (let done = 0; done < total; done++) {
    const next = smallest(sources, heads);
    const position = heads[next]!++;
    const entry = starts[next]! + position;
    const last = count === 0 ? null : placeOf(starts, sorted[count - 1]!);
    const isSame =
      last !== null &&
      compareIds(sources[last.pack]!.table.oids, last.position, sources[next]!.table.oids, position) === 0;
    if (!isSame) sorted[count++] = entry;
    kept[entry] = sorted[count - 1]!;
    if (done % SLICE === 0) yield;
  }
  return { starts, total, sorted: sorted.subarray(0, count), kept };
}

/** The pack with the smallest next id; of equal ones the earliest. */
function smallest(sources: readonly JoinSource[], heads: readonly number[]): number {
  let best = -1;
  for (let pack = 0; pack < sources.length; pack++) {
    const { table } = sources[pack]!;
    if (heads[pack]! >= table.count) continue;
    if (best < 0 || compareIds(table.oids, heads[pack]!, sources[best]!.table.oids, heads[best]!) < 0)
      best = pack;
  }
  return best;
}

/** Which pack an entry is in, and its position in the index there. */
export function placeOf(starts: readonly number[], entry: number): { pack: number; position: number } {
  let pack = starts.length - 1;
  while (starts[pack]! > entry) pack--;
  return { pack, position: entry - starts[pack]! };
}
