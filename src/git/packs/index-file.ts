/** The index of a pack, version 2 (gitformat-pack(5)), written and read as a whole. */

import { uint32 } from '../../bytes.ts';
import { fromHex, type PackCodec, toHex } from '../objects/object.ts';
import { Pace } from './pace.ts';

/** What an index says of the objects of a pack, sorted by id. */
export interface IndexTable {
  count: number;
  /** 20 bytes each. */
  oids: Uint8Array;
  crcs: Uint32Array;
  /** Where each entry begins. */
  offsets: Float64Array;
}

const MAGIC = 0xff744f63;
const IDS = 8 + 256 * 4;
/** From here on an offset takes 8 bytes, and its 4 bytes say which of them. */
const LARGE = 0x8000_0000;
/** Entries between two looks at the clock. */
const SLICE = 4096;

/** A table with room for `count` objects. */
export function emptyTable(count: number): IndexTable {
  const oids = new Uint8Array(count * 20);
  return { count, oids, crcs: new Uint32Array(count), offsets: new Float64Array(count) };
}

/** The bytes of the index of the pack that ends with `packChecksum`. */
export async function encodeIndex(
  codec: PackCodec,
  table: IndexTable,
  packChecksum: string,
): Promise<Uint8Array> {
  const { count, oids, crcs, offsets } = table;
  const large = offsets.reduce((sum, offset) => sum + (offset >= LARGE ? 1 : 0), 0);
  const bytes = new Uint8Array(IDS + count * 28 + large * 8 + 40);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC);
  view.setUint32(4, 2);
  bytes.set(oids, IDS);
  await new Pace(codec).run(fill(view, { count, oids, crcs, offsets }));
  bytes.set(fromHex(packChecksum), bytes.length - 40);
  bytes.set(await checksum(codec, bytes.subarray(0, -20)), bytes.length - 20);
  return bytes;
}

function* fill(view: DataView, { count, oids, crcs, offsets }: IndexTable): Generator<void, void> {
  const crcsAt = IDS + count * 20;
  const offsetsAt = crcsAt + count * 4;
  let largeAt = offsetsAt + count * 4;
  const perFirstByte = new Uint32Array(256);
  for (let i = 0; i < count; i++) {
    perFirstByte[oids[i * 20]!]!++;
    view.setUint32(crcsAt + i * 4, crcs[i]!);
    const offset = offsets[i]!;
    if (offset < LARGE) view.setUint32(offsetsAt + i * 4, offset);
    else {
      view.setUint32(offsetsAt + i * 4, LARGE + (largeAt - offsetsAt - count * 4) / 8);
      view.setBigUint64(largeAt, BigInt(offset));
      largeAt += 8;
    }
    if (i % SLICE === SLICE - 1) yield;
  }
  let sum = 0;
  for (let first = 0; first < 256; first++) view.setUint32(8 + first * 4, (sum += perFirstByte[first]!));
}

async function checksum(codec: PackCodec, bytes: Uint8Array): Promise<Uint8Array> {
  const hash = codec.sha1();
  await new Pace(codec).run(hashParts(hash, bytes));
  return hash.digest();
}

function* hashParts(hash: ReturnType<PackCodec['sha1']>, bytes: Uint8Array): Generator<void, void> {
  for (let at = 0; at < bytes.length; at += 1 << 20) {
    hash.update(bytes.subarray(at, at + (1 << 20)));
    yield;
  }
}

/** Reads an index. Throws an Error when it is damaged, or not of version 2. */
export async function decodeIndex(
  codec: PackCodec,
  bytes: Uint8Array,
): Promise<IndexTable & { packChecksum: string }> {
  if (bytes.length < IDS + 40 || uint32(bytes, 0) !== MAGIC || uint32(bytes, 4) !== 2)
    throw new Error('the index of the pack is not version 2');
  const found = toHex(await checksum(codec, bytes.subarray(0, -20)));
  const count = uint32(bytes, IDS - 4);
  if (found !== toHex(bytes.subarray(-20)) || bytes.length < IDS + count * 28 + 40)
    throw new Error('the index of the pack is damaged');
  const table = emptyTable(count);
  table.oids.set(bytes.subarray(IDS, IDS + count * 20));
  await new Pace(codec).run(readNumbers(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), table));
  return { ...table, packChecksum: toHex(bytes.subarray(-40, -20)) };
}

function* readNumbers(view: DataView, { count, crcs, offsets }: IndexTable): Generator<void, void> {
  const crcsAt = IDS + count * 20;
  const offsetsAt = crcsAt + count * 4;
  const largeAt = offsetsAt + count * 4;
  for (let i = 0; i < count; i++) {
    crcs[i] = view.getUint32(crcsAt + i * 4);
    const short = view.getUint32(offsetsAt + i * 4);
    offsets[i] = short < LARGE ? short : Number(view.getBigUint64(largeAt + (short - LARGE) * 8));
    if (i % SLICE === SLICE - 1) yield;
  }
}
