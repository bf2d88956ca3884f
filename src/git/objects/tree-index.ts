/**
 * Where the entries of a large tree begin, so that a name is found by halving and not by reading all of them. An index is
 * made when a tree is asked for a second name; after an edit that changes ids alone it serves the new tree, too.
 */

import { firstNotBefore } from '../../sorted.ts';
import { type Extent, entryAt, isFolderAt, sortsBefore } from './tree-extents.ts';

/** Bytes of a tree, some hundred entries, from which on an index is worth its making. */
const LARGE = 16 * 1024;

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
export function keepIndex(content: Uint8Array, fresh: Uint8Array): void {
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
  return new TreeIndex(Int32Array.from(starts));
}

function isInOrder(content: Uint8Array, a: Extent, b: Extent): boolean {
  const name = content.subarray(a.name, a.nul);
  return sortsBefore({ name, isFolder: isFolderAt(content, a) }, content, b);
}

export class TreeIndex {
  readonly #starts: Int32Array;

  constructor(starts: Int32Array) {
    this.#starts = starts;
  }

  find(content: Uint8Array, name: Uint8Array): Extent | null {
    for (const isFolder of [false, true]) {
      // What sorts right before the place where the name would be put in once more.
      const at = this.#starts[this.#countUpTo(content, name, isFolder) - 1];
      const entry = at === undefined ? null : entryAt(content, at);
      if (entry && entry.nul - entry.name === name.length && isName(content, entry, name)) return entry;
    }
    return null;
  }

  placeOf(content: Uint8Array, name: Uint8Array, isFolder: boolean): number {
    return this.#starts[this.#countUpTo(content, name, isFolder)] ?? content.length;
  }

  #countUpTo(content: Uint8Array, name: Uint8Array, isFolder: boolean): number {
    const isBefore = (at: number): boolean =>
      !sortsBefore({ name, isFolder }, content, entryAt(content, this.#starts[at]!));
    return firstNotBefore(0, this.#starts.length, isBefore);
  }
}

function isName(content: Uint8Array, entry: Extent, name: Uint8Array): boolean {
  return name.every((byte, i) => content[entry.name + i] === byte);
}
