/** One pack (gitformat-pack(5)), read in parts: an entry is a header and a zlib stream, of a whole object or of a delta. */

import { inflateSync } from 'node:zlib';
import { latin1, toHex, uint32 } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import { corrupt, readFailed } from '../../fs/failures.ts';
import { errno, type Fs, systemCode } from '../../fs/fs.ts';
import type { LruCache } from '../objects/lru.ts';
import { type GitObject, tooLarge } from '../objects/object.ts';
import {
  applyDelta,
  type EntryHeader,
  HEADER_BYTES,
  parseEntryHeader,
  resultSize,
} from '../packs/entry-header.ts';
import { PackIndex } from './pack-index.ts';
import { RangedFile } from './ranged-file.ts';
import { compact, inflateShort } from './short-streams.ts';

export interface PackOptions {
  fs: Fs;
  /** The absolute path of the pack without `.pack`. */
  path: string;
  maxBytes: number;
  /** Decoded entries, by number of the pack and offset: the bases of deltas are needed again and again. */
  bases: LruCache<string, GitObject>;
}

/** A longer chain than git ever makes (pack.depth): a loop. */
const MAX_CHAIN = 4096;

let packs = 0;

interface Opened {
  index: PackIndex;
  indexFile: RangedFile;
  file: RangedFile;
}

export class Pack {
  readonly path: string;
  readonly #options: PackOptions;
  /** Tells its entries among the bases from those of other packs. */
  readonly #number = packs++;
  #opened: Promise<Opened> | null = null;

  constructor(options: PackOptions) {
    this.path = options.path;
    this.#options = options;
  }

  /** Reads an object; `null` when it is not in this pack, or the pack is gone. */
  read(oid: string): Promise<GitObject | null> {
    return this.#using(`object ${oid}`, async opened => {
      const offset = await opened.index.offsetOf(oid);
      return offset === null ? null : this.#resolve(opened, offset);
    });
  }

  async has(oid: string): Promise<boolean> {
    return (await this.#using(`object ${oid}`, ({ index }) => index.offsetOf(oid))) !== null;
  }

  async expand(prefix: string): Promise<string[]> {
    return (await this.#using('the index of a pack', ({ index }) => index.expand(prefix))) ?? [];
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => null);
    this.#opened = null;
    await opened?.indexFile.close();
    await opened?.file.close();
  }

  /** Sorts errors: no such pack any more, the disk, or a damaged pack (every Error without a system code). */
  async #using<T>(what: string, run: (opened: Opened) => Promise<T>): Promise<T | null> {
    try {
      return await run(await this.#open());
    } catch (error) {
      if (error instanceof EditError) throw error;
      if (errno(error) === 'ENOENT') return null;
      // Errors of zlib have codes, too.
      if (systemCode(error) !== undefined) throw readFailed(error, what);
      const pack = this.path.replace(/.*\//, '');
      throw corrupt(what, `is damaged in its pack (${(error as Error).message})`, { pack });
    }
  }

  #open(): Promise<Opened> {
    this.#opened ??= openPack(this.#options).catch(error => {
      this.#opened = null;
      throw error;
    });
    return this.#opened;
  }

  /** Follows the chain of deltas down to a whole object or a known base, then applies them upwards. */
  async #resolve({ index, file }: Opened, start: number): Promise<GitObject> {
    const deltas: { offset: number; delta: Uint8Array }[] = [];
    for (let offset = start; deltas.length < MAX_CHAIN; ) {
      const known = this.#options.bases.get(this.#key(offset));
      if (known !== undefined) return this.#apply(known, deltas);
      const { size, kind, end, head } = await entryAt(file, offset);
      const content = await this.#inflated(file, offset + end, size);
      if ('type' in kind) {
        const object = { type: kind.type, content };
        // Commits are hardly ever bases of others.
        return this.#apply(kind.type === 'commit' ? object : this.#keep(offset, object), deltas);
      }
      deltas.push({ offset, delta: content });
      offset = 'distance' in kind ? offset - kind.distance : await baseOf(index, head, kind.baseAt);
    }
    throw new Error('a chain of deltas does not end');
  }

  async #inflated(file: RangedFile, at: number, size: number): Promise<Uint8Array> {
    this.#check(size);
    return inflateAt(file, at, size);
  }

  #apply(base: GitObject, deltas: { offset: number; delta: Uint8Array }[]): GitObject {
    return deltas.reduceRight((object, { offset, delta }) => {
      this.#check(resultSize(delta));
      return this.#keep(offset, { type: object.type, content: applyDelta(object.content, delta) });
    }, base);
  }

  #check(size: number): void {
    if (size > this.#options.maxBytes) throw tooLarge(this.#options.maxBytes, { size });
  }

  #keep(offset: number, object: GitObject): GitObject {
    this.#options.bases.set(this.#key(offset), object);
    return object;
  }

  /** Makes a key of pack and offset. One number out of both has no room for all packs that a process opens in months. */
  #key(offset: number): string {
    return `${this.#number}:${offset}`;
  }
}

async function baseOf(index: PackIndex, head: Uint8Array, at: number): Promise<number> {
  const offset = await index.offsetOf(toHex(head.subarray(at, at + 20)));
  if (offset === null) throw new Error('the base of a delta is not in the pack');
  return offset;
}

/** Reads the header of an entry, with the bytes that it was read from. Throws an Error when it is damaged. */
async function entryAt(file: RangedFile, offset: number): Promise<EntryHeader & { head: Uint8Array }> {
  const end = file.size - 20;
  if (offset < 12 || offset >= end) throw new Error('an offset leads out of the pack');
  const head = await file.read(offset, Math.min(HEADER_BYTES, end - offset));
  const entry = parseEntryHeader(head, 0);
  if ('distance' in entry.kind && entry.kind.distance >= offset)
    throw new Error('the base of a delta is out of the pack');
  return { ...entry, head };
}

/**
 * Inflates `size` bytes from a stream whose own length is written nowhere: as many bytes are read as zlib needs at
 * most for that size, and more when another tool needed more. Throws an Error when they are damaged.
 */
async function inflateAt(file: RangedFile, at: number, size: number): Promise<Uint8Array> {
  const left = file.size - 20 - at;
  for (let length = size + (size >> 10) + 64; ; length *= 4) {
    const bytes = tryInflate(await file.read(at, Math.min(length, left)), size);
    if (bytes !== null && bytes.length !== size) throw new Error('an entry is shorter than it says');
    if (bytes !== null) return bytes;
    if (length >= left) throw new Error('an entry is cut off');
  }
}

/** Inflates; `null` when the stream goes on after `bytes`. One byte more than needed lets zlib see the end without another buffer. */
function tryInflate(bytes: Uint8Array, size: number): Uint8Array | null {
  const short = inflateShort(bytes, size);
  if (short) return short;
  try {
    const options = { maxOutputLength: Math.max(size, 1), chunkSize: Math.max(size + 1, 64) };
    return compact(inflateSync(bytes, options));
  } catch (error) {
    if (errno(error) === 'Z_BUF_ERROR') return null;
    throw error;
  }
}

async function openPack({ fs, path }: PackOptions): Promise<Opened> {
  const indexFile = await RangedFile.open(fs, `${path}.idx`);
  let file: RangedFile | null = null;
  try {
    const index = await PackIndex.open(indexFile);
    file = await RangedFile.open(fs, `${path}.pack`);
    await checkPack(file, index);
    return { index, indexFile, file };
  } catch (error) {
    await indexFile.close();
    await file?.close();
    throw error;
  }
}

/** Throws unless pack and index belong together, by magic word, version, number of objects and the id at the end. */
async function checkPack(file: RangedFile, index: PackIndex): Promise<void> {
  const header = await file.read(0, 12);
  const version = uint32(header, 4);
  if (latin1(header.subarray(0, 4)) !== 'PACK' || (version !== 2 && version !== 3))
    throw new Error('no pack');
  const id = toHex(await file.read(file.size - 20, 20));
  const belongs = uint32(header, 8) === index.count && id === (await index.packId());
  if (!belongs) throw new Error('the pack and its index do not belong together');
}
