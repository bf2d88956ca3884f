/**
 * Reading git's commit-graph: `info/commit-graph`, or the files that `info/commit-graphs/commit-graph-chain` names. It is
 * never the truth: a file that is damaged, cut off, of another version or of commits that were grafted is ignored, and the
 * same is read from the commits. One that is whole is believed, as git believes it.
 */

import { fromUtf8, includesText, latin1, uint32 } from '../../bytes.ts';
import { type Fs, orNull } from '../../fs/fs.ts';
import { parentOf } from '../paths.ts';
import { CommitGraph, compareIds, DATA_BYTES, ID_BYTES, type Layer, type Range } from './commit-graph.ts';
import { type Codec, isOid, toHex } from './object.ts';

const HEADER_BYTES = 8;
/** Bytes of a row in the table of chunks: a name of 4 bytes and an offset of 8. */
const ROW_BYTES = 12;
const FAN_OUT_BYTES = 256 * 4;
const TWO_BITS = 2 ** 32;
/** A larger file is not worth the memory. */
const MOST_BYTES = 512 * 1024 * 1024;

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
  return packed !== null && includesText(packed, ' refs/replace/');
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
  const stat = await fs.lstat(path);
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
