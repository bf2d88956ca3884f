/** A pack that is joined with others: its index in memory, its entries read in the order in which they lie. */

import { latin1, uint32 } from '../../../bytes.ts';
import type { FileHandle } from '../../../fs/fs.ts';
import { fromHex, type PackCodec, toHex } from '../../objects/object.ts';
import { HEADER_BYTES, parseEntryHeader } from '../entry-header.ts';
import { decodeIndex, type IndexTable } from '../index-file.ts';
import type { PackMark } from '../marks.ts';
import { Pace } from '../pace.ts';
import { type PackStore, packFolder } from '../store-pack.ts';

/** Bytes that are read at once; a longer entry is copied in parts. */
export const WINDOW: number = 512 * 1024;

/** An entry as it lies in the pack. */
export interface RawEntry {
  /** Bytes of the inflated content. */
  size: number;
  /** The position in the index of the base of a delta; the type of a whole object. */
  kind: ReturnType<typeof parseEntryHeader>['kind'];
  /** Bytes of the header. */
  header: number;
  /** Bytes of header and zlib stream. */
  length: number;
}

export class JoinSource {
  readonly name: string;
  readonly mark: PackMark;
  readonly table: IndexTable;
  readonly size: number;
  /** Positions in the index by place in the pack. */
  readonly order: Uint32Array;
  readonly #handle: FileHandle;
  #window: Uint8Array = new Uint8Array(0);
  #windowAt = 0;

  private constructor(
    name: string,
    mark: PackMark,
    opened: { table: IndexTable; size: number; order: Uint32Array; handle: FileHandle },
  ) {
    this.name = name;
    this.mark = mark;
    this.table = opened.table;
    this.size = opened.size;
    this.order = opened.order;
    this.#handle = opened.handle;
  }

  /** Throws an Error when the pack or its index is damaged, and what the file system throws. */
  static async open(store: PackStore, codec: PackCodec, name: string, mark: PackMark): Promise<JoinSource> {
    const path = `${packFolder(store)}/${name}`;
    const table = await decodeIndex(codec, await store.fs.readFile(`${path}.idx`));
    const handle = await store.fs.open(`${path}.pack`, 'read');
    try {
      const { size } = await handle.stat();
      await checkPack(handle, size, table);
      const order = await new Pace(codec).run(orderByOffset(table));
      return new JoinSource(name, mark, { table, size, order, handle });
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  /** The entry at a place of `order`. */
  async entryAt(place: number): Promise<RawEntry> {
    const { offsets } = this.table;
    const offset = offsets[this.order[place]!]!;
    const end = place + 1 < this.order.length ? offsets[this.order[place + 1]!]! : this.size - 20;
    const length = Math.min(HEADER_BYTES, end - offset);
    const head = this.#held(offset, length) ?? (await this.bytes(offset, length));
    const { size, kind, end: header } = parseEntryHeader(head, 0);
    return { size, kind, header, length: end - offset };
  }

  /** The position in the index of the base of a delta, or -1 where there is none. */
  baseOf(place: number, { kind }: RawEntry): number | Promise<number> {
    if ('type' in kind) return -1;
    const offset = this.table.offsets[this.order[place]!]!;
    return 'distance' in kind ? this.#at(offset - kind.distance) : this.#byId(offset, kind.baseAt);
  }

  async #byId(offset: number, baseAt: number): Promise<number> {
    return positionOf(this.table, await this.bytes(offset + baseAt, 20));
  }

  /** The position in the index of the entry that begins at `offset`, or -1. */
  #at(offset: number): number {
    const { offsets } = this.table;
    let [low, high] = [0, this.order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (offsets[this.order[middle]!]! < offset) low = middle + 1;
      else high = middle;
    }
    const found = this.order[low];
    return found !== undefined && offsets[found] === offset ? found : -1;
  }

  /** At most `WINDOW` bytes of the pack. */
  async bytes(position: number, length: number): Promise<Uint8Array> {
    const held = this.#held(position, length);
    if (held) return held;
    this.#window = await this.#handle.read(position, WINDOW);
    this.#windowAt = position;
    if (this.#window.length < length) throw new Error('the pack is cut off');
    return this.#window.subarray(0, length);
  }

  /** What was read already. */
  #held(position: number, length: number): Uint8Array | null {
    const from = position - this.#windowAt;
    return from < 0 || from + length > this.#window.length
      ? null
      : this.#window.subarray(from, from + length);
  }

  /** Reads any number of bytes, in parts. */
  async *parts(position: number, length: number): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < length; at += WINDOW)
      yield await this.bytes(position + at, Math.min(WINDOW, length - at));
  }
}

/** The position of an id in the index, or -1. */
export function positionOf({ oids, count }: IndexTable, id: string | Uint8Array): number {
  const wanted = typeof id === 'string' ? fromHex(id) : id;
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const difference = compareIds(oids, middle, wanted, 0);
    if (difference === 0) return middle;
    if (difference < 0) low = middle + 1;
    else high = middle;
  }
  return -1;
}

/** Compares two ids in two tables of ids. */
export function compareIds(a: Uint8Array, positionA: number, b: Uint8Array, positionB: number): number {
  for (let i = 0; i < 20; i++) {
    const difference = a[positionA * 20 + i]! - b[positionB * 20 + i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

export function oidAt({ oids }: IndexTable, position: number): string {
  return toHex(oids.subarray(position * 20, position * 20 + 20));
}

async function checkPack(
  handle: FileHandle,
  size: number,
  table: IndexTable & { packChecksum?: string },
): Promise<void> {
  const header = await handle.read(0, 12);
  const checksum = toHex(await handle.read(Math.max(0, size - 20), 20));
  const belongs =
    header.length === 12 && uint32(header, 8) === table.count && checksum === table.packChecksum;
  if (!belongs || latin1(header.subarray(0, 4)) !== 'PACK' || uint32(header, 4) !== 2)
    throw new Error('the pack and its index do not belong together');
}

/**
 * Sorts many by two halves of 16 bits: packs that are joined are smaller than 4 GiB. Of few, as each checkpoint packs them,
 * the two tables for it would take milliseconds each.
 */
function* orderByOffset({ count, offsets }: IndexTable): Generator<void, Uint32Array> {
  let order = Uint32Array.from({ length: count }, (_, i) => i);
  if (count <= SLICE) return order.sort((a, b) => offsets[a]! - offsets[b]!);
  for (const divisor of [1, 0x10000]) {
    const starts = new Uint32Array(0x10001);
    const digit = (position: number): number => Math.floor(offsets[position]! / divisor) & 0xffff;
    for (let i = 0; i < count; i++) {
      starts[digit(i) + 1]!++;
      if (i % SLICE === 0) yield;
    }
    for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!;
    const sorted = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      sorted[starts[digit(order[i]!)]!++] = order[i]!;
      if (i % SLICE === 0) yield;
    }
    order = sorted;
  }
  return order;
}

/** Entries between two looks at the clock. */
const SLICE = 16_384;
