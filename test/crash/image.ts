/** What is on the disk below a folder, read and written at once, so that each state of a crash costs little. */

import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileHandle, Fs, Stat } from '../../src/fs/fs.ts';
import type { Identity, Tree } from '../helpers/fault-log.ts';
import { overriding } from '../helpers/overriding.ts';

/** In memory where there is such a place: what is tried here is the order of calls, not the disk. */
const SCRATCH = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A new folder that the caller removes. */
export function scratchFolder(): string {
  return realpathSync(mkdtempSync(join(SCRATCH, 'vedit-harness-')));
}

/** A file that an image brought here counts as the one that it was there. */
export function readImage(root: string): Tree {
  const tree: Tree = new Map();
  visit(tree, root, '');
  return tree;
}

function visit(tree: Tree, root: string, folder: string): void {
  for (const name of readdirSync(join(root, folder)).sort()) {
    const path = folder === '' ? name : `${folder}/${name}`;
    const stat = lstatSync(join(root, path));
    if (stat.isSymbolicLink()) tree.set(path, readlinkSync(join(root, path)));
    else if (stat.isDirectory()) {
      tree.set(path, null);
      visit(tree, root, path);
    } else {
      const { ino, mtimeNs } = lstatSync(join(root, path), { bigint: true });
      const bytes = readFileSync(join(root, path));
      const known = identities.get(ino);
      const identity = known?.is === mtimeNs ? known.was : { ino, mtimeNs };
      tree.set(path, { bytes, mode: stat.mode & 0o7777, stat: identity });
    }
  }
}

/** How files of images looked when the images were taken, by the inodes that they have now. */
const identities = new Map<bigint, { is: bigint; was: Identity }>();

/** Makes `root` hold exactly this. What a file system that `remembering` makes says of a file is what it was in the image. */
export function writeImage(tree: Tree, root: string): void {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  identities.clear();
  for (const [path, entry] of tree) {
    const at = join(root, path);
    if (entry === null) mkdirSync(at);
    else if (typeof entry === 'string') symlinkSync(entry, at);
    else {
      writeFileSync(at, entry.bytes);
      chmodSync(at, entry.mode);
      const { ino, mtimeNs } = lstatSync(at, { bigint: true });
      if (entry.stat) identities.set(ino, { is: mtimeNs, was: entry.stat });
    }
  }
}

/** The same file system, on which files of an image have the inodes and times that they had, until they are written. */
export function remembering(fs: Fs): Fs {
  const asWas = (stat: Stat): Stat => {
    const known = identities.get(stat.ino);
    return known?.is === stat.mtimeNs && stat.type === 'file' ? { ...stat, ...known.was } : stat;
  };
  const opened = (handle: FileHandle): FileHandle =>
    overriding(handle, { stat: async () => asWas(await handle.stat()) });
  return overriding(fs, {
    lstat: async path => {
      const stat = await fs.lstat(path);
      return stat && asWas(stat);
    },
    open: async (path, how, mode) => opened(await fs.open(path, how, mode)),
  });
}

/** One line a file or link: mode and a hash of the content. */
export function digest(entry: { bytes: Uint8Array; mode: number } | string | null): string {
  if (entry === null) return 'folder';
  if (typeof entry === 'string') return `link ${entry}`;
  const hash = createHash('sha1').update(entry.bytes).digest('hex');
  return `${entry.mode.toString(8)} ${hash}`;
}
