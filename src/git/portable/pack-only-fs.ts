/**
 * What isomorphic-git sees of an objects folder: the packs, below a git folder that exists for it alone. Objects are
 * looked up by id in folders of any name this way (alternates, the common folder of a worktree), loose ones are not
 * read a second time, and nothing can be written.
 */

import type { Fs } from '../../fs/fs.ts';

/** The git folder to give to isomorphic-git. */
export const VIRTUAL_GIT_DIR = '/git';

type Call = (path: string) => Promise<never>;

/** The promises part of node's `fs` that isomorphic-git asks for. */
export interface PackOnlyFs {
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

export function packOnlyFs(fs: Fs, objectsDir: string): PackOnlyFs {
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
