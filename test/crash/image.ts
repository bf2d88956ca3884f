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
import type { Tree } from '../git/fault-log.ts';

/** In memory where there is such a place: what is tried here is the order of calls, not the disk. */
const SCRATCH = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A new folder that the caller removes. */
export function scratchFolder(): string {
  return realpathSync(mkdtempSync(join(SCRATCH, 'vedit-lab-')));
}

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
    } else tree.set(path, { bytes: readFileSync(join(root, path)), mode: stat.mode & 0o7777 });
  }
}

/** Makes `root` hold exactly this. */
export function writeImage(tree: Tree, root: string): void {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  for (const [path, entry] of tree) {
    const at = join(root, path);
    if (entry === null) mkdirSync(at);
    else if (typeof entry === 'string') symlinkSync(entry, at);
    else {
      writeFileSync(at, entry.bytes);
      chmodSync(at, entry.mode);
    }
  }
}

/** One line a file or link: mode and a hash of the content. */
export function digest(entry: { bytes: Uint8Array; mode: number } | string | null): string {
  if (entry === null) return 'folder';
  if (typeof entry === 'string') return `link ${entry}`;
  const hash = createHash('sha1').update(entry.bytes).digest('hex');
  return `${entry.mode.toString(8)} ${hash}`;
}
