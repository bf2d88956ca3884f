/**
 * isomorphic-git, loaded when it is needed, and the file system that it is given. It takes node's Buffer for a part of the
 * language, so where there is none (in a browser) it gets one first.
 */

import { systemError } from '../../fs/fs.ts';

type IsomorphicGit = typeof import('./isomorphic-git-calls.ts');

/** To import a module that is loaded costs a tenth of a millisecond and more, and every edit needs this one. */
let loaded: IsomorphicGit | null = null;

export async function isomorphicGit(): Promise<IsomorphicGit> {
  loaded ??= await load();
  return loaded;
}

async function load(): Promise<IsomorphicGit> {
  const global: { Buffer?: unknown } = globalThis;
  // A bundle may know a CommonJS module by its default alone.
  global.Buffer ??= (await import('buffer/index.js')).default.Buffer;
  return import('./isomorphic-git-calls.ts');
}

/** The git folder to give to isomorphic-git, with `virtualFiles`. */
export const GIT_DIR = '/git';

interface VirtualFiles {
  readFile(path: string): Promise<Uint8Array>;
  readdir(path: string): Promise<string[]>;
}

type Calls = 'writeFile' | 'stat' | 'lstat' | 'mkdir' | 'rmdir' | 'unlink' | 'readlink' | 'symlink';

/** A file system for isomorphic-git in which there is nothing but these files. */
export function virtualFiles(files: VirtualFiles): {
  promises: VirtualFiles & Record<Calls, (path: string) => Promise<unknown>>;
} {
  const refuse = async (path: string): Promise<never> => {
    throw systemError('EROFS', 'open', path);
  };
  const stat = async (path: string): Promise<typeof FOLDER> => (path === GIT_DIR ? FOLDER : absent(path));
  const changing = { writeFile: refuse, mkdir: refuse, rmdir: refuse, unlink: refuse, symlink: refuse };
  return { promises: { ...files, ...changing, stat, lstat: stat, readlink: refuse } };
}

const FOLDER = { isDirectory: () => true, isFile: () => false };

export async function absent(path: string): Promise<never> {
  throw systemError('ENOENT', 'open', path);
}
