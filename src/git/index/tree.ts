/**
 * The index extension TREE: the ids of the trees that the index would give, so that git need not hash them again
 * (gitformat-index(5), "Cache tree"). Depth first, for each folder: its name and a NUL, the number of entries below it
 * (negative: not valid) and a space, the number of folders in it and a line feed, and when valid the tree's id.
 */

import { latin1 } from '../../bytes.ts';

const ID = 20;

/**
 * The extension with the folders above `paths` marked as not valid, all others as they were; `null` when it is
 * damaged. Paths hold one character a byte.
 */
export function invalidateTree(data: Uint8Array, paths: readonly string[]): Uint8Array[] | null {
  try {
    const { pieces, next } = copyFolder(data, 0, paths);
    return next === data.length ? pieces : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

interface Copied {
  pieces: Uint8Array[];
  next: number;
}

/** Copies a folder of the extension. `paths` are relative to this folder. */
function copyFolder(data: Uint8Array, at: number, paths: readonly string[]): Copied {
  if (paths.length === 0) {
    const next = skipFolder(data, at);
    return { pieces: [data.subarray(at, next)], next };
  }
  const folder = headerAt(data, at);
  const pieces: Uint8Array[] = [];
  let { next, folders } = folder;
  for (let i = 0; i < folder.folders; i++) {
    const { name } = headerAt(data, next);
    const below = copyFolder(data, next, pathsBelow(paths, name));
    // A path that is now a file, or now nothing, was the name of this folder.
    if (paths.includes(name)) folders -= 1;
    else for (const piece of below.pieces) pieces.push(piece);
    next = below.next;
  }
  const counts = new TextEncoder().encode(`-1 ${folders}\n`);
  return { pieces: [data.subarray(at, folder.nameEnd + 1), counts, ...pieces], next };
}

function pathsBelow(paths: readonly string[], name: string): string[] {
  return paths.filter(path => path.startsWith(`${name}/`)).map(path => path.slice(name.length + 1));
}

function skipFolder(data: Uint8Array, at: number): number {
  let next = at;
  for (let left = 1; left > 0; left--) {
    const folder = countsAt(data, next);
    left += folder.folders;
    next = folder.next;
  }
  return next;
}

interface Counts {
  nameEnd: number;
  folders: number;
  next: number;
}

function headerAt(data: Uint8Array, at: number): Counts & { name: string } {
  const counts = countsAt(data, at);
  return { name: latin1(data.subarray(at, counts.nameEnd)), ...counts };
}

/** Reads the counts of a folder, digit by digit: it is done for every folder of the repository. */
function countsAt(data: Uint8Array, at: number): Counts {
  let nameEnd = at;
  while (nameEnd < data.length && data[nameEnd] !== 0) nameEnd++;
  const valid = data[nameEnd + 1] !== 0x2d;
  const space = endOfDigits(data, nameEnd + (valid ? 1 : 2), 0x20);
  const lineEnd = endOfDigits(data, space + 1, 0x0a);
  let folders = 0;
  for (let i = space + 1; i < lineEnd; i++) folders = folders * 10 + data[i]! - 0x30;
  return { nameEnd, folders, next: lineEnd + 1 + (valid ? ID : 0) };
}

/** Finds the end of the digits from `at`, which must be before an `end`. */
function endOfDigits(data: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < data.length && data[i]! >= 0x30 && data[i]! <= 0x39) i++;
  if (i === at || data[i] !== end) throw new RangeError('not a cache tree');
  return i;
}
