/**
 * Git's encodings by what every JavaScript engine has: Web Crypto and compression streams. They need no import, where
 * isomorphic-git (whose inflate is not public) costs 90 ms; it is loaded when the first pack is read.
 */

import { collected, concatBytes, partsOf, toHex } from '../../bytes.ts';
import { corrupt, readFailed, reading } from '../../fs/failures.ts';
import { errno, orNull, systemCode } from '../../fs/fs.ts';
import {
  type Codec,
  type EncodedObject,
  fromHex,
  type GitObject,
  type ObjectType,
  objectHeader,
  type Packs,
  type PacksOptions,
  tooLarge,
} from '../objects/object.ts';
import { absent, GIT_DIR, isomorphicGit, virtualFiles } from './isomorphic-git.ts';

/** The codec for browsers and for file systems in memory. Browsers have Web Crypto on https and localhost only. */
export const portableCodec: Codec = {
  hash: (type, content) => sha1(concatBytes([objectHeader(type, content.length), content])),
  sha1,
  encode,
  inflate: async (bytes, maxBytes = Number.POSITIVE_INFINITY) => {
    return await through(new DecompressionStream('deflate'), bytes, maxBytes + 32);
  },
  packs: (options: PacksOptions): Packs => new PortablePacks(options),
  packing: {
    entry: async ({ content }) => [
      await through(new CompressionStream('deflate'), content, Number.POSITIVE_INFINITY),
    ],
    crc32,
    sha1: () => {
      const parts: Uint8Array[] = [];
      return {
        update: bytes => void parts.push(bytes),
        digest: async () => fromHex(await sha1(concatBytes(parts))),
      };
    },
    turn: async () => {},
  },
};

/** By byte, what it makes of a CRC-32 of zeros. */
const CRCS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (const byte of bytes) crc = CRCS[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

async function sha1(...parts: readonly Uint8Array[]): Promise<string> {
  const bytes = parts.length === 1 ? parts[0]! : concatBytes(parts);
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-1', bytes as Uint8Array<ArrayBuffer>)));
}

async function encode(type: ObjectType, content: Uint8Array, known?: string): Promise<EncodedObject> {
  const stored = concatBytes([objectHeader(type, content.length), content]);
  const deflating = through(new CompressionStream('deflate'), stored, Number.POSITIVE_INFINITY);
  const [oid, deflated] = await Promise.all([known ?? sha1(stored), deflating]);
  return { oid, type, content, deflated };
}

function through(
  stream: CompressionStream | DecompressionStream,
  bytes: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array> {
  const through = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream);
  return collected(partsOf(through), maxBytes, tooLarge);
}

class PortablePacks implements Packs {
  readonly #options: PacksOptions;
  readonly #fs: ReturnType<typeof virtualFiles>;
  /** The names of the indexes; `null` before the first look. */
  #names: string | null = null;
  /** The cache that isomorphic-git keeps between calls: whole packs and their indexes. */
  #cache: object = {};
  generation = 0;

  constructor(options: PacksOptions) {
    const { fs, objectsDir } = options;
    this.#options = options;
    this.#fs = virtualFiles({
      readFile: async path =>
        path.startsWith(PACKS) ? fs.readFile(`${objectsDir}/pack/${path.slice(PACKS.length)}`) : absent(path),
      readdir: async path => (`${path}/` === PACKS ? fs.readdir(`${objectsDir}/pack`) : absent(path)),
    });
  }

  async read(oid: string): Promise<GitObject | null> {
    const found = await this.#ask(`object ${oid}`, async (git, asked) => {
      const { type, object } = await git.readObject({ ...asked, oid, format: 'content' });
      return { type: type as ObjectType, content: Uint8Array.from(object as Uint8Array) };
    });
    const { maxBytes } = this.#options;
    if (found !== null && found.content.length > maxBytes) throw tooLarge(maxBytes);
    return found;
  }

  async has(oid: string): Promise<boolean> {
    return (await this.expand(oid)).length > 0;
  }

  async expand(prefix: string): Promise<string[]> {
    const found = await this.#ask('the index of a pack', (git, asked) =>
      git.expandOid({ ...asked, oid: prefix }).then(oid => [oid], severalOids),
    );
    return found ?? [];
  }

  async refresh(): Promise<void> {
    const dir = `${this.#options.objectsDir}/pack`;
    const names = (await reading('objects/pack', orNull(this.#options.fs.readdir(dir)))) ?? [];
    const indexes = names.filter(name => name.endsWith('.idx')).sort();
    if (indexes.join('\n') === this.#names) return;
    this.#names = indexes.join('\n');
    this.#cache = {};
    this.generation++;
  }

  async close(): Promise<void> {
    this.#names = null;
    this.#cache = {};
  }

  /** Asks isomorphic-git; `null` when there is no such object, or when the packs changed while they were read. */
  async #ask<T>(
    what: string,
    run: (git: typeof import('./isomorphic-git-calls.ts'), asked: Asked) => Promise<T>,
  ): Promise<T | null> {
    if (this.#names === null) await this.refresh();
    if (this.#names === '') return null;
    const before = this.generation;
    try {
      return await run(await isomorphicGit(), { fs: this.#fs, gitdir: GIT_DIR, cache: this.#cache });
    } catch (error) {
      if (errno(error) === 'NotFoundError') return null;
      if (systemCode(error)) throw readFailed(error, what);
      await this.refresh();
      if (this.generation !== before) return null;
      throw corrupt(what, `is damaged in its pack (${(error as Error).message})`);
    }
  }
}

interface Asked {
  fs: ReturnType<typeof virtualFiles>;
  gitdir: string;
  cache: object;
}

const PACKS = `${GIT_DIR}/objects/pack/`;

/** The error with which isomorphic-git says that a prefix fits several objects has them all. */
function severalOids(error: unknown): string[] {
  const { code, data } = error as { code?: string; data?: { matches?: string[] } };
  if (code === 'AmbiguousError' && data?.matches !== undefined) return data.matches;
  throw error;
}
