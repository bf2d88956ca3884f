/** Bytes compared, searched and turned into strings: at the speed of memory where there is Node’s Buffer, one by one elsewhere. */

/** Not imported, so that all of this runs in a browser as well. */
const native = globalThis.Buffer as typeof Buffer | undefined;

/** Bytes that are compared at once, before the first that differs is looked for among them. */
const BLOCK = 1 << 15;

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  if (native) return native.compare(a, b) === 0;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/** Compares as memcmp: by bytes, the shorter first. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

/** The bytes of `parts`, one after another. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  let size = 0;
  for (const part of parts) size += part.length;
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The bytes of `parts` in pieces of at most `most`: short ones are joined, long ones are cut without a copy. */
export function* pieces(parts: Iterable<Uint8Array>, most: number = PIECE): Generator<Uint8Array> {
  let short: Uint8Array[] = [];
  let length = 0;
  for (const part of parts) {
    if (length + part.length > most) {
      if (length > 0) yield concatBytes(short);
      [short, length] = [[], 0];
    }
    for (let at = 0; part.length > most && at < part.length; at += most) yield part.subarray(at, at + most);
    if (part.length > most) continue;
    short.push(part);
    length += part.length;
  }
  if (length > 0) yield short.length === 1 ? short[0]! : concatBytes(short);
}

/** Bytes that are written at once. */
const PIECE = 1024 * 1024;

/** Counts the bytes at the beginning that are the same in both arrays; at most `most`. */
export function commonPrefix(
  a: Uint8Array,
  b: Uint8Array,
  most: number = Math.min(a.length, b.length),
): number {
  let at = 0;
  for (let end = BLOCK; end <= most && sameBytes(a.subarray(at, end), b.subarray(at, end)); end += BLOCK)
    at = end;
  while (at < most && a[at] === b[at]) at++;
  return at;
}

/** Counts the bytes at the end that are the same in both arrays; at most `most`. */
export function commonSuffix(
  a: Uint8Array,
  b: Uint8Array,
  most: number = Math.min(a.length, b.length),
): number {
  const [aEnd, bEnd] = [a.length, b.length];
  const isSame = (from: number, to: number): boolean =>
    sameBytes(a.subarray(aEnd - to, aEnd - from), b.subarray(bEnd - to, bEnd - from));
  let at = 0;
  for (let end = BLOCK; end <= most && isSame(at, end); end += BLOCK) at = end;
  while (at < most && a[aEnd - 1 - at] === b[bEnd - 1 - at]) at++;
  return at;
}

/** Where the byte stands first at or after `from`, or -1. */
export function indexOfByte(bytes: Uint8Array, byte: number, from = 0): number {
  if (!native) return bytes.indexOf(byte, from);
  return native.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(byte, from);
}

/** Lower case hex digits, two a byte. */
export function toHex(bytes: Uint8Array): string {
  if (native) return native.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

/** Counts a byte's occurrences before position `end` (0-based, exclusive). */
export function countByte(bytes: Uint8Array, byte: number, end: number = bytes.length): number {
  let count = 0;
  for (let at = 0; at < end; at++) if (bytes[at] === byte) count++;
  return count;
}

const encoder = new TextEncoder();
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 bytes. A lone surrogate becomes U+FFFD, so callers check for it first where it matters. */
export function utf8(text: string): Uint8Array {
  return (text.length <= SHORT ? shortAscii(text) : null) ?? encoder.encode(text);
}

/** For names of files, as every look-up in a tree needs them, a call of the encoder takes several times as long. */
const SHORT = 64;

function shortAscii(text: string): Uint8Array | null {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) return null;
    bytes[at] = unit;
  }
  return bytes;
}

/** The text of UTF-8 bytes, byte order mark included, or `null` when they are not UTF-8. */
export function fromUtf8(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

/**
 * The name that bytes of git's stand for. A byte that is no UTF-8 becomes a lone surrogate, U+DC80 to U+DCFF (as Python's
 * surrogateescape), which no request may hold: so every name is carried exactly, and such a one is asked for by nobody.
 */
export function nameOf(bytes: Uint8Array): string {
  const text = fromUtf8(bytes);
  if (text !== null) return text;
  let name = '';
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAfter(bytes[at]!);
    const letter = at + length <= bytes.length ? fromUtf8(bytes.subarray(at, at + length)) : null;
    name += letter ?? String.fromCharCode(ESCAPE + bytes[at]!);
    at += letter === null ? 1 : length;
  }
  return name;
}

/** The bytes of a name; those that `nameOf` answered come back as they were. */
export function nameBytes(name: string): Uint8Array {
  if (name.isWellFormed()) return utf8(name);
  const parts = [...name].map(letter => {
    const byte = letter.charCodeAt(0) - ESCAPE;
    return letter.length === 1 && byte >= 0x80 && byte <= 0xff ? Uint8Array.of(byte) : utf8(letter);
  });
  return concatBytes(parts);
}

/** Added to a byte that is no UTF-8. */
const ESCAPE = 0xdc00;

/** Returns the number of bytes of the UTF-8 letter that begins with this byte. */
function lengthAfter(first: number): number {
  if (first < 0xc0) return 1;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** One character a byte (U+0000 to U+00FF): a string that still holds the exact bytes. */
export function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    // Seven times faster than spreading the bytes into arguments; every commit and tree goes through here.
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + CHUNK) as unknown as number[]);
  }
  return text;
}

/** True when the bytes hold this text of ASCII characters somewhere. */
export function includesText(bytes: Uint8Array, text: string): boolean {
  const first = text.charCodeAt(0);
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let same = 1;
    while (same < text.length && bytes[at + same] === text.charCodeAt(same)) same++;
    if (same === text.length) return true;
  }
  return false;
}

/** As many arguments as every engine takes in one call. */
const CHUNK = 8192;

/** The bytes of a string made by `latin1`. */
export function fromLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** The unsigned 32-bit number, most significant byte first, at byte `at`. */
export function uint32(bytes: Uint8Array, at: number): number {
  if (at + 4 > bytes.length) throw new RangeError(`byte ${at} of ${bytes.length}`);
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}

/** Joins the parts of a stream. Throws what `tooLong` makes where they are more than `limit` bytes. */
export async function collected(
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
  tooLong: (limit: number) => Error,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of parts) {
    size += chunk.length;
    if (size > limit) throw tooLong(limit);
    chunks.push(chunk);
  }
  return concatBytes(chunks);
}

/** Yields the parts of a stream. Not every browser can iterate over one. */
export async function* partsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
