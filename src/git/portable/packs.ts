/**
 * The packs of one objects folder, read by isomorphic-git: it needs nothing of Node, and reads every pack that it
 * looks into as a whole. It is imported when there is a pack to look into.
 */

import { EditError } from '../../errors.ts';
import { corrupt, readFailed, reading } from '../../fs/failures.ts';
import { errno, type Fs, orNull, systemCode } from '../../fs/fs.ts';
import type { GitObject, ObjectType, Packs, PacksOptions } from '../objects/object.ts';
import { isomorphicGit } from './isomorphic-git.ts';

export class PortablePacks implements Packs {
  readonly #options: PacksOptions;
  readonly #fs: PackOnlyFs;
  /** The names of the indexes; `null` before the first look. */
  #names: string | null = null;
  /** The cache that isomorphic-git keeps between calls: whole packs and their indexes. */
  #cache: object = {};
  generation = 0;

  constructor(options: PacksOptions) {
    this.#options = options;
    this.#fs = packOnlyFs(options.fs, options.objectsDir);
  }

  async read(oid: string): Promise<GitObject | null> {
    const found = await this.#ask(`object ${oid}`, async git => {
      const args = {
        fs: this.#fs,
        gitdir: VIRTUAL_GIT_DIR,
        cache: this.#cache,
        oid,
        format: 'content',
      } as const;
      const { type, object } = await git.readObject(args);
      return { type: type as ObjectType, content: Uint8Array.from(object as Uint8Array) };
    });
    if (found !== null && found.content.length > this.#options.maxBytes)
      throw tooLarge(oid, this.#options.maxBytes);
    return found;
  }

  async has(oid: string): Promise<boolean> {
    return (await this.expand(oid)).length > 0;
  }

  async sizesOf(oids: readonly string[]): Promise<(number | null)[]> {
    const sizes: (number | null)[] = [];
    for (const oid of oids) sizes.push((await this.read(oid))?.content.length ?? null);
    return sizes;
  }

  async expand(prefix: string): Promise<string[]> {
    const found = await this.#ask('the index of a pack', async git => {
      const args = { fs: this.#fs, gitdir: VIRTUAL_GIT_DIR, cache: this.#cache, oid: prefix };
      return await git.expandOid(args).then(oid => [oid], severalOids);
    });
    return found ?? [];
  }

  async refresh(): Promise<void> {
    const dir = `${this.#options.objectsDir}/pack`;
    const names = (await reading('objects/pack', orNull(this.#options.fs.readdir(dir)))) ?? [];
    const indexes = names
      .filter(name => name.endsWith('.idx'))
      .sort()
      .join('\n');
    if (indexes === this.#names) return;
    this.#names = indexes;
    this.#cache = {};
    this.generation++;
  }

  async close(): Promise<void> {
    this.#names = null;
    this.#cache = {};
  }

  /** `null` when there is no such object, or when the packs changed while they were read. */
  async #ask<T>(
    what: string,
    run: (git: typeof import('./isomorphic-git-calls.ts')) => Promise<T>,
  ): Promise<T | null> {
    if (this.#names === null) await this.refresh();
    if (this.#names === '') return null;
    const before = this.generation;
    try {
      return await run(await isomorphicGit());
    } catch (error) {
      if (errno(error) === 'NotFoundError') return null;
      if (systemCode(error)) throw readFailed(error, what);
      await this.refresh();
      if (this.generation !== before) return null;
      throw corrupt(what, `is damaged in its pack (${(error as Error).message})`);
    }
  }
}

/** The error with which isomorphic-git says that a prefix fits several objects has them all. */
function severalOids(error: unknown): string[] {
  const { code, data } = error as { code?: string; data?: { matches?: string[] } };
  if (code === 'AmbiguousError' && data?.matches !== undefined) return data.matches;
  throw error;
}

function tooLarge(oid: string, maxBytes: number): EditError {
  return new EditError('TOO_LARGE', `object ${oid} has more than ${maxBytes} bytes; use git cat-file`, {
    oid,
    limit: maxBytes,
  });
}

/** The git folder to give to isomorphic-git. */
const VIRTUAL_GIT_DIR = '/git';

type Call = (path: string) => Promise<never>;

/** The promises part of node's `fs` that isomorphic-git asks for. */
interface PackOnlyFs {
  promises: {
    readFile(path: string): Promise<Uint8Array>;
    readdir(path: string): Promise<string[]>;
    stat(path: string): Promise<{ isDirectory(): boolean; isFile(): boolean }>;
    lstat: Call;
    readlink: Call;
    symlink: Call;
    writeFile: Call;
    mkdir: Call;
    rmdir: Call;
    unlink: Call;
  };
}

function packOnlyFs(fs: Fs, objectsDir: string): PackOnlyFs {
  const real = (path: string) => `${objectsDir}/pack/${path.slice(PACKS.length)}`;
  return {
    promises: {
      ...REFUSED,
      readFile: async path => (path.startsWith(PACKS) ? await fs.readFile(real(path)) : absent(path)),
      readdir: async path => (`${path}/` === PACKS ? await fs.readdir(`${objectsDir}/pack`) : absent(path)),
      stat: async path => (path === VIRTUAL_GIT_DIR ? FOLDER : absent(path)),
    },
  };
}

const PACKS = `${VIRTUAL_GIT_DIR}/objects/pack/`;
const FOLDER = { isDirectory: () => true, isFile: () => false };
const REFUSED = {
  lstat: absent,
  readlink: absent,
  symlink: refuse,
  writeFile: refuse,
  mkdir: refuse,
  rmdir: refuse,
  unlink: refuse,
};

async function absent(path: string): Promise<never> {
  throw Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: 'ENOENT' });
}

async function refuse(path: string): Promise<never> {
  throw Object.assign(new Error(`EROFS: read-only file system, '${path}'`), { code: 'EROFS' });
}
