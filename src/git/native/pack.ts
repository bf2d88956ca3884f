/** One pack (gitformat-pack(5)), read in parts: an entry is a header and a zlib stream, whole or as a delta. */

import { EditError } from '../../errors.ts';
import { corrupt, readFailed } from '../../fs/failures.ts';
import { errno, type Fs, systemCode } from '../../fs/fs.ts';
import { latin1, uint32 } from '../bytes.ts';
import type { LruCache } from '../objects/lru.ts';
import { type GitObject, toHex } from '../objects/object.ts';
import { applyDelta, resultSize } from '../packs/apply-delta.ts';
import { inflateAt, readEntry } from './pack-entry.ts';
import { PackIndex } from './pack-index.ts';
import { RangedFile } from './ranged-file.ts';

export interface PackOptions {
  fs: Fs;
  /** The absolute path of the pack without `.pack`. */
  path: string;
  maxBytes: number;
  /** Decoded entries, by name of the pack and offset: the bases of deltas are needed again and again. */
  bases: LruCache<string, GitObject>;
}

/** A longer chain than git ever makes (pack.depth): a loop. */
const MAX_CHAIN = 4096;

interface Opened {
  index: PackIndex;
  indexFile: RangedFile;
  file: RangedFile;
}

export class Pack {
  readonly path: string;
  readonly #options: PackOptions;
  #opened: Promise<Opened> | null = null;

  constructor(options: PackOptions) {
    this.path = options.path;
    this.#options = options;
  }

  /** `null` when the object is not in this pack, or the pack is gone. */
  async read(oid: string): Promise<GitObject | null> {
    return await this.#using(`object ${oid}`, async opened => {
      const offset = await opened.index.offsetOf(oid);
      return offset === null ? null : await this.#resolve(opened, offset);
    });
  }

  async has(oid: string): Promise<boolean> {
    const offset = await this.#using(`object ${oid}`, ({ index }) => index.offsetOf(oid));
    return offset !== null;
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
      if (isSystemError(error)) throw readFailed(error, what);
      throw corrupt(what, `is damaged in its pack (${(error as Error).message})`, {
        pack: this.path.replace(/.*\//, ''),
      });
    }
  }

  async #open(): Promise<Opened> {
    const opening = (this.#opened ??= openPack(this.#options));
    opening.catch(() => {
      if (this.#opened === opening) this.#opened = null;
    });
    return await opening;
  }

  /** Follows the chain of deltas down to a whole object or a known base, then applies them upwards. */
  async #resolve(opened: Opened, start: number): Promise<GitObject> {
    const deltas: { offset: number; delta: Uint8Array }[] = [];
    for (let offset = start; deltas.length < MAX_CHAIN; ) {
      const known = this.#options.bases.get(this.#key(offset));
      if (known !== undefined) return this.#apply(known, deltas);
      const entry = await readEntry(opened.file, opened.index, offset);
      if (entry.size > this.#options.maxBytes) throw tooLarge(entry.size, this.#options.maxBytes);
      const bytes = await inflateAt(opened.file, entry.dataAt, entry.size);
      if (entry.type !== null)
        return this.#apply(this.#keep(offset, { type: entry.type, content: bytes }), deltas);
      deltas.push({ offset, delta: bytes });
      offset = entry.base;
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

  #keep(offset: number, object: GitObject): GitObject {
    this.#options.bases.set(this.#key(offset), object);
    return object;
  }

  #key(offset: number): string {
    return `${this.path}:${offset}`;
  }
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
