/** Makes a pack of whole objects and its index (gitformat-pack(5)) in memory. Deltas are git's work, when it packs anew. */

import { fromLatin1, toHex } from '../../bytes.ts';
import { type Codec, fromHex, type ObjectType, type PackCodec, type PackInput } from '../objects/object.ts';
import { entryHeader } from './entry-header.ts';

export interface NewPack {
  /** `pack-<checksum>`, without ending. */
  name: string;
  /** The parts of the pack, one after another. */
  pack: readonly Uint8Array[];
  index: Uint8Array;
}

/** Git's own order: who reads a log reads commits. */
const ORDER: readonly ObjectType[] = ['commit', 'tag', 'tree', 'blob'];

/** An object without its content: of that only the zlib stream is kept. */
interface Entry {
  oid: string;
  type: ObjectType;
  size: number;
  /** In parts. */
  stream: readonly Uint8Array[];
}

/** Builds a pack. An object that is named twice is packed once. The caller has seen that each content is that of its id. */
export async function buildPack(
  { packing }: Pick<Codec, 'packing'>,
  objects: Iterable<PackInput> | AsyncIterable<PackInput>,
): Promise<NewPack> {
  const entries = new Map<string, Entry>();
  for await (const object of objects) {
    const { oid, type, content } = object;
    if (entries.has(oid)) continue;
    entries.set(oid, { oid, type, size: content.length, stream: await packing.entry(object) });
    await packing.turn();
  }
  const ordered = ORDER.flatMap(type => [...entries.values()].filter(one => one.type === type));
  return joinEntries(packing, ordered);
}

async function joinEntries(packing: PackCodec, entries: readonly Entry[]): Promise<NewPack> {
  const pack = [packHeader(entries.length)];
  const hash = packing.sha1();
  hash.update(pack[0]!);
  const rows: IndexRow[] = [];
  let offset = pack[0]!.length;
  for (const { oid, type, size, stream } of entries) {
    const parts = [entryHeader(type, size), ...stream];
    for (const part of parts) hash.update(part);
    rows.push({ oid, offset, crc: parts.reduce((crc, part) => packing.crc32(part, crc), 0) });
    pack.push(...parts);
    offset += parts.reduce((sum, part) => sum + part.length, 0);
    await packing.turn();
  }
  const checksum = await hash.digest();
  pack.push(checksum);
  return { name: `pack-${toHex(checksum)}`, pack, index: await encodeIndex(packing, rows, checksum) };
}

function packHeader(count: number): Uint8Array {
  const bytes = new Uint8Array(12);
  bytes.set(fromLatin1('PACK'));
  const view = new DataView(bytes.buffer);
  view.setUint32(4, 2);
  view.setUint32(8, count);
  return bytes;
}

/** One object of the pack: its CRC-32, and the byte where its entry begins. */
interface IndexRow {
  oid: string;
  crc: number;
  offset: number;
}

const MAGIC = 0xff744f63;
const IDS = 8 + 256 * 4;
/** From here on an offset takes 8 bytes, and its 4 bytes say which of them. */
const LARGE = 0x8000_0000;

/** `rows` in any order, each id once; `packChecksum` is the end of the pack. */
async function encodeIndex(
  { sha1 }: PackCodec,
  rows: readonly IndexRow[],
  packChecksum: Uint8Array,
): Promise<Uint8Array> {
  const sorted = [...rows].sort((a, b) => (a.oid < b.oid ? -1 : 1));
  const large = rows.filter(({ offset }) => offset >= LARGE).length;
  const bytes = new Uint8Array(IDS + rows.length * 28 + large * 8 + 40);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC);
  view.setUint32(4, 2);
  fill(bytes, view, sorted);
  bytes.set(packChecksum, bytes.length - 40);
  const hash = sha1();
  hash.update(bytes.subarray(0, -20));
  bytes.set(await hash.digest(), bytes.length - 20);
  return bytes;
}

function fill(bytes: Uint8Array, view: DataView, sorted: readonly IndexRow[]): void {
  const crcsAt = IDS + sorted.length * 20;
  const offsetsAt = crcsAt + sorted.length * 4;
  const largeAt = offsetsAt + sorted.length * 4;
  const perFirstByte = new Uint32Array(256);
  let large = 0;
  for (const [i, { oid, crc, offset }] of sorted.entries()) {
    bytes.set(fromHex(oid), IDS + i * 20);
    perFirstByte[bytes[IDS + i * 20]!]!++;
    view.setUint32(crcsAt + i * 4, crc);
    view.setUint32(offsetsAt + i * 4, offset < LARGE ? offset : LARGE + large);
    if (offset >= LARGE) view.setBigUint64(largeAt + large++ * 8, BigInt(offset));
  }
  let sum = 0;
  for (let first = 0; first < 256; first++) view.setUint32(8 + first * 4, (sum += perFirstByte[first]!));
}
