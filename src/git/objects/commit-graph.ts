/**
 * Reads git's commit-graph (gitformat-commit-graph(5)): parents, dates and generation numbers of commits, in
 * `info/commit-graph`, or in the files that `info/commit-graphs/commit-graph-chain` names, of which each goes on from the
 * one below. It is never the truth: a file that is damaged, cut off, of another version or of commits that were grafted
 * is ignored, and the same is read from the commits. One that is whole is believed, as git believes it.
 */

import { fromUtf8, includesText, latin1, uint32 } from '../../bytes.ts';
import { type Fs, orNull } from '../../fs/fs.ts';
import { firstNotBefore } from '../../sorted.ts';
import { parentOf } from '../paths.ts';
import type { CommitInfo } from './commit.ts';
import { type Codec, fromHex, isOid, toHex } from './object.ts';

const ID_BYTES = 20;
/** The bytes of a commit: the id of its tree, positions of two parents, generation and date. */
const DATA_BYTES = 36;
const HEADER_BYTES = 8;
/** Bytes of a row in the table of chunks: a name of 4 bytes and an offset of 8. */
const ROW_BYTES = 12;
const NO_PARENT = 0x7000_0000;
/** Set in the second parent where the others are in a list, in the last parent of that list, and in a large offset. */
const FLAG = 0x8000_0000;
const TWO_BITS = 2 ** 32;
/** A larger file is not worth the memory. */
const MOST_BYTES = 512 * 1024 * 1024;

interface GraphOptions {
  fs: Fs;
  codec: Codec;
  /** The repository's objects folder, and after it those of its alternates. */
  objectsDirs: readonly string[];
}

/** Opens the commit-graph of the first of these folders that has one; `null` where none can be used. */
export async function openCommitGraph(options: GraphOptions): Promise<CommitGraph | null> {
  try {
    if (await isGrafted(options)) return null;
    for (const dir of options.objectsDirs) {
      const file = await readLayer(options, `${dir}/info/commit-graph`, []);
      const layers = file ? [file] : await chainOf(options, dir);
      if (layers.length > 0) return new CommitGraph(layers);
    }
  } catch {
    // What is said of it does not matter: the commits themselves are read.
  }
  return null;
}

/** Git ignores its commit-graph where history is shown otherwise than commits have it; see commit_graph_compatible. */
async function isGrafted({ fs, objectsDirs }: GraphOptions): Promise<boolean> {
  const git = parentOf(objectsDirs[0]!);
  for (const file of ['shallow', 'info/grafts'])
    if ((await orNull(fs.readFile(`${git}/${file}`)))?.length) return true;
  if ((await orNull(fs.readdir(`${git}/refs/replace`)))?.length) return true;
  const packed = await orNull(fs.readFile(`${git}/packed-refs`));
  return packed !== null && includesText(packed, ' refs/replace/');
}

/** Reads the files of a chain, which it names by their checksums, the oldest first. */
async function chainOf(options: GraphOptions, dir: string): Promise<Layer[]> {
  const list = await orNull(options.fs.readFile(`${dir}/info/commit-graphs/commit-graph-chain`));
  const layers: Layer[] = [];
  for (const name of (fromUtf8(list ?? new Uint8Array()) ?? '').split('\n').filter(Boolean)) {
    must(isOid(name), 'the chain names no file');
    let layer: Layer | null = null;
    for (const place of options.objectsDirs)
      layer ??= await readLayer(options, `${place}/info/commit-graphs/graph-${name}.graph`, layers);
    must(layer && toHex(layer.bytes.subarray(-ID_BYTES)) === name, 'a file is missing');
    layers.push(layer);
  }
  return layers;
}

function must(isRight: unknown, why: string): asserts isRight {
  if (!isRight) throw new Error(why);
}

/** Where the parts of one file lie, as byte offsets. */
interface Layer {
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

type Range = readonly [from: number, to: number];

/** Reads a file; `null` where there is none. Throws an Error where it is not what it should be. */
async function readLayer(
  { fs, codec }: GraphOptions,
  path: string,
  below: readonly Layer[],
): Promise<Layer | null> {
  const stat = await fs.lstat(path);
  if (stat === null) return null;
  must(stat.size <= MOST_BYTES, 'too large');
  const bytes = await fs.readFile(path);
  const end = bytes.length - ID_BYTES;
  const header = latin1(bytes.subarray(0, 6));
  must(header === 'CGPH\x01\x01' && bytes[7] === below.length, 'another version');
  must((await codec.sha1(bytes.subarray(0, end))) === toHex(bytes.subarray(end)), 'damaged');
  return layerOf(bytes, chunksOf(bytes, end), below);
}

function chunksOf(bytes: Uint8Array, end: number): Map<string, Range> {
  const chunks = new Map<string, Range>();
  const count = bytes[6]!;
  let last = HEADER_BYTES + (count + 1) * ROW_BYTES;
  for (let row = 0; row < count; row++) {
    const at = HEADER_BYTES + row * ROW_BYTES;
    const [from, to] = [uint64(bytes, at + 4), uint64(bytes, at + ROW_BYTES + 4)];
    must(from >= last && to >= from && to <= end, 'a chunk is not in the file');
    chunks.set(latin1(bytes.subarray(at, at + 4)), [from, to]);
    last = to;
  }
  return chunks;
}

function uint64(bytes: Uint8Array, at: number): number {
  return uint32(bytes, at) * TWO_BITS + uint32(bytes, at + 4);
}

function layerOf(bytes: Uint8Array, chunks: ReadonlyMap<string, Range>, layers: readonly Layer[]): Layer {
  const chunk = (name: string, size: number): Range => {
    const range = chunks.get(name);
    must(range && range[1] - range[0] === size, `the chunk ${name} is not as long as it should be`);
    return range;
  };
  const bases = layers.length > 0 ? chunk('BASE', layers.length * ID_BYTES)[0] : 0;
  for (const [n, layer] of layers.entries()) {
    const order = compareIds(bytes, bases + n * ID_BYTES, layer.bytes, layer.bytes.length - ID_BYTES);
    must(order === 0, 'the file goes on from another one');
  }
  const [fanOut] = chunk('OIDF', 256 * 4);
  const count = uint32(bytes, fanOut + 255 * 4);
  for (let n = 1; n < 256; n++)
    must(uint32(bytes, fanOut + n * 4) >= uint32(bytes, fanOut + (n - 1) * 4), 'unsorted');
  const [ids] = chunk('OIDL', count * ID_BYTES);
  for (let at = ids + ID_BYTES; at < ids + count * ID_BYTES; at += ID_BYTES)
    must(compareIds(bytes, at - ID_BYTES, bytes, at) < 0, 'unsorted');
  const [data] = chunk('CDAT', count * DATA_BYTES);
  const below = layers.reduce((sum, layer) => sum + layer.count, 0);
  const dates = chunks.has('GDA2') ? chunk('GDA2', count * 4) : null;
  const [edges, largeDates] = [chunks.get('EDGE') ?? null, chunks.get('GDO2') ?? null];
  return { bytes, count, below, fanOut, ids, data, edges, dates, largeDates };
}

export class CommitGraph {
  readonly #layers: readonly Layer[];
  /** Generation numbers by position; `null` where git wrote none. */
  readonly #generations: Float64Array | null;

  /** Throws an Error where what the files say cannot be. */
  constructor(layers: readonly Layer[]) {
    this.#layers = layers;
    const dated = layers.every(({ dates }) => dates !== null);
    this.#generations = this.#checked(dated ? correctedDate : topologicalLevel);
  }

  get hasGenerations(): boolean {
    return this.#generations !== null;
  }

  /** Finds a commit in the graph; `null` for one that it does not have. */
  find(oid: string): CommitInfo | null {
    const wanted = fromHex(oid);
    for (const layer of this.#layers.toReversed()) {
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

  /** Returns the positions of a commit's parents, counted through all files. */
  #parents({ bytes, data, edges }: Layer, at: number): number[] {
    const row = data + at * DATA_BYTES + ID_BYTES;
    const [first, second] = [uint32(bytes, row), uint32(bytes, row + 4)];
    if (first === NO_PARENT) return [];
    if (second === NO_PARENT) return [first];
    if (second < FLAG) return [first, second];
    const parents = [first];
    const [from, to] = edges ?? [0, 0];
    for (let edge = from + (second - FLAG) * 4, more = true; more; edge += 4) {
      must(edge + 4 <= to, 'a list of parents does not end');
      const parent = uint32(bytes, edge);
      more = parent < FLAG;
      parents.push(more ? parent : parent - FLAG);
    }
    return parents;
  }

  /** Reads the generation numbers, if there are any. Throws where one is not above those of the parents. */
  #checked(generationOf: (layer: Layer, at: number) => number): Float64Array | null {
    const last = this.#layers.at(-1)!;
    const generations = new Float64Array(last.below + last.count);
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
    for (const parent of this.#parents(layer, at)) {
      must(parent < end, 'a parent is not in the file');
      must(!generations || generations[parent]! < own, 'a parent comes after its child');
    }
  }
}

/** Finds the position of an id in a file; -1 where it is not. */
function positionIn({ bytes, fanOut, ids, count }: Layer, wanted: Uint8Array): number {
  const first = wanted[0]!;
  const low = first === 0 ? 0 : uint32(bytes, fanOut + (first - 1) * 4);
  const high = Math.min(uint32(bytes, fanOut + first * 4), count);
  const order = (at: number): number => compareIds(bytes, ids + at * ID_BYTES, wanted, 0);
  const found = firstNotBefore(low, high, at => order(at) < 0);
  return found < high && order(found) === 0 ? found : -1;
}

function compareIds(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number): number {
  for (let i = 0; i < ID_BYTES; i++) {
    const difference = a[aAt + i]! - b[bAt + i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Reads the topological level: 30 bits before the 34 of the date. */
function topologicalLevel({ bytes, data }: Layer, at: number): number {
  return uint32(bytes, data + at * DATA_BYTES + ID_BYTES + 8) >>> 2;
}

function secondsAt({ bytes, data }: Layer, at: number): number {
  const word = data + at * DATA_BYTES + ID_BYTES + 8;
  return (uint32(bytes, word) & 3) * TWO_BITS + uint32(bytes, word + 4);
}

/** Reads generation number v2: the commit's date, or that of the newest ancestor and a second. */
function correctedDate(layer: Layer, at: number): number {
  const { bytes, dates, largeDates } = layer;
  const offset = uint32(bytes, dates![0] + at * 4);
  if (offset < FLAG) return secondsAt(layer, at) + offset;
  const large = (largeDates?.[0] ?? bytes.length) + (offset - FLAG) * 8;
  must(large + 8 <= (largeDates?.[1] ?? 0), 'an offset of a date is not in the file');
  return secondsAt(layer, at) + uint64(bytes, large);
}
