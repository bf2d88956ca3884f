/**
 * A pack and its index out of loose objects, by isomorphic-git (packs without deltas). It works on a file system that holds
 * these objects alone and lives in memory: what it makes is handed back, and written by those who write durably.
 */

import { toHex } from '../objects/object.ts';
import { isomorphicGit } from './isomorphic-git.ts';

export interface PortablePack {
  /** `pack-<id>`, without ending. */
  name: string;
  pack: Uint8Array;
  index: Uint8Array;
}

/** `loose`: what the loose object files hold, by id. Throws an Error when one of them is damaged. */
export async function packLoose(loose: ReadonlyMap<string, Uint8Array>): Promise<PortablePack> {
  const git = await isomorphicGit();
  const files = new MemoryFiles(loose);
  const { filename, packfile } = await git.packObjects({ fs: files, gitdir: GIT, oids: [...loose.keys()] });
  files.written.set(`${GIT}/${filename}`, packfile!);
  await git.indexPack({ fs: files, dir: GIT, gitdir: GIT, filepath: filename });
  const name = filename.replace(/\.pack$/, '');
  return { name, pack: packfile!, index: files.written.get(`${GIT}/${name}.idx`)! };
}

/**
 * The index of a pack that came from elsewhere and holds `count` objects, each under the id that its content has. Throws an
 * Error where one of them cannot be made.
 */
export async function indexPack(pack: Uint8Array, count: number): Promise<PortablePack> {
  const git = await isomorphicGit();
  const files = new MemoryFiles(new Map());
  const name = `pack-${toHex(pack.subarray(-20))}`;
  files.written.set(`${GIT}/${name}.pack`, pack);
  const { oids } = await git.indexPack({ fs: files, dir: GIT, gitdir: GIT, filepath: `${name}.pack` });
  // What it cannot make is left out without a word.
  if (new Set(oids).size !== count) throw new Error('an object of the pack cannot be made');
  return { name, pack, index: files.written.get(`${GIT}/${name}.idx`)! };
}

const GIT = '/git';

/** The part of node's `fs.promises` that isomorphic-git asks for here. */
class MemoryFiles {
  readonly written = new Map<string, Uint8Array>();
  readonly #loose: ReadonlyMap<string, Uint8Array>;
  readonly promises: this = this;

  constructor(loose: ReadonlyMap<string, Uint8Array>) {
    this.#loose = loose;
  }

  readFile = async (path: string): Promise<Uint8Array> => {
    const [, folder, rest] = /^\/git\/objects\/(..)\/(.{38})$/.exec(path) ?? [];
    const bytes = folder === undefined ? this.written.get(path) : this.#loose.get(folder + rest);
    if (bytes === undefined) throw missing(path);
    return bytes;
  };

  writeFile = async (path: string, bytes: Uint8Array): Promise<void> => {
    this.written.set(path, bytes);
  };

  stat = async (path: string): Promise<{ isDirectory(): boolean; isFile(): boolean }> => {
    if (path !== GIT) throw missing(path);
    return { isDirectory: () => true, isFile: () => false };
  };

  lstat = this.stat;
  readdir = async (): Promise<string[]> => [];
  mkdir = async (): Promise<void> => {};
  rmdir = refuse;
  unlink = refuse;
  readlink = refuse;
  symlink = refuse;
}

function missing(path: string): Error {
  return Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: 'ENOENT' });
}

async function refuse(path: string): Promise<never> {
  throw Object.assign(new Error(`EROFS: read-only file system, '${path}'`), { code: 'EROFS' });
}
