/**
 * Tree objects as bytes: `<octal mode> <name>\0<20 bytes of id>`, sorted by name, a folder as if its name ended in
 * `/`. An entry is changed by splicing, so that every other one stays byte for byte as it was, whatever it holds.
 */

import { commonPrefix, commonSuffix, concatBytes, fromLatin1, latin1 } from '../../bytes.ts';
import { firstNotBefore } from '../../sorted.ts';
import { fromHex } from './object.ts';
import {
  type Extent,
  entryAt,
  inGitsOrder,
  isFolderAt,
  isTree,
  type Named,
  refOf,
  scan,
  sortsBefore,
  type TreeRef,
} from './tree-extents.ts';

export { isTree, type TreeRef } from './tree-extents.ts';

export interface TreeEntry extends TreeRef {
  /** The exact bytes of the name, one character a byte. */
  name: string;
}

export const TREE_MODE = '40000';

/** True for the mode of a submodule: its id is a commit of another repository. */
export function isGitlink(mode: string): boolean {
  return (Number.parseInt(mode, 8) & 0o170000) === 0o160000;
}

/** Reads all entries in their order. Throws CORRUPT. */
export function parseTree(content: Uint8Array): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < content.length; ) {
    const entry = entryAt(content, at);
    entries.push({ ...refOf(content, entry), name: latin1(content.subarray(entry.name, entry.nul)) });
    at = entry.end;
  }
  return entries;
}

/** Finds the entry of this name, or `null`. Throws CORRUPT. */
export function findEntry(content: Uint8Array, name: Uint8Array): TreeRef | null {
  const index = treeIndex(content, 1);
  const entry = index ? findIn(index, content, name) : scan(content, name);
  return entry === null ? null : refOf(content, entry);
}

/** Finds the first entry of each of these names, one character a byte. Throws CORRUPT. */
export function findEntries(content: Uint8Array, names: ReadonlySet<string>): Map<string, FoundEntry> {
  const index = treeIndex(content, names.size);
  const found = new Map<string, FoundEntry>();
  for (const name of names) {
    const bytes = fromLatin1(name);
    const extent = index ? findIn(index, content, bytes) : scan(content, bytes);
    if (extent) found.set(name, { ...refOf(content, extent), extent });
  }
  return found;
}

export interface FoundEntry extends TreeRef {
  extent: Extent;
}

/**
 * Returns the content with the entry of each name (one character a byte) put in, replaced, or (`null`) taken out. `old`:
 * what `findEntries` finds of these names. Throws CORRUPT.
 */
export function replaceEntries(
  content: Uint8Array,
  changes: ReadonlyMap<string, TreeRef | null>,
  old: ReadonlyMap<string, FoundEntry> = findEntries(content, new Set(changes.keys())),
): Uint8Array {
  const splices: Splice[] = [];
  const added: Added[] = [];
  const gone = new Set<number>();
  let isInPlace = true;
  for (const [name, ref] of changes) {
    const entry = old.get(name);
    const { start, end } = entry?.extent ?? { start: 0, end: 0 };
    const stays = entry && ref && isTree(entry.mode) === isTree(ref.mode);
    const put = ref ? entryOf(name, ref) : NOTHING;
    isInPlace &&= stays === true && put.length === end - start;
    if (entry && !stays) gone.add(start);
    if (entry) splices.push({ start, end, put: stays ? put : NOTHING });
    if (ref && !stays) added.push({ name: fromLatin1(name), isFolder: isTree(ref.mode), put });
  }
  if (added.length > 0) splices.push(...placed(content, added, gone));
  const fresh = spliced(
    content,
    splices.sort((a, b) => a.start - b.start || a.end - b.end),
  );
  if (isInPlace) keepIndex(content, fresh);
  return fresh;
}

const NOTHING = new Uint8Array(0);

function entryOf(name: string, { mode, oid }: TreeRef): Uint8Array {
  return concatBytes([fromLatin1(`${mode} ${name}\0`), fromHex(oid)]);
}

/** Bytes from one place to another that give way to others. */
interface Splice {
  start: number;
  end: number;
  put: Uint8Array;
}

interface Added extends Named {
  put: Uint8Array;
}

/** Where new entries go: each before the first one that sorts after it, of those that do not begin at `gone`. */
function placed(content: Uint8Array, added: readonly Added[], gone: ReadonlySet<number>): Splice[] {
  const index = treeIndex(content, added.length);
  if (index)
    return [...added].sort(inGitsOrder).map(({ name, isFolder, put }) => {
      const start = index[countUpTo(index, content, { name, isFolder })] ?? content.length;
      return { start, end: start, put };
    });
  const left = [...added].sort(inGitsOrder).reverse();
  const found: Splice[] = [];
  for (let at = 0; at < content.length && left.length > 0; ) {
    const entry = entryAt(content, at);
    while (left.length > 0 && !gone.has(at) && sortsBefore(left.at(-1)!, content, entry))
      found.push({ start: at, end: at, put: left.pop()!.put });
    at = entry.end;
  }
  const end = content.length;
  return [...found, ...left.reverse().map(({ put }) => ({ start: end, end, put }))];
}

/** Applies splices in order; those that begin at one byte put theirs one after another. */
function spliced(content: Uint8Array, splices: readonly Splice[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, put } of splices) {
    parts.push(content.subarray(at, start), put);
    at = Math.max(at, end);
  }
  return concatBytes([...parts, content.subarray(at)]);
}

/**
 * Both trees without the entries that they share at their beginning and end: after one edit in a folder of 100,000
 * files, two entries are left to compare.
 */
export function differingPart(a: Uint8Array, b: Uint8Array): [Uint8Array, Uint8Array] {
  const same = commonPrefix(a, b);
  const tail = commonSuffix(a, b, Math.min(a.length, b.length) - same);
  const start = boundaryBefore(a, same);
  const ends = [boundaryAfter(a, start, a.length - tail), boundaryAfter(b, start, b.length - tail)] as const;
  const agree = a.length - ends[0] === b.length - ends[1];
  return agree
    ? [a.subarray(start, ends[0]), b.subarray(start, ends[1])]
    : [a.subarray(start), b.subarray(start)];
}

/** Finds the start of the last entry that begins at byte `at` or before. */
function boundaryBefore(content: Uint8Array, at: number): number {
  let start = 0;
  while (start < content.length) {
    const { end } = entryAt(content, start);
    if (end > at) break;
    start = end;
  }
  return start;
}

/** Finds the start of the first entry that begins at byte `at` or after. */
function boundaryAfter(content: Uint8Array, start: number, at: number): number {
  let end = start;
  while (end < at) end = entryAt(content, end).end;
  return end;
}

/** Bytes of a tree, some hundred entries, from which on an index is worth its making. */
const LARGE = 16 * 1024;

/** Where the entries of a tree begin, in its order. */
type TreeIndex = Int32Array;

/** `once`: a name was looked for; `unsorted`: as only broken tools write it, so that all of it is to be read. */
const indexes = new WeakMap<Uint8Array, TreeIndex | 'once' | 'unsorted'>();

/** The index of a tree for looking up so many names; `null` where reading its entries is as good. */
export function treeIndex(content: Uint8Array, names: number): TreeIndex | null {
  if (content.length < LARGE) return null;
  const known = indexes.get(content);
  if (known === undefined && names < 2) {
    indexes.set(content, 'once');
    return null;
  }
  const index = known === undefined || known === 'once' ? makeIndex(content) : known;
  indexes.set(content, index);
  return index === 'unsorted' ? null : index;
}

/** Notes that in `fresh` the entries have the names, kinds and lengths that they have in `content`. */
function keepIndex(content: Uint8Array, fresh: Uint8Array): void {
  const index = indexes.get(content);
  if (index !== undefined) indexes.set(fresh, index);
}

function makeIndex(content: Uint8Array): TreeIndex | 'unsorted' {
  const starts: number[] = [];
  let before: Extent | null = null;
  for (let at = 0; at < content.length; ) {
    const entry = entryAt(content, at);
    if (before && !isInOrder(content, before, entry)) return 'unsorted';
    starts.push(at);
    before = entry;
    at = entry.end;
  }
  return Int32Array.from(starts);
}

function isInOrder(content: Uint8Array, a: Extent, b: Extent): boolean {
  const name = content.subarray(a.name, a.nul);
  return sortsBefore({ name, isFolder: isFolderAt(content, a) }, content, b);
}

function findIn(starts: TreeIndex, content: Uint8Array, name: Uint8Array): Extent | null {
  for (const isFolder of [false, true]) {
    // What sorts right before the place where the name would be put in once more.
    const at = starts[countUpTo(starts, content, { name, isFolder }) - 1];
    const entry = at === undefined ? null : entryAt(content, at);
    if (entry && entry.nul - entry.name === name.length && isName(content, entry, name)) return entry;
  }
  return null;
}

function countUpTo(starts: TreeIndex, content: Uint8Array, named: Pick<Named, 'name' | 'isFolder'>): number {
  return firstNotBefore(0, starts.length, at => !sortsBefore(named, content, entryAt(content, starts[at]!)));
}

function isName(content: Uint8Array, entry: Extent, name: Uint8Array): boolean {
  return name.every((byte, i) => content[entry.name + i] === byte);
}
