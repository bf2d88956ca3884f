/** The form of a git object, how its id is written, and the contract of a codec that hashes and packs its bytes. */

import { fromLatin1, latin1 } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import type { Fs } from '../../fs/fs.ts';

export type ObjectType = 'blob' | 'tree' | 'commit' | 'tag';

export interface GitObject {
  type: ObjectType;
  content: Uint8Array;
}

/** An object ready to be written: `deflated` is what the loose object file holds, made when it is first asked for. */
export interface EncodedObject extends GitObject {
  readonly oid: string;
  readonly deflated: Uint8Array;
  /** Makes `deflated` off the main thread; of an object that is large enough for that. */
  deflate?(): Promise<void>;
}

/** An object to be packed: `deflated` as that of a loose object, where it is known. */
export type PackInput = GitObject & { oid: string; deflated?: Uint8Array };

/** One way to do git's encodings: with node's own modules, or with what every JavaScript engine has. */
export interface Codec {
  /** The id of an object: SHA-1 of `<type> <size>\0<content>`. */
  hash(type: ObjectType, content: Uint8Array): Promise<string> | string;
  /** SHA-1 of bytes that are no object, such as the index; of several parts as of all of them together. */
  sha1(...parts: readonly Uint8Array[]): Promise<string> | string;
  /** `oid`: the id of the object, where it is known. */
  encode(type: ObjectType, content: Uint8Array, oid?: string): Promise<EncodedObject>;
  /**
   * The bytes behind a zlib stream. Throws an Error for a damaged or unfinished stream, and EditError TOO_LARGE
   * when there would be more than `maxBytes`.
   */
  inflate(bytes: Uint8Array, maxBytes?: number): Promise<Uint8Array>;
  /** The packs in `<objectsDir>/pack`. Nothing is read before the first question. */
  packs(options: PacksOptions): Packs;
  readonly packing: PackCodec;
}

/** The encodings of a pack. */
export interface PackCodec {
  /** Makes the zlib stream of an object's content, as a pack holds it, in parts. Large contents are deflated off the main thread. */
  entry(object: Omit<PackInput, 'oid'>): Promise<readonly Uint8Array[]>;
  /** CRC-32 as in the index of a pack; `before` is that of the bytes in front. */
  crc32(bytes: Uint8Array, before?: number): number;
  /** SHA-1 of bytes that come in parts. */
  sha1(): { update(bytes: Uint8Array): void; digest(): Promise<Uint8Array> | Uint8Array };
  /** Long work gives the event loop its turn with this, every few milliseconds. */
  turn(): Promise<void>;
}

export interface PacksOptions {
  fs: Fs;
  objectsDir: string;
  /** The largest object that is read, in bytes of content. */
  maxBytes: number;
}

export interface Packs {
  /** `null` when no pack holds it. Throws EditError CORRUPT, TOO_LARGE, STORE_FAILED. */
  read(oid: string): Promise<GitObject | null>;
  has(oid: string): Promise<boolean>;
  /** Every packed id that begins with `prefix` (lower case hex digits). */
  expand(prefix: string): Promise<string[]>;
  refresh(): Promise<void>;
  /** Another number after each change of the list that was noticed: what was not found may be there now. */
  readonly generation: number;
  close(): Promise<void>;
}

export function tooLarge(limit: number, data: { size?: number } = {}): EditError {
  const message = `an object of the repository is larger than ${limit} bytes; read it with git cat-file`;
  return new EditError('TOO_LARGE', message, { limit, ...data });
}

/** The tree without entries. Git reads it even where it is not stored; `git fsck` wants it stored. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** The id that stands for "none" in git's files. */
export const ZERO_OID: string = '0'.repeat(40);

/** True for a full id: 40 lower case hex digits. */
export function isOid(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

/** `<type> <size>\0`, which precedes the content when an object is hashed and stored. */
export function objectHeader(type: ObjectType, size: number): Uint8Array {
  return fromLatin1(`${type} ${size}\0`);
}

/** Takes a stored object apart; `null` when the header is broken or the size does not fit. */
export function parseObject(stored: Uint8Array): GitObject | null {
  const end = stored.subarray(0, 64).indexOf(0);
  const header = /^(blob|tree|commit|tag) (0|[1-9]\d*)$/.exec(latin1(stored.subarray(0, Math.max(end, 0))));
  if (header === null || Number(header[2]) !== stored.length - end - 1) return null;
  return { type: header[1] as ObjectType, content: stored.subarray(end + 1) };
}

/** The bytes of an even number of hex digits. */
export function fromHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length >> 1);
  for (let at = 0; at < bytes.length; at++) {
    const [high, low] = [hex.charCodeAt(at * 2), hex.charCodeAt(at * 2 + 1)];
    // Of digits and of letters in both cases.
    bytes[at] = (((high & 15) + (high >> 6) * 9) << 4) | ((low & 15) + (low >> 6) * 9);
  }
  return bytes;
}
