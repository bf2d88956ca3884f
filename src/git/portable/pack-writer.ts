/**
 * A pack and its index out of loose objects, by isomorphic-git (packs without deltas). It works on files that live in
 * memory: what it makes is handed back, and written by those who write durably.
 */

import { toHex } from '../objects/object.ts';
import { absent, GIT_DIR, isomorphicGit, virtualFiles } from './isomorphic-git.ts';

export interface PortablePack {
  /** `pack-<id>`, without ending. */
  name: string;
  pack: Uint8Array;
  index: Uint8Array;
}

/** `loose`: what the loose object files hold, by id. Throws an Error when one of them is damaged. */
export async function packLoose(loose: ReadonlyMap<string, Uint8Array>): Promise<PortablePack> {
  const git = await isomorphicGit();
  const oids = [...loose.keys()];
  const { packfile } = await git.packObjects({ fs: filesOf(loose, new Map()), gitdir: GIT_DIR, oids });
  return indexPack(packfile!, oids.length);
}

/** The index of a pack that holds `count` objects. Throws an Error where one of them cannot be made. */
async function indexPack(pack: Uint8Array, count: number): Promise<PortablePack> {
  const git = await isomorphicGit();
  const name = `pack-${toHex(pack.subarray(-20))}`;
  const written = new Map([[`${GIT_DIR}/${name}.pack`, pack]]);
  const fs = filesOf(new Map(), written);
  const { oids } = await git.indexPack({ fs, dir: GIT_DIR, gitdir: GIT_DIR, filepath: `${name}.pack` });
  // What it cannot make is left out without a word.
  if (new Set(oids).size !== count) throw new Error('an object of the pack cannot be made');
  return { name, pack, index: written.get(`${GIT_DIR}/${name}.idx`)! };
}

function filesOf(
  loose: ReadonlyMap<string, Uint8Array>,
  written: Map<string, Uint8Array>,
): ReturnType<typeof virtualFiles> {
  return virtualFiles({
    readFile: async path => {
      const [, folder, rest] = /^\/git\/objects\/(..)\/(.{38})$/.exec(path) ?? [];
      return written.get(path) ?? loose.get(`${folder}${rest}`) ?? absent(path);
    },
    readdir: async () => [],
    writeFile: async (path, bytes) => void written.set(path, bytes),
  });
}
