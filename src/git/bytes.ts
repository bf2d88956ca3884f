/** Small conversions between bytes and strings that git's formats need everywhere. */

export { concatBytes as concat } from '../bytes.ts';

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
