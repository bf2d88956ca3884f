/**
 * Git's index file taken apart without decoding what nobody asked for (gitformat-index(5), versions 2, 3 and 4).
 *
 *   header      "DIRC", version, number of entries
 *   entries     sorted by name as bytes, then by stage: 40 bytes of stat data, 20 of id, 2 of flags (2 more when the
 *               flags say so), the name; versions 2 and 3 pad with 1 to 8 NULs to a multiple of 8, version 4 stores
 *               how many bytes of the name before to cut off, what to add, and a NUL
 *   extensions  four letters, length, data
 *   hash        SHA-1 of all before, or zeros (index.skipHash)
 */

import { latin1, uint32 } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import { corrupt } from '../../fs/failures.ts';

export interface Index {
  readonly bytes: Uint8Array;
  readonly version: number;
  readonly count: number;
  /** Where entry i begins; one more than entries, the last being where the extensions begin. */
  readonly starts: Uint32Array;
  name(i: number): Uint8Array;
  readonly extensions: readonly Extension[];
}

export type Sha1 = (bytes: Uint8Array) => Promise<string> | string;

export interface Extension {
  signature: string;
  data: Uint8Array;
}

const HEADER = 12;
export const HASH = 20;
/** The bytes of an entry before its flags, and before its name. */
export const FLAGS_AT = 60;
const NAME_AT = 62;
export const EXTENDED = 0x4000;

/** Parsed indexes by their bytes, which are asked about again and again and never change. */
const parsed = new WeakMap<Uint8Array, Index>();

/**
 * Throws CORRUPT, and UNSUPPORTED_REPOSITORY for versions to come, and for a split index where not asked for its own `part`. An
 * entry of a sparse index may stand for a whole folder: its name ends with a slash.
 */
export function parseIndex(file: Uint8Array, part?: 'part'): Index {
  const index = parsed.get(file) ?? parse(file);
  parsed.set(file, index);
  if (part === undefined && has(index, 'link'))
    throw unsupported('split index', 'git update-index --no-split-index');
  return index;
}

function has({ extensions }: Index, signature: string): boolean {
  return extensions.some(one => one.signature === signature);
}

/** Throws UNSUPPORTED_REPOSITORY for a split or sparse index, which is not kept in step with each edit of the branch. */
export function assertWhole(file: Uint8Array): void {
  if (has(parseIndex(file), 'sdir'))
    throw unsupported('sparse index', 'git sparse-checkout reapply --no-sparse-index');
}

function parse(file: Uint8Array): Index {
  const bytes = new Uint8Array(file.buffer, file.byteOffset, file.byteLength); // a Buffer's slice is no copy
  if (bytes.length < HEADER + HASH || latin1(bytes.subarray(0, 4)) !== 'DIRC') throw broken('is no index');
  const version = uint32(bytes, 4);
  if (version < 2 || version > 4)
    throw unsupported(`index version ${version}`, 'git update-index --index-version 4');
  const count = uint32(bytes, 8);
  if (count > bytes.length / NAME_AT) throw broken('is cut off');
  const found = version === 4 ? compressedEntries(bytes, count) : paddedEntries(bytes, count);
  const extensions = parseExtensions(bytes, found.starts[count]!);
  return { bytes, version, count, extensions, ...found };
}

type Found = Pick<Index, 'starts' | 'name'>;

export function broken(why: string): EditError {
  return corrupt('the index', why, { file: 'index' });
}

/** Creates the refusal of a repository for its index. */
export function unsupported(feature: string, remedy: string): EditError {
  const words = `The repository has a ${feature}, which cannot be kept in step safely. Convert it with: ${remedy}`;
  return new EditError('UNSUPPORTED_REPOSITORY', words, { feature });
}

function paddedEntries(bytes: Uint8Array, count: number): Found {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - HASH;
  const starts = new Uint32Array(count + 1);
  const names = new Uint32Array(count * 2);
  let at = HEADER;
  for (let i = 0; i < count; i++) {
    if (at + NAME_AT > end) throw broken('is cut off');
    const flags = view.getUint16(at + FLAGS_AT);
    const name = at + NAME_AT + (flags & EXTENDED ? 2 : 0);
    const length = (flags & 0xfff) < 0xfff ? flags & 0xfff : bytes.indexOf(0, name) - name;
    if (length < 0) throw broken('has a name without end');
    starts[i] = at;
    names[i * 2] = name;
    names[i * 2 + 1] = name + length;
    at += (name - at + length + 8) & ~7;
  }
  if (at > end) throw broken('is cut off');
  starts[count] = at;
  return { starts, name: i => bytes.subarray(names[i * 2], names[i * 2 + 1]) };
}

/** Finds the entries of version 4. Names are kept decoded, one after another, in a pool. */
function compressedEntries(bytes: Uint8Array, count: number): Found {
  const end = bytes.length - HASH;
  const starts = new Uint32Array(count + 1);
  const ends = new Uint32Array(count + 1);
  let pool: Uint8Array<ArrayBuffer> = new Uint8Array(bytes.length * 2 + LONGEST);
  let at = HEADER;
  for (let i = 0; i < count; i++) {
    if (at + NAME_AT > end) throw broken('is cut off');
    starts[i] = at;
    const before = ends[i]! - (i === 0 ? 0 : ends[i - 1]!);
    const cut = readVarint(bytes, nameAt(bytes, at));
    const kept = before - cut.value;
    if (kept < 0) throw broken('has a name that does not fit');
    pool = withRoom(pool, ends[i]! + kept + LONGEST);
    pool.copyWithin(ends[i]!, ends[i]! - before, ends[i]! - before + kept);
    let to = ends[i]! + kept;
    at = cut.next;
    // Byte by byte: most are a few bytes long, and this is done for every file of the repository.
    while (at < end && bytes[at] !== 0) pool[to++] = bytes[at++]!;
    if (at >= end || to > pool.length) throw broken('has a name without end');
    ends[i + 1] = to;
    at += 1;
  }
  starts[count] = at;
  return { starts, name: i => pool.subarray(ends[i], ends[i + 1]) };
}

/** In bytes; longer names, which no file system has, are not read. */
const LONGEST = 65_536;

function nameAt(bytes: Uint8Array, at: number): number {
  return at + NAME_AT + (bytes[at + FLAGS_AT]! & (EXTENDED >> 8) ? 2 : 0);
}

function withRoom(pool: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  if (size <= pool.length) return pool;
  const larger = new Uint8Array(size * 2);
  larger.set(pool);
  return larger;
}

/** Reads git's offset encoding: seven bits a byte, most significant first, each further byte also stands for one more. */
export function readVarint(bytes: Uint8Array, at: number): { value: number; next: number } {
  let next = at;
  let byte = bytes[next++]!;
  let value = byte & 0x7f;
  while (byte & 0x80) {
    byte = bytes[next++]!;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next };
}

function parseExtensions(bytes: Uint8Array, from: number): Extension[] {
  const extensions: Extension[] = [];
  const end = bytes.length - HASH;
  let at = from;
  while (at < end) {
    const length = at + 8 <= end ? uint32(bytes, at + 4) : end;
    if (at + 8 + length > end) throw broken('has an extension that is cut off');
    const signature = latin1(bytes.subarray(at, at + 4));
    assertKnown(signature);
    extensions.push({ signature, data: bytes.subarray(at + 8, at + 8 + length) });
    at += 8 + length;
  }
  return extensions;
}

/** Refuses an unknown extension whose name does not begin with a capital: those must be understood. */
function assertKnown(signature: string): void {
  if (!/^[A-Z]/.test(signature) && signature !== 'link' && signature !== 'sdir') {
    throw unsupported(`index extension ${JSON.stringify(signature)}`, 'rm .git/index && git reset');
  }
}
