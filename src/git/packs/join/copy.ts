/**
 * Writes the objects of several packs into one. Entries are copied as they are, still deflated and checked by the CRC-32 of
 * their index; only where a base lies is written anew. A whole object whose older version is in another of the packs
 * becomes a delta of it.
 */

import { isEditError } from '../../../errors.ts';
import type { Codec, GitObject, PackCodec, Packs } from '../../objects/object.ts';
import { usableDelta } from '../delta/choose-delta.ts';
import { hashObject } from '../hash-object.ts';
import { emptyTable, type IndexTable } from '../index-file.ts';
import type { PackMark } from '../marks.ts';
import { Pace } from '../pace.ts';
import type { PackStream } from '../pack-stream.ts';
import { type Merged, placeOf } from './merge.ts';
import { type JoinSource, oidAt, positionOf, type RawEntry, WINDOW } from './source.ts';

/** Git's own default (pack.depth); no delta is added that makes a longer chain. */
const DEEPEST = 50;
/** Objects that are in two packs may lengthen chains; an entry above such a chain is written whole. */
const TOO_DEEP = 250;

/** An entry was not what the index of its pack says. */
export class DamagedPack extends Error {
  readonly pack: string;

  constructor(pack: string, why: string) {
    super(why);
    this.pack = pack;
  }
}

export interface CopyOptions {
  codec: Codec;
  packing: PackCodec;
  sources: readonly JoinSource[];
  merged: Merged;
  stream: PackStream;
  /** Reads objects of the packs. */
  packs: Packs;
}

/** One entry that is being copied. */
interface Entry extends RawEntry {
  id: number;
  source: JoinSource;
  position: number;
  offset: number;
  /** The entry that a delta is based on, or -1. */
  base: number;
}

export class JoinCopy {
  readonly #options: CopyOptions;
  readonly #pace: Pace;
  /** By entry: where it was written, 0 for not yet. */
  readonly #offsets: Float64Array;
  readonly #crcs: Uint32Array;
  readonly #bases: Int32Array;
  readonly #depths: Uint16Array;
  /** By entry, the older version that is looked for. */
  readonly #roots = new Map<number, { base: string; height: number }>();
  readonly #links = new Set<number>();
  readonly #superseded = new Set<number>();

  constructor(options: CopyOptions) {
    const { total } = options.merged;
    this.#options = options;
    this.#pace = new Pace(options.packing);
    this.#offsets = new Float64Array(total);
    this.#crcs = new Uint32Array(total);
    this.#bases = new Int32Array(total).fill(-1);
    this.#depths = new Uint16Array(total);
    this.#readMarks();
  }

  #readMarks(): void {
    const { sources, merged } = this.#options;
    for (const [pack, { mark, table }] of sources.entries()) {
      const entryOf = (oid: string): number => {
        const position = positionOf(table, oid);
        return position < 0 ? -1 : merged.starts[pack]! + position;
      };
      for (const { oid, base, height } of mark.roots) this.#roots.set(entryOf(oid), { base, height });
      for (const oid of mark.links) this.#links.add(entryOf(oid));
    }
  }

  /** Throws DamagedPack. */
  async run(): Promise<void> {
    for (const [pack, source] of this.#options.sources.entries()) {
      for (let place = 0; place < source.order.length; place++) {
        const start = this.#options.merged.starts[pack]!;
        const id = start + source.order[place]!;
        if (this.#options.merged.kept[id] !== id) continue;
        if (this.#pace.isDue) await this.#pace.turn();
        await this.#write(await this.#entry(source, place, start));
      }
    }
  }

  /** `start`: the number of the pack's first entry. */
  async #entry(source: JoinSource, place: number, start: number): Promise<Entry> {
    const position = source.order[place]!;
    try {
      const raw = await source.entryAt(place);
      const base = await source.baseOf(place, raw);
      if (base < 0 && !('type' in raw.kind)) throw new Error('the base of a delta is not in the pack');
      const kept = base < 0 ? -1 : this.#options.merged.kept[start + base]!;
      if (kept >= 0 && this.#offsets[kept] === 0) throw new Error('a delta lies before its base');
      const offset = source.table.offsets[position]!;
      return { ...raw, id: start + position, source, position, offset, base: kept };
    } catch (error) {
      throw asDamaged(source, error);
    }
  }

  async #write(entry: Entry): Promise<void> {
    if (entry.base >= 0 && this.#depths[entry.base]! < TOO_DEEP) await this.#copy(entry);
    else if (entry.base >= 0) await this.#writeWhole(entry);
    else if (!(await this.#attach(entry))) await this.#copy(entry);
  }

  async #copy(entry: Entry): Promise<void> {
    const { id, length, size, kind, base } = entry;
    const { stream } = this.#options;
    const at = stream.offset;
    const form = 'type' in kind ? kind : { base: this.#offsets[base]! };
    const data = length <= WINDOW ? await this.#shortData(entry) : this.#longData(entry);
    const crc = await stream.add(form, size, data);
    this.#placed(id, at, crc, base);
  }

  async #shortData(entry: Entry): Promise<Uint8Array> {
    const bytes = await entry.source.bytes(entry.offset, entry.length);
    checkCrc(entry, this.#options.packing.crc32(bytes));
    return bytes.subarray(entry.header);
  }

  async *#longData(entry: Entry): AsyncGenerator<Uint8Array> {
    const { source, offset, header, length } = entry;
    const { packing } = this.#options;
    let crc = packing.crc32(await source.bytes(offset, header));
    for await (const part of source.parts(offset + header, length - header)) {
      crc = packing.crc32(part, crc);
      yield part;
    }
    checkCrc(entry, crc);
  }

  #placed(id: number, offset: number, crc: number, base: number): void {
    this.#offsets[id] = offset;
    this.#crcs[id] = crc;
    this.#bases[id] = base;
    this.#depths[id] = base < 0 ? 0 : this.#depths[base]! + 1;
  }

  async #writeWhole({ id }: Entry): Promise<void> {
    const { packing, stream } = this.#options;
    const object = await this.#read(id);
    const at = stream.offset;
    const crc = await stream.add(object, object.content.length, await packing.deflate(object.content));
    this.#placed(id, at, crc, -1);
  }

  /** Writes a whole object as a delta of its older version, where that is here and the delta is smaller. */
  async #attach({ id, length, header }: Entry): Promise<boolean> {
    const root = this.#roots.get(id);
    const older = root === undefined ? null : this.#find(root.base);
    if (root === undefined || older === null) return false;
    this.#roots.delete(id);
    const base = this.#offsets[older] === 0 ? -1 : this.#rootOf(older);
    if (base < 0 || this.#depths[base]! + 1 + root.height > DEEPEST) return false;
    const { packing, stream } = this.#options;
    const { content } = await this.#read(id);
    const delta = await usableDelta(packing, this.#pace, (await this.#read(base)).content, content);
    if (delta === null || delta.deflated.length >= length - header) return false;
    const at = stream.offset;
    this.#placed(id, at, await stream.add({ base: this.#offsets[base]! }, delta.size, delta.deflated), base);
    this.#links.add(id);
    this.#superseded.add(base);
    return true;
  }

  /** The nearest entry at or below this one whose chain is short. */
  #rootOf(entry: number): number {
    let at = entry;
    while (this.#bases[at]! >= 0 && !this.#links.has(at)) at = this.#bases[at]!;
    return at;
  }

  /** The entry that is kept of an object, or `null`. */
  #find(oid: string): number | null {
    const { sources, merged } = this.#options;
    for (const [pack, { table }] of sources.entries()) {
      const position = positionOf(table, oid);
      if (position >= 0) return merged.kept[merged.starts[pack]! + position]!;
    }
    return null;
  }

  #oid(entry: number): string {
    const { pack, position } = placeOf(this.#options.merged.starts, entry);
    return oidAt(this.#options.sources[pack]!.table, position);
  }

  async #read(entry: number): Promise<GitObject> {
    const { codec, packs, sources, merged } = this.#options;
    const oid = this.#oid(entry);
    try {
      const object = await packs.read(oid);
      if (object && (await hashObject(codec, this.#pace, object)) === oid) return object;
    } catch (error) {
      if (!isEditError(error, 'CORRUPT')) throw error;
    }
    const { name } = sources[placeOf(merged.starts, entry).pack]!;
    throw new DamagedPack(name, `object ${oid} cannot be read`);
  }

  /** The index of what was written. */
  async table(): Promise<IndexTable> {
    return await this.#pace.run(this.#tableSteps());
  }

  *#tableSteps(): Generator<void, IndexTable> {
    const { sources, merged } = this.#options;
    const table = emptyTable(merged.sorted.length);
    for (const [i, entry] of merged.sorted.entries()) {
      const { pack, position } = placeOf(merged.starts, entry);
      table.oids.set(sources[pack]!.table.oids.subarray(position * 20, position * 20 + 20), i * 20);
      table.crcs[i] = this.#crcs[entry]!;
      table.offsets[i] = this.#offsets[entry]!;
      if (i % 2048 === 0) yield;
    }
    return table;
  }

  /** What the mark of the new pack says: older versions that are still to be found, and what may be built upon. */
  mark(): PackMark {
    const { sources, merged } = this.#options;
    const heights = this.#heights();
    const roots = [...this.#roots]
      .filter(([id]) => id >= 0 && merged.kept[id] === id)
      .map(([id, { base }]) => ({ oid: this.#oid(id), base, height: heights[id]! }));
    const links = [...this.#links].filter(
      id => id >= 0 && merged.kept[id] === id && this.#bases[id]! >= 0 && !this.#superseded.has(id),
    );
    return {
      made: Math.max(...sources.map(({ mark }) => mark.made)),
      roots,
      links: links.map(id => this.#oid(id)),
    };
  }

  /** How many deltas lie above each entry. Bases were written before what is based on them. */
  #heights(): Uint16Array {
    const { sources, merged } = this.#options;
    const heights = new Uint16Array(merged.total);
    if (this.#roots.size === 0) return heights;
    for (let pack = sources.length - 1; pack >= 0; pack--) {
      const { order } = sources[pack]!;
      for (let place = order.length - 1; place >= 0; place--) {
        const id = merged.starts[pack]! + order[place]!;
        const base = this.#bases[id]!;
        if (base >= 0) heights[base] = Math.max(heights[base]!, heights[id]! + 1);
      }
    }
    return heights;
  }
}

function checkCrc({ source, position }: Entry, crc: number): void {
  if (crc !== source.table.crcs[position]) throw new DamagedPack(source.name, 'an entry is damaged');
}

/** Errors of the disk pass; every other one says that the pack is damaged. */
function asDamaged(source: JoinSource, error: unknown): unknown {
  const isOfDisk = typeof (error as { code?: unknown }).code === 'string';
  return isOfDisk ? error : new DamagedPack(source.name, (error as Error).message);
}
