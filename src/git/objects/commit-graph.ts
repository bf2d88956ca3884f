/**
 * git's commit-graph (gitformat-commit-graph(5)): parents, dates and generation numbers of commits in one file, or in a
 * chain of files of which each goes on from the one before. It is never the truth: a file that is damaged, cut off, of
 * another version or of commits that were grafted is ignored, and the same is read from the commits.
 */

import { type Fs, orNull } from '../../fs/fs.ts';
import { fromUtf8, latin1, uint32 } from '../bytes.ts';
import { parentOf } from '../paths.ts';
import type { CommitInfo } from './commit.ts';
import { type Codec, fromHex, isOid, toHex } from './object.ts';

const HEADER_BYTES = 8;
/** Of the table of chunks: a name and an offset of 8 bytes. */
const ROW_BYTES = 12;
const FAN_OUT_BYTES = 256 * 4;
const ID_BYTES = 20;
/** Of a commit: the id of its tree, positions of two parents, generation and date. */
const DATA_BYTES = 36;
const NO_PARENT = 0x7000_0000;
/** Set in the second parent where the others are in a list, in the last parent of that list, and in a large offset. */
const FLAG = 0x8000_0000;
const TWO_BITS = 2 ** 32;
/** A larger file is not worth the memory. */
const MOST_BYTES = 512 * 1024 * 1024;

/** Where the parts of one file lie, as byte offsets. */
interface Layer {
  bytes: Uint8Array;
  /** How many commits it has, and how many the files below it. */
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
      for (let at = 0; at < layer.count; at++)
        for (const parent of this.#parents(layer, at)) {
          if (parent >= layer.below + layer.count) throw new Error('a parent is not in the file');
          if (isWhole && generations[parent]! >= generations[layer.below + at]!)
            throw new Error('a parent comes after its child');
        }
    return isWhole ? generations : null;
  }
}

/** Between the fan-out's bounds by binary search; -1 where it is not. */
function positionIn({ bytes, fanOut, ids, count }: Layer, wanted: Uint8Array): number {
  const first = wanted[0]!;
  let low = first === 0 ? 0 : uint32(bytes, fanOut + (first - 1) * 4);
  let high = Math.min(uint32(bytes, fanOut + first * 4), count);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compareIds(bytes, ids + middle * ID_BYTES, wanted, 0);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return -1;
}

function compareIds(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number): number {
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

export interface GraphOptions {
  fs: Fs;
  codec: Codec;
  /** The repository's objects folder, and after it those of its alternates. */
  objectsDirs: readonly string[];
}

/** The commit-graph of the first of these folders that has one; `null` where none is there that can be used. */
export async function openCommitGraph(options: GraphOptions): Promise<CommitGraph | null> {
  try {
    if (await isGrafted(options)) return null;
    for (const dir of options.objectsDirs) {
      const layers = (await oneFile(options, dir)) ?? (await chainOf(options, dir));
      if (layers) return new CommitGraph(layers);
    }
    return null;
  } catch {
    return null;
  }
}

/** Git ignores its commit-graph where history is shown otherwise than commits have it; see commit_graph_compatible. */
async function isGrafted({ fs, objectsDirs }: GraphOptions): Promise<boolean> {
  const git = parentOf(objectsDirs[0]!);
  for (const file of ['shallow', 'info/grafts'])
    if (((await orNull(fs.readFile(`${git}/${file}`)))?.length ?? 0) > 0) return true;
  if (((await orNull(fs.readdir(`${git}/refs/replace`)))?.length ?? 0) > 0) return true;
  const packed = await orNull(fs.readFile(`${git}/packed-refs`));
  return packed !== null && latin1(packed).includes(' refs/replace/');
}

async function oneFile(options: GraphOptions, dir: string): Promise<Layer[] | null> {
  const layer = await readLayer(options, `${dir}/info/commit-graph`, []);
  return layer && [layer];
}

/** `commit-graphs/commit-graph-chain` names the files by their checksums, the oldest first. */
async function chainOf(options: GraphOptions, dir: string): Promise<Layer[] | null> {
  const list = await orNull(options.fs.readFile(`${dir}/info/commit-graphs/commit-graph-chain`));
  if (list === null) return null;
  const layers: Layer[] = [];
  for (const name of (fromUtf8(list) ?? '').split('\n').filter(Boolean)) {
    if (!isOid(name)) throw new Error('the chain names no file');
    let layer: Layer | null = null;
    for (const place of options.objectsDirs)
      layer ??= await readLayer(options, `${place}/info/commit-graphs/graph-${name}.graph`, layers);
    if (!layer || toHex(layer.bytes.subarray(-ID_BYTES)) !== name) throw new Error('a file is missing');
    layers.push(layer);
  }
  return layers.length > 0 ? layers : null;
}

/** `null` where there is no such file. Throws an Error where it is not what it should be. */
async function readLayer(
  { fs, codec }: GraphOptions,
  path: string,
  below: readonly Layer[],
): Promise<Layer | null> {
  const stat = await orNull(fs.lstat(path));
  if (stat === null) return null;
  if (stat.size > MOST_BYTES) throw new Error('too large');
  const bytes = await fs.readFile(path);
  const end = bytes.length - ID_BYTES;
  const header = latin1(bytes.subarray(0, 6));
  if (header !== 'CGPH\x01\x01' || bytes[7] !== below.length) throw new Error('another version');
  if ((await codec.sha1(bytes.subarray(0, end))) !== toHex(bytes.subarray(end))) throw new Error('damaged');
  const chunks = chunksOf(bytes, end);
  checkBases(bytes, chunks, below);
  return layerOf(
    bytes,
    chunks,
    below.reduce((sum, { count }) => sum + count, 0),
  );
}

/** By name, where each begins and ends. */
function chunksOf(bytes: Uint8Array, end: number): Map<string, Range> {
  const chunks = new Map<string, Range>();
  const count = bytes[6]!;
  const offset = (row: number): number => {
    const at = HEADER_BYTES + row * ROW_BYTES + 4;
    return uint32(bytes, at) * TWO_BITS + uint32(bytes, at + 4);
  };
  for (let row = 0, last = HEADER_BYTES + (count + 1) * ROW_BYTES; row < count; row++) {
    const range = [offset(row), offset(row + 1)] as const;
    if (range[0] < last || range[1] < range[0] || range[1] > end)
      throw new Error('a chunk is not in the file');
    const name = HEADER_BYTES + row * ROW_BYTES;
    chunks.set(latin1(bytes.subarray(name, name + 4)), range);
    last = range[1];
  }
  return chunks;
}

function checkBases(bytes: Uint8Array, chunks: ReadonlyMap<string, Range>, below: readonly Layer[]): void {
  if (below.length === 0) return;
  const [from, to] = chunkOf(chunks, 'BASE', below.length * ID_BYTES);
  const named = bytes.subarray(from, to);
  for (const [n, layer] of below.entries())
    if (compareIds(named, n * ID_BYTES, layer.bytes, layer.bytes.length - ID_BYTES) !== 0)
      throw new Error('the file goes on from another one');
}

function chunkOf(chunks: ReadonlyMap<string, Range>, name: string, size: number): Range {
  const range = chunks.get(name);
  if (!range || range[1] - range[0] !== size)
    throw new Error(`the chunk ${name} is not as long as it should be`);
  return range;
}

function layerOf(bytes: Uint8Array, chunks: ReadonlyMap<string, Range>, below: number): Layer {
  const [fanOut] = chunkOf(chunks, 'OIDF', FAN_OUT_BYTES);
  const count = uint32(bytes, fanOut + 255 * 4);
  for (let n = 1; n < 256; n++)
    if (uint32(bytes, fanOut + n * 4) < uint32(bytes, fanOut + (n - 1) * 4)) throw new Error('unsorted');
  const [listed] = chunkOf(chunks, 'OIDL', count * ID_BYTES);
  for (let n = 1; n < count; n++)
    if (compareIds(bytes, listed + (n - 1) * ID_BYTES, bytes, listed + n * ID_BYTES) >= 0)
      throw new Error('unsorted');
  const dates = chunks.has('GDA2') ? chunkOf(chunks, 'GDA2', count * 4) : null;
  return {
    bytes,
    count,
    below,
    fanOut,
    ids: listed,
    data: chunkOf(chunks, 'CDAT', count * DATA_BYTES)[0],
    edges: chunks.get('EDGE') ?? null,
    dates,
    largeDates: chunks.get('GDO2') ?? null,
  };
}
