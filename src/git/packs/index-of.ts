/** The index of a pack that was just written. */

import { fromHex, type PackCodec } from '../objects/object.ts';
import { emptyTable, encodeIndex } from './index-file.ts';

/** `entries` in any order; each id once. */
export async function writeIndexOf(
  codec: PackCodec,
  entries: readonly { oid: string; crc: number; offset: number }[],
  packChecksum: string,
): Promise<Uint8Array> {
  const sorted = [...entries].sort((a, b) => (a.oid < b.oid ? -1 : 1));
  const table = emptyTable(sorted.length);
  for (const [i, { oid, crc, offset }] of sorted.entries()) {
    table.oids.set(fromHex(oid), i * 20);
    table.crcs[i] = crc;
    table.offsets[i] = offset;
  }
  return encodeIndex(codec, table, packChecksum);
}
