/** Makes a pack and its index out of new objects, each as a delta of the version before it where that is smaller. */

import { concatBytes } from '../../bytes.ts';
import { corrupt } from '../../fs/failures.ts';
import { type Codec, fromHex, type ObjectType, type PackCodec } from '../objects/object.ts';
import { usableDelta } from './delta/choose-delta.ts';
import { hashObject } from './hash-object.ts';
import { emptyTable, encodeIndex } from './index-file.ts';
import { Pace } from './pace.ts';
import { PackStream } from './pack-stream.ts';

export interface PackInput {
  oid: string;
  type: ObjectType;
  content: Uint8Array;
  /** The object that this one replaces or resembles: the version before it. It need not be among those that are packed. */
  base?: string | undefined;
}

/** An object that a pack holds whole though an older version of it is known: a later join may find that one. */
export interface PackRoot {
  oid: string;
  base: string;
  /** How many deltas at most lie above it, one on top of the other. */
  height: number;
}

export interface NewPack {
  /** `pack-<checksum>`, without ending. */
  name: string;
  pack: Uint8Array;
  index: Uint8Array;
  roots: PackRoot[];
}

export interface BuildOptions {
  /** The objects were encoded a moment ago: their ids are right, and they are compressed at the level of new ones. */
  fresh?: boolean;
}

/**
 * Versions of one file make a chain. Each is a delta of the one before it, every 20th of the 20th before, so that a chain
 * of 200 is only 28 deltas deep and leaves room below git's usual 50 for packs that are joined.
 */
const STRIDE = 20;
const LONGEST_CHAIN = 200;
/** From so many bytes of content on, what is deflated is written while the rest is at work. */
const IN_PARTS = 1024 * 1024;
/** Git's own order: who reads a log reads commits. */
const ORDER: readonly ObjectType[] = ['commit', 'tag', 'tree', 'blob'];

/** One that is written. */
interface Placed {
  oid: string;
  type: ObjectType;
  content: Uint8Array;
  offset: number;
  crc: number;
  /** `null` for a whole object. */
  base: Placed | null;
  /** The object, or the nearest one below it, whose place in the chain is a multiple of `STRIDE`. */
  anchor: Placed;
  position: number;
  height: number;
}

/**
 * The pack in memory, the same for the same objects. An object that is named twice is packed once. Throws CORRUPT when a
 * content is not that of its id. Where the codec writes no packs, isomorphic-git does, and without deltas.
 */
export async function buildPack(
  codec: Codec,
  objects: readonly PackInput[],
  options: BuildOptions = {},
): Promise<NewPack> {
  const unique = [...new Map(objects.map(object => [object.oid, object])).values()];
  return codec.packing
    ? await buildNative(codec, codec.packing, unique, options)
    : await buildPortable(codec, unique);
}

async function buildPortable(codec: Codec, objects: readonly PackInput[]): Promise<NewPack> {
  const loose = new Map<string, Uint8Array>();
  for (const { oid, type, content } of objects) {
    const encoded = await codec.encode(type, content);
    if (encoded.oid !== oid) throw wrongContent(oid, encoded.oid);
    loose.set(oid, encoded.deflated);
  }
  const { packLoose } = await import('../portable/pack-writer.ts');
  return { ...(await packLoose(loose)), roots: [] };
}

async function buildNative(
  codec: Codec,
  packing: PackCodec,
  unique: readonly PackInput[],
  options: BuildOptions,
): Promise<NewPack> {
  const parts: Uint8Array[] = [];
  const stream = await PackStream.begin(packing, unique.length, async bytes => void parts.push(bytes));
  const builder = new Builder(codec, stream, options.fresh ?? false);
  for (const type of ORDER) for (const object of unique) if (object.type === type) await builder.add(object);
  const checksum = await stream.finish();
  const index = await writeIndexOf(packing, [...builder.placed.values()], checksum);
  return { name: `pack-${checksum}`, pack: concatBytes(parts), index, roots: builder.roots() };
}

class Builder {
  readonly placed = new Map<string, Placed>();
  readonly #codec: Codec;
  readonly #packing: PackCodec;
  readonly #stream: PackStream;
  readonly #pace: Pace;
  readonly #olderVersions = new Map<string, string>();
  readonly #isFresh: boolean;
  #lastCommit: string | undefined;

  constructor(codec: Codec, stream: PackStream, isFresh: boolean) {
    this.#isFresh = isFresh;
    this.#codec = codec;
    this.#packing = codec.packing!;
    this.#stream = stream;
    this.#pace = new Pace(codec.packing!);
  }

  async add(input: PackInput): Promise<void> {
    if (this.#pace.isDue) await this.#pace.turn();
    if (!this.#isFresh) await this.#checkId(input);
    const offset = this.#stream.offset;
    const { near, base } = this.#basesFor(input);
    const delta = base && (await usableDelta(this.#packing, this.#pace, base.content, input.content));
    const crc = delta
      ? await this.#stream.add({ base: base.offset }, delta.size, delta.deflated)
      : await this.#stream.add(input, input.content.length, await this.#deflated(input.content));
    this.#place({ ...input, offset, crc, base: delta ? base : null }, near);
    // One that was compared with its older version and is whole all the same is too different from it.
    if (!base && input.base !== undefined) this.#olderVersions.set(input.oid, input.base);
    if (input.type === 'commit') this.#lastCommit = input.oid;
  }

  async #deflated(content: Uint8Array): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
    const level = this.#isFresh ? 'fresh' : 'pack';
    return content.length >= IN_PARTS
      ? this.#packing.deflateParts(content, level)
      : await this.#packing.deflate(content, level);
  }

  /** `near`: the version before; `base`: what to make a delta of. */
  #basesFor(input: PackInput): { near: Placed | null; base: Placed | null } {
    const older = input.base ?? (input.type === 'commit' ? this.#lastCommit : undefined);
    const near = older === undefined ? undefined : this.placed.get(older);
    if (near?.type !== input.type) return { near: null, base: null };
    const position = near.position + 1;
    if (position === LONGEST_CHAIN) return { near, base: null };
    return { near, base: position % STRIDE === 0 ? near.anchor : near };
  }

  #place(one: Omit<Placed, 'anchor' | 'position' | 'height'>, near: Placed | null): void {
    const position = one.base && near ? near.position + 1 : 0;
    const placed = { ...one, position, height: 0 } as Placed;
    placed.anchor = position % STRIDE === 0 ? placed : near!.anchor;
    this.placed.set(placed.oid, placed);
  }

  async #checkId({ oid, type, content }: PackInput): Promise<void> {
    const actual = await hashObject(this.#codec, this.#pace, { type, content });
    if (actual !== oid) throw wrongContent(oid, actual);
  }

  /** Whole objects of which an older version is known. */
  roots(): PackRoot[] {
    for (const one of [...this.placed.values()].reverse())
      if (one.base) one.base.height = Math.max(one.base.height, one.height + 1);
    return [...this.#olderVersions].map(([oid, base]) => {
      return { oid, base, height: this.placed.get(oid)!.height };
    });
  }
}

function wrongContent(oid: string, actual: string): Error {
  return corrupt(`object ${oid}`, `has the content of ${actual}`, { oid });
}

/** `entries` in any order; each id once. */
async function writeIndexOf(
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
