/** One objects folder: loose objects (`objects/ab/cdef...`, zlib over header and content) and packs. */

import { EditError } from '../../errors.ts';
import { corrupt, reading } from '../../fs/failures.ts';
import { type Fs, orNull } from '../../fs/fs.ts';
import { type Codec, type GitObject, type Packs, parseObject } from './object.ts';

export class ObjectFolder {
  readonly packs: Packs;
  readonly #fs: Fs;
  readonly #dir: string;
  readonly #codec: Codec;
  readonly #maxBytes: number;
  /** True when the last object came from a pack: the next one of a history probably does, too. */
  #wasPacked = false;

  constructor(fs: Fs, dir: string, codec: Codec, maxBytes: number) {
    this.#fs = fs;
    this.#dir = dir;
    this.#codec = codec;
    this.#maxBytes = maxBytes;
    this.packs = codec.packs({ fs, objectsDir: dir, maxBytes });
  }

  /** Reads an object; `null` when it is not in this folder. Its content is hashed: a damaged one is CORRUPT, never handed out. */
  async read(oid: string): Promise<GitObject | null> {
    const object = (this.#wasPacked ? await this.packs.read(oid) : null) ?? (await this.#readEither(oid));
    if (object === null) return null;
    const hashed = this.#codec.hash(object.type, object.content);
    const actual = typeof hashed === 'string' ? hashed : await hashed;
    if (actual !== oid)
      throw corrupt(`object ${oid}`, `is damaged (its content has the id ${actual})`, { oid });
    return object;
  }

  async has(oid: string): Promise<boolean> {
    if (this.#wasPacked && (await this.packs.has(oid))) return true;
    const stat = await reading(`object ${oid}`, this.#fs.lstat(this.#loosePath(oid)));
    return stat !== null || (!this.#wasPacked && (await this.packs.has(oid)));
  }

  async expand(prefix: string): Promise<string[]> {
    const folder = prefix.slice(0, 2);
    const names = await reading('objects', orNull(this.#fs.readdir(`${this.#dir}/${folder}`)));
    const loose = (names ?? []).filter(
      name => /^[0-9a-f]{38}$/.test(name) && name.startsWith(prefix.slice(2)),
    );
    return [...loose.map(name => folder + name), ...(await this.packs.expand(prefix))];
  }

  async close(): Promise<void> {
    await this.packs.close();
  }

  /** Reads a loose object, else a packed one; the packs were asked before where the last object came from one. */
  async #readEither(oid: string): Promise<GitObject | null> {
    const loose = await this.#readLoose(oid);
    const found = loose ?? (this.#wasPacked ? null : await this.packs.read(oid));
    if (found !== null) this.#wasPacked = loose === null;
    return found;
  }

  async #readLoose(oid: string): Promise<GitObject | null> {
    const file = await reading(`object ${oid}`, orNull(this.#fs.readFile(this.#loosePath(oid))));
    if (file === null) return null;
    const object = parseObject(await this.#inflate(oid, file));
    if (object === null) throw corrupt(`object ${oid}`, 'has a damaged header', { oid });
    return object;
  }

  async #inflate(oid: string, file: Uint8Array): Promise<Uint8Array> {
    try {
      return await this.#codec.inflate(file, this.#maxBytes);
    } catch (error) {
      if (error instanceof EditError) throw error;
      throw corrupt(`object ${oid}`, file.length === 0 ? 'is an empty file' : 'is damaged', { oid });
    }
  }

  #loosePath(oid: string): string {
    return `${this.#dir}/${oid.slice(0, 2)}/${oid.slice(2)}`;
  }
}
