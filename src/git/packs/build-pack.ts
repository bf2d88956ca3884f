/** Makes a pack of whole objects and its index (gitformat-pack(5)) in memory. Deltas are git's work, when it packs anew. */

import { fromLatin1 } from '../../bytes.ts';
import { type Codec, type ObjectType, type PackCodec, type PackInput, toHex } from '../objects/object.ts';
import { entryHeader } from './entry-header.ts';
import { encodeIndex, type IndexRow } from './index-file.ts';

export interface NewPack {
  /** `pack-<checksum>`, without ending. */
  name: string;
  /** The parts of the pack, one after another. */
  pack: readonly Uint8Array[];
  index: Uint8Array;
}

/** Git's own order: who reads a log reads commits. */
const ORDER: readonly ObjectType[] = ['commit', 'tag', 'tree', 'blob'];

/**
 * Builds a pack, which is the same for the same objects. One that is named twice is packed once. The caller has seen
 * that each content is that of its id. Where the codec writes no packs, isomorphic-git does.
 */
export async function buildPack(
  codec: Codec,
  objects: Iterable<PackInput> | AsyncIterable<PackInput>,
): Promise<NewPack> {
  return codec.packing ? await buildNative(codec.packing, objects) : await buildPortable(codec, objects);
}

async function buildPortable(
  codec: Codec,
  objects: Iterable<PackInput> | AsyncIterable<PackInput>,
): Promise<NewPack> {
  const loose = new Map<string, Uint8Array>();
  for await (const { oid, type, content, deflated } of objects)
    loose.set(oid, deflated ?? (await codec.encode(type, content, oid)).deflated);
  const { packLoose } = await import('../portable/pack-writer.ts');
  const { name, pack, index } = await packLoose(loose);
  return { name, pack: [pack], index };
}

/** An object without its content: of that only the zlib stream is kept. */
interface Entry {
  oid: string;
  type: ObjectType;
  size: number;
  /** In parts. */
  stream: readonly Uint8Array[];
}

async function buildNative(
  packing: PackCodec,
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
  const checksum = hash.digest();
  pack.push(checksum);
  return { name: `pack-${toHex(checksum)}`, pack, index: encodeIndex(packing, rows, checksum) };
}

/** Returns the header of a pack of version 2. */
function packHeader(count: number): Uint8Array {
  const bytes = new Uint8Array(12);
  bytes.set(fromLatin1('PACK'));
  const view = new DataView(bytes.buffer);
  view.setUint32(4, 2);
  view.setUint32(8, count);
  return bytes;
}
