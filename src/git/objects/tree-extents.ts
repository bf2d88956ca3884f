/** One entry of a tree, as bytes: where its parts are, and how it sorts. */

import { latin1, toHex } from '../../bytes.ts';
import { corrupt } from '../../fs/failures.ts';

/** The object that a name in a tree leads to. `mode` is written as in the tree: `100644`, `40000`, and in old ones `100664`. */
export interface TreeRef {
  mode: string;
  oid: string;
}

/** The name of a file, or of a folder, which sorts as if it ended in `/`. */
export interface Named {
  name: Uint8Array;
  isFolder: boolean;
}

const SPACE = 0x20;
const SLASH = 0x2f;

/** True for the mode of a folder. */
export function isTree(mode: string): boolean {
  return (Number.parseInt(mode, 8) & 0o170000) === 0o040000;
}

/** Where the parts of one entry begin, in bytes from the start of the tree. */
export interface Extent {
  start: number;
  name: number;
  nul: number;
  end: number;
}

export function entryAt(content: Uint8Array, start: number): Extent {
  let name = start;
  while (name < content.length && content[name] !== SPACE) name++;
  let nul = ++name;
  while (nul < content.length && content[nul] !== 0) nul++;
  const end = nul + 21;
  if (end > content.length || nul === name) throw corrupt('a tree object', 'is cut off or damaged');
  return { start, name, nul, end };
}

export function refOf(content: Uint8Array, { start, name, nul, end }: Extent): TreeRef {
  return { mode: latin1(content.subarray(start, name - 1)), oid: toHex(content.subarray(nul + 1, end)) };
}

/** As isTree, of the mode as it stands in the tree. */
export function isFolderAt(content: Uint8Array, { start, name }: Extent): boolean {
  let mode = 0;
  for (let at = start; at < name - 1; at++) mode = mode * 8 + (content[at]! & 7);
  return (mode & 0o170000) === 0o040000;
}

/** Finds an entry by looking at all: a file and a folder of one name are far apart, and old trees may be unsorted. */
export function scan(content: Uint8Array, name: Uint8Array): Extent | null {
  for (let at = 0; at < content.length; ) {
    const entry = entryAt(content, at);
    let left = entry.nul - entry.name === name.length ? name.length : -1;
    // Names in one folder differ at their ends as a rule.
    while (left > 0 && content[entry.name + left - 1] === name[left - 1]) left--;
    if (left === 0) return entry;
    at = entry.end;
  }
  return null;
}

/** Git's order (base_name_compare): bytes, with a `/` after the name of a folder and nothing after that of a file. */
export function sortsBefore({ name, isFolder }: Named, content: Uint8Array, entry: Extent): boolean {
  const length = entry.nul - entry.name;
  const shared = Math.min(name.length, length);
  for (let i = 0; i < shared; i++) {
    const difference = name[i]! - content[entry.name + i]!;
    if (difference !== 0) return difference < 0;
  }
  const mine = name[shared] ?? (isFolder ? SLASH : 0);
  const other = length > shared ? content[entry.name + shared]! : isFolderAt(content, entry) ? SLASH : 0;
  return mine < other;
}

export function inGitsOrder(a: Named, b: Named): number {
  const length = Math.min(a.name.length, b.name.length);
  for (let i = 0; i < length; i++) if (a.name[i] !== b.name[i]) return a.name[i]! - b.name[i]!;
  const after = (one: Named): number => one.name[length] ?? (one.isFolder ? SLASH : 0);
  return after(a) - after(b);
}
