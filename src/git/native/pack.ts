/** One pack (gitformat-pack(5)), read in parts: an entry is a header and a zlib stream, whole or as a delta. */

import { latin1, uint32 } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import { corrupt, readFailed } from '../../fs/failures.ts';
import { errno, type Fs, systemCode } from '../../fs/fs.ts';
import type { LruCache } from '../objects/lru.ts';
import { type GitObject, type ObjectType, toHex } from '../objects/object.ts';
import { applyDelta, resultSize } from '../packs/apply-delta.ts';
import { type Entry, inflateAt, peekInflated, readEntry } from './pack-entry.ts';
import { PackIndex } from './pack-index.ts';
import { RangedFile } from './ranged-file.ts';

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

/** The number of packs that were opened in this process. */
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
  #ready: Opened | null = null;

  constructor(options: PackOptions) {
    this.path = options.path;
    this.#options = options;
  }

  /** `null` when the object is not in this pack, or the pack is gone. */
  async read(oid: string): Promise<GitObject | null> {
    try {
      const opened = this.#ready ?? (await this.#open());
      const asked = opened.index.offsetOf(oid);
      const offset = asked instanceof Promise ? await asked : asked;
      return offset === null ? null : await this.#resolve(opened, offset);
    } catch (error) {
      return this.#failed(error, `object ${oid}`);
    }
  }

  async has(oid: string): Promise<boolean> {
    try {
      return (await (this.#ready ?? (await this.#open())).index.offsetOf(oid)) !== null;
    } catch (error) {
      return this.#failed(error, `object ${oid}`) !== null;
    }
  }

  /** Bytes of the contents, `null` for what is not in this pack. Of a delta only what it says of its result is read. */
  async sizesOf(oids: readonly string[]): Promise<(number | null)[]> {
    const sizes = await this.#using('the sizes of objects', async opened => {
      await opened.index.expect(oids.length);
      const found: (number | null)[] = [];
      for (const oid of oids) {
        const asked = opened.index.offsetOf(oid);
        const offset = asked instanceof Promise ? await asked : asked;
        const size = offset === null ? null : this.#sizeAt(opened, offset);
        found.push(size instanceof Promise ? await size : size);
      }
      return found;
    });
    return sizes ?? oids.map(() => null);
  }

  async expand(prefix: string): Promise<string[]> {
    return (await this.#using('the index of a pack', ({ index }) => index.expand(prefix))) ?? [];
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => null);
    this.#opened = null;
    this.#ready = null;
    await opened?.indexFile.close();
    await opened?.file.close();
  }

  async #using<T>(what: string, run: (opened: Opened) => Promise<T>): Promise<T | null> {
    try {
      return await run(this.#ready ?? (await this.#open()));
    } catch (error) {
      return this.#failed(error, what);
    }
  }

  /** Sorts errors: no such pack any more, the disk, or a damaged pack (every Error without a system code). */
  #failed(error: unknown, what: string): null {
    if (error instanceof EditError) throw error;
    if (errno(error) === 'ENOENT') return null;
    if (isSystemError(error)) throw readFailed(error, what);
    throw corrupt(what, `is damaged in its pack (${(error as Error).message})`, {
      pack: this.path.replace(/.*\//, ''),
    });
  }

  async #open(): Promise<Opened> {
    const opening = (this.#opened ??= openPack(this.#options));
    opening.catch(() => {
      if (this.#opened === opening) this.#opened = null;
    });
    const opened = await opening;
    if (this.#opened === opening) this.#ready = opened;
    return opened;
  }

  #sizeAt({ file }: Opened, offset: number): number | Promise<number> {
    const entry = readEntry(file, offset);
    return entry instanceof Promise
      ? entry.then(read => this.#sizeIn(file, read))
      : this.#sizeIn(file, entry);
  }

  #sizeIn(file: RangedFile, { size, type, dataAt }: Entry): number | Promise<number> {
    if (type !== null) return size;
    if (size > this.#options.maxBytes) throw tooLarge(size, this.#options.maxBytes);
    const delta = peekInflated(file, dataAt, size);
    return delta ? resultSize(delta) : inflateAt(file, dataAt, size).then(resultSize);
  }

  /** Follows the chain of deltas down to a whole object or a known base, then applies them upwards. */
  async #resolve(opened: Opened, start: number): Promise<GitObject> {
    const deltas: { offset: number; delta: Uint8Array }[] = [];
    for (let offset = start; deltas.length < MAX_CHAIN; ) {
      const known = this.#options.bases.get(this.#key(offset));
      if (known !== undefined) return this.#apply(known, deltas);
      const reading = readEntry(opened.file, offset);
      const entry = reading instanceof Promise ? await reading : reading;
      if (entry.size > this.#options.maxBytes) throw tooLarge(entry.size, this.#options.maxBytes);
      const bytes = await inflateAt(opened.file, entry.dataAt, entry.size);
      if (entry.type !== null) return this.#apply(this.#whole(offset, entry.type, bytes), deltas);
      deltas.push({ offset, delta: bytes });
      offset = typeof entry.base === 'number' ? entry.base : await baseOf(opened.index, entry.base);
    }
    throw new Error('a chain of deltas does not end');
  }

  #apply(base: GitObject, deltas: { offset: number; delta: Uint8Array }[]): GitObject {
    return deltas.reduceRight((object, { offset, delta }) => {
      const size = resultSize(delta);
      if (size > this.#options.maxBytes) throw tooLarge(size, this.#options.maxBytes);
      return this.#keep(offset, { type: object.type, content: applyDelta(object.content, delta) });
    }, base);
  }

  /** Commits are hardly ever bases of others. */
  #whole(offset: number, type: ObjectType, content: Uint8Array): GitObject {
    const object = { type, content };
    return type === 'commit' ? object : this.#keep(offset, object);
  }

  #keep(offset: number, object: GitObject): GitObject {
    this.#options.bases.set(this.#key(offset), object);
    return object;
  }

  /** Not one number out of both: a process that runs for months opens more packs than such a number has room for. */
  #key(offset: number): string {
    return `${this.#number}:${offset}`;
  }
}

async function baseOf(index: PackIndex, oid: string): Promise<number> {
  const offset = await index.offsetOf(oid);
  if (offset === null) throw new Error('the base of a delta is not in the pack');
  return offset;
}

/** Errors of the file system and of zlib have codes; only the first kind is about the disk. */
function isSystemError(error: unknown): boolean {
  return systemCode(error) !== undefined;
}

function tooLarge(size: number, maxBytes: number): EditError {
  const message = `an object has ${size} bytes, more than the ${maxBytes} that are read; use git cat-file`;
  return new EditError('TOO_LARGE', message, { size, limit: maxBytes });
}

async function openPack({ fs, path }: PackOptions): Promise<Opened> {
  const indexFile = await RangedFile.open(fs, `${path}.idx`);
  try {
    const index = await PackIndex.open(indexFile);
    return { index, indexFile, file: await openData(fs, `${path}.pack`, index) };
  } catch (error) {
    await indexFile.close();
    throw error;
  }
}

async function openData(fs: Fs, path: string, index: PackIndex): Promise<RangedFile> {
  const file = await RangedFile.open(fs, path);
  try {
    await checkPack(file, index);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The magic word, the version, the number of objects and the id at the end: do pack and index belong together? */
async function checkPack(file: RangedFile, index: PackIndex): Promise<void> {
  const header = await file.read(0, 12);
  const version = uint32(header, 4);
  if (latin1(header.subarray(0, 4)) !== 'PACK' || (version !== 2 && version !== 3))
    throw new Error('no pack');
  const id = toHex(await file.read(file.size - 20, 20));
  const belongs = uint32(header, 8) === index.count && id === (await index.packId());
  if (!belongs) throw new Error('the pack and its index do not belong together');
}
