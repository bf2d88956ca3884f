/** Writes the index of a pack, version 2 (gitformat-pack(5)). */

import { fromHex, type PackCodec } from '../objects/object.ts';

/** One object of the pack: its CRC-32, and the byte where its entry begins. */
export interface IndexRow {
  oid: string;
  crc: number;
  offset: number;
}

const MAGIC = 0xff744f63;
const IDS = 8 + 256 * 4;
/** From here on an offset takes 8 bytes, and its 4 bytes say which of them. */
const LARGE = 0x8000_0000;

/** `rows` in any order, each id once; `packChecksum` is the end of the pack. */
export function encodeIndex(
  { sha1 }: Pick<PackCodec, 'sha1'>,
  rows: readonly IndexRow[],
  packChecksum: Uint8Array,
): Uint8Array {
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
  bytes.set(hash.digest(), bytes.length - 20);
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
