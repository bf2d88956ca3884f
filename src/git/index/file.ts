/**
 * Changing entries of git's index for given paths, and leaving all others byte for byte. Written by ourselves because
 * isomorphic-git drops what it does not know (version 4, flags, extensions) and git itself is never run.
 */

import { compareBytes, concatBytes, fromLatin1, latin1, nameBytes, nameOf, utf8 } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import type { Stat } from '../../fs/fs.ts';
import { firstNotBefore } from '../../sorted.ts';
import { fromHex } from '../objects/object.ts';
import { encodeHead, entryAt, headAt, type IndexEntry, smudgedHead } from './entry.ts';
import { type Extension, HASH, type Index, parseIndex, type Sha1, unsupported } from './format.ts';

/** One path: what its entry shall be; `null`: none. `stat` is that of the file on disk, or git looks at the content. */
export interface IndexChange {
  path: string;
  entry: { mode: string; oid: string; stat: Stat } | null;
}

/** Returns what the index holds at a path of the work tree, in a conflict the first stage; `null` when nothing. */
export function readIndexEntry(bytes: Uint8Array | null, path: string): IndexEntry | null {
  if (!bytes) return null;
  const index = parseIndex(bytes);
  const entry = entryOf(index, nameBytes(path));
  if (!entry && isLeftOut(index, path))
    throw unsupported(
      'sparse index without this folder',
      `git sparse-checkout add ${path.replace(/\/[^/]*$/, '')}`,
    );
  return entry;
}

/** True for a path below a folder that a sparse index has as one entry. */
function isLeftOut(index: Index, path: string): boolean {
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1))
    if (entryOf(index, nameBytes(path.slice(0, slash + 1)))) return true;
  return false;
}

function entryOf(index: Index, name: Uint8Array): IndexEntry | null {
  const at = lowerBound(index, name);
  return holds(index, at, name) ? entryAt(index, at) : null;
}

/**
 * Whether git tracks the path: with a file, or as one that a sparse checkout leaves out, alone or with its whole
 * folder; `null`: not at all.
 */
export function trackedAs(bytes: Uint8Array | null, path: string): 'file' | 'left out' | null {
  if (!bytes) return null;
  const index = parseIndex(bytes);
  const own = entryOf(index, nameBytes(path));
  if (own) return own.skipWorktree ? 'left out' : 'file';
  return isLeftOut(index, path) ? 'left out' : null;
}

/**
 * The bytes of the index with the entries of `changes` as they say. `bytes` is the present index, `null` when there is
 * none. Entries whose names are in `smudged` (see index-racy.ts) only lose their size: git then compares the content.
 * Throws CONFLICT for a path with a merge conflict or with a file or folder of the index in its way, and CORRUPT.
 */
export async function updateIndex(
  bytes: Uint8Array | null,
  changes: readonly IndexChange[],
  sha1: Sha1,
  smudged: readonly Uint8Array[] = [],
): Promise<Uint8Array> {
  const index = parseIndex(bytes ?? emptyIndex());
  const splices = [...splicesOf(index, changes), ...smudgesOf(index, changes, smudged)];
  splices.sort((a, b) => compareBytes(a.name, b.name));
  assertFits(index, splices);
  return spliced(index, splices, sha1);
}

/** The bytes of the index with these entries in place of those that go. */
export async function spliced(index: Index, splices: readonly Splice[], sha1: Sha1): Promise<Uint8Array> {
  const count = index.count + splices.reduce((sum, one) => sum + (one.head ? 1 : 0) - one.removed, 0);
  const room = new Uint8Array(HASH);
  const parts = [header(index, count), ...entries(index, splices), ...extensions(index, splices), room];
  const file = concatBytes(parts);
  if (isHashed(index)) file.set(fromHex(await sha1(file.subarray(0, -HASH))), file.length - HASH);
  return file;
}

/** Throws what `updateIndex` would, before anything depends on it. */
export function assertChangeable(bytes: Uint8Array | null, changes: readonly IndexChange[]): void {
  const index = parseIndex(bytes ?? emptyIndex());
  assertFits(index, splicesOf(index, changes));
}

/** Returns the bytes of an index without entries. */
export function emptyIndex(): Uint8Array {
  return concatBytes([fromLatin1('DIRC\0\0\0\x02\0\0\0\0'), new Uint8Array(HASH).fill(1)]);
}

/** False with index.skipHash: the hash is zeros, and stays so. */
function isHashed(index: Index): boolean {
  return index.bytes.subarray(-HASH).some(byte => byte !== 0);
}

/** At entry `at`: `removed` (0 or 1) entries go, and the one with this head and name comes. */
export interface Splice {
  at: number;
  removed: number;
  name: Uint8Array;
  head: Uint8Array | null;
  /** False when only the size goes: nothing that git caches depends on it. */
  changes: boolean;
}

function splicesOf(index: Index, changes: readonly IndexChange[]): Splice[] {
  const last = new Map(changes.map(change => [change.path, change]));
  return [...last.values()].flatMap(({ path, entry }) => {
    const name = nameBytes(path);
    const old = entryOf(index, name);
    if (old && old.stage > 0)
      throw conflict(path, 'is in conflict in the index: finish or abort the merge first');
    if (!old && !entry) return [];
    const { assumeValid = false, skipWorktree = false } = old ?? {};
    const head = entry && encodeHead({ ...entry, assumeValid, skipWorktree }, name.length);
    return [{ at: lowerBound(index, name), removed: old ? 1 : 0, name, head, changes: true }];
  });
}

function conflict(path: string, why: string): EditError {
  return new EditError('CONFLICT', `${path} ${why}.`, { path });
}

function smudgesOf(index: Index, changes: readonly IndexChange[], names: readonly Uint8Array[]): Splice[] {
  const changed = new Set(changes.map(change => latin1(nameBytes(change.path))));
  return names.flatMap(name => {
    const at = lowerBound(index, name);
    if (changed.has(latin1(name)) || !holds(index, at, name)) return [];
    return [{ at, removed: 1, name, head: smudgedHead(index, at), changes: false }];
  });
}

/** Throws CONFLICT where a file would be above or below another one of the index. */
function assertFits(index: Index, splices: readonly Splice[]): void {
  const stays = (at: number): boolean =>
    !splices.some(splice => splice.removed && !splice.head && splice.at === at);
  for (const { name, head, removed } of splices) {
    if (!head || removed) continue;
    const path = nameOf(name);
    for (let end = name.indexOf(0x2f); end >= 0; end = name.indexOf(0x2f, end + 1)) {
      const above = name.subarray(0, end);
      const at = lowerBound(index, above);
      if (holds(index, at, above) && stays(at)) throw conflict(path, 'is below a file of the index');
    }
    const folder = concatBytes([name, utf8('/')]);
    for (let at = lowerBound(index, folder); startsWith(index, at, folder); at++) {
      if (stays(at)) throw conflict(path, 'is a folder in the index');
    }
  }
}

function lowerBound(index: Index, name: Uint8Array): number {
  return firstNotBefore(0, index.count, at => compareBytes(index.name(at), name) < 0);
}

function holds(index: Index, at: number, name: Uint8Array): boolean {
  return at < index.count && compareBytes(index.name(at), name) === 0;
}

function startsWith(index: Index, at: number, prefix: Uint8Array): boolean {
  return at < index.count && compareBytes(index.name(at).subarray(0, prefix.length), prefix) === 0;
}

function header(index: Index, count: number): Uint8Array {
  const bytes = index.bytes.slice(0, 12);
  new DataView(bytes.buffer).setUint32(8, count);
  return bytes;
}

/** Encodes all entries: those between the splices as they are, in one piece each. */
function entries(index: Index, splices: readonly Splice[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let from = 0;
  let before: Uint8Array | null = null;
  for (const { at, removed, name, head } of splices) {
    pieces.push(...run(index, from, at, before));
    if (from < at) before = index.name(at - 1);
    if (head) pieces.push(...encoded(index, head, name, before));
    if (head) before = name;
    from = at + removed;
  }
  return [...pieces, ...run(index, from, index.count, before)];
}

/** Encodes entries `from` to `to`. In version 4 the first is written against `before`, the name that is before it now. */
function run(index: Index, from: number, to: number, before: Uint8Array | null): Uint8Array[] {
  if (from >= to) return [];
  if (index.version < 4 || (from === 0 && !before))
    return [index.bytes.subarray(index.starts[from], index.starts[to])];
  const first = encoded(index, headAt(index, from), index.name(from), before);
  return [...first, index.bytes.subarray(index.starts[from + 1], index.starts[to])];
}

function encoded(index: Index, head: Uint8Array, name: Uint8Array, before: Uint8Array | null): Uint8Array[] {
  if (index.version < 4) return [head, name, new Uint8Array(8 - ((head.length + name.length) & 7))];
  const previous = before ?? new Uint8Array();
  let common = 0;
  while (common < Math.min(previous.length, name.length) && previous[common] === name[common]) common++;
  return [head, varint(previous.length - common), name.subarray(common), new Uint8Array(1)];
}

/** Encodes what `readVarint` reads. */
function varint(value: number): Uint8Array {
  const bytes = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift(0x80 | (--rest & 0x7f));
  return Uint8Array.from(bytes);
}

/**
 * TREE loses the folders that changed; REUC (conflicts that were resolved) depends on nothing here; UNTR (untracked
 * files) holds while no entry comes or goes. The rest is about positions in the file, or is made again by git: EOIE,
 * IEOT, FSMN and what is not known.
 */
function extensions(index: Index, splices: readonly Splice[]): Uint8Array[] {
  const changed = splices.filter(splice => splice.changes);
  const names = changed.map(splice => latin1(splice.name));
  const sameNames = changed.every(splice => splice.removed && splice.head);
  return index.extensions.flatMap(({ signature, data }) => {
    const isKept = signature === 'REUC' || signature === 'sdir' || (signature === 'UNTR' && sameNames);
    const kept = signature === 'TREE' ? invalidateTree(data, names) : isKept ? data : null;
    return kept ? extension(signature, kept) : [];
  });
}

function extension(signature: Extension['signature'], data: Uint8Array): Uint8Array[] {
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, data.length);
  return [fromLatin1(signature), size, data];
}

const ID = 20;

/** The head of a folder: its name, the number of entries below it, and of folders in it. */
const FOLDER = /([^\0]*)\0(-?\d+) (\d+)\n/y;

/**
 * The extension TREE with the folders above `paths` marked as not valid, all others as they were; `null` when it is damaged.
 * It has the ids of the trees that the index would give, so that git need not hash them again (gitformat-index(5), "Cache
 * tree"). Depth first, for each folder: its name and a NUL, the number of entries below it (negative: not valid) and a space,
 * the number of folders in it and a line feed, and when valid the tree's id. Paths hold one character a byte.
 */
function invalidateTree(data: Uint8Array, paths: readonly string[]): Uint8Array | null {
  const text = latin1(data);
  try {
    const root = copyFolder(text, 0, paths);
    return root?.next === text.length ? fromLatin1(root.text) : null;
  } catch (error) {
    // Forged, with more folders in each other than can be followed.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

interface CopiedFolder {
  name: string;
  text: string;
  next: number;
}

/** Copies a folder of the extension; `null` when it is damaged. `paths` are relative to the folder that it is in. */
function copyFolder(text: string, at: number, paths: readonly string[]): CopiedFolder | null {
  FOLDER.lastIndex = at;
  const [head, name = '', entries = '', count] = FOLDER.exec(text) ?? [];
  if (head === undefined) return null;
  const own = name === '' ? paths : pathsBelow(paths, name);
  let next = at + head.length + (entries.startsWith('-') ? 0 : ID);
  let below = '';
  let folders = Number(count);
  for (let left = folders; left > 0; left--) {
    const folder = copyFolder(text, next, own);
    if (!folder) return null;
    next = folder.next;
    // A path that is now a file, or now nothing, was the name of this folder.
    if (own.includes(folder.name)) folders -= 1;
    else below += folder.text;
  }
  if (own.length === 0) return { name, text: text.slice(at, next), next };
  return { name, text: `${name}\0-1 ${folders}\n${below}`, next };
}

function pathsBelow(paths: readonly string[], name: string): string[] {
  return paths.filter(path => path.startsWith(`${name}/`)).map(path => path.slice(name.length + 1));
}
