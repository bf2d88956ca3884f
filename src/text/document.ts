/** Bytes to text and back, strictly: UTF-8, a byte order mark that is kept and never shown, no binary files. */

import { EditError } from '../errors.ts';
import { pathName } from '../wording.ts';

/** A file as an edit sees it. `text` has no byte order mark; its line ends are the file's own. */
export interface TextFile {
  readonly path: string;
  /** The git blob id of the exact bytes, 40 hex digits, or '' for a text that is not written yet. */
  readonly version: string;
  readonly bytes: Uint8Array;
  /** Decoded when first asked for. Throws EditError BINARY_FILE or NOT_UTF8. */
  readonly text: string;
  /** True when the bytes begin with a byte order mark. */
  readonly bom: boolean;
}

/** NUL within this many bytes from the start makes a file binary: git's own rule (buffer_is_binary). */
export const BINARY_PROBE_BYTES = 8000;

const BOM_TEXT = '\uFEFF';
const BOM_BYTES = 3;

/** The file with these exact bytes. Nothing is decoded before `text` is asked for, so any bytes are welcome. */
export function textFile(path: string, bytes: Uint8Array, version: string): TextFile {
  const bom = beginsWithBom(bytes);
  let text: string | undefined;
  return {
    path,
    version,
    bytes,
    bom,
    get text() {
      text ??= decodeText(path, bytes, version);
      return text;
    },
  };
}

/** True for bytes that are text, so that they can be decoded in parts: the text as a whole is let go of. */
export function isText(bytes: Uint8Array, version: string): boolean {
  if (isBinary(bytes)) return false;
  try {
    if (!knownText(bytes, version)) decodeText('', bytes, version);
  } catch {
    return false;
  }
  const known = knownText(bytes, version);
  if (known) known.text = null;
  return true;
}

/** True for the refusal of a file that is no text; with `orLarge` also of one that is too large to be taken for text. */
export function isNoText(error: unknown, orLarge?: 'or too large'): error is EditError {
  if (!(error instanceof EditError)) return false;
  return NO_TEXT.has(error.code) || (orLarge !== undefined && error.code === 'TOO_LARGE');
}

const NO_TEXT: ReadonlySet<string> = new Set(['BINARY_FILE', 'NOT_UTF8']);

/**
 * A file that is not written yet, from its text: version '', encoded when `bytes` is first asked for, which throws
 * as encodeText does.
 */
export function unwrittenFile(path: string, text: string, bom: boolean): TextFile {
  if (!bom && text.startsWith(BOM_TEXT)) return unwrittenFile(path, text.slice(1), true);
  let bytes: Uint8Array | undefined;
  return {
    path,
    version: '',
    text,
    bom,
    get bytes() {
      bytes ??= encodeText(text, bom);
      return bytes;
    },
  };
}

/** The bytes of a text, after a byte order mark if asked. Throws INVALID_INPUT when the text is not Unicode. */
export function encodeText(text: string, bom: boolean): Uint8Array {
  const at = loneSurrogateAt(text);
  if (at >= 0)
    throw new EditError('INVALID_INPUT', `The text ${loneSurrogateWords(text, at)}`, { offset: at });
  const bytes = new TextEncoder().encode(bom ? BOM_TEXT + text : text);
  noteText(bytes, text.startsWith(BOM_TEXT) && !bom ? text.slice(1) : text);
  return bytes;
}

/** Where the first half of a broken surrogate pair stands, in UTF-16 units, or -1: such a text has no UTF-8 form. */
export function loneSurrogateAt(text: string): number {
  return text.search(/\p{Surrogate}/u);
}

/** Says what is wrong with a text at a lone surrogate, to be read after the name of the text. */
export function loneSurrogateWords(text: string, at: number): string {
  const unit = text.charCodeAt(at).toString(16).toUpperCase();
  return (
    `holds half of a surrogate pair (U+${unit}) at character ${at + 1}, so it is no Unicode text and has no UTF-8 ` +
    'form. Send the whole character, in JSON as itself or as both halves (\\ud83d\\ude00).'
  );
}

/** True when git and this engine take the bytes for binary: a NUL among the first 8,000. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, BINARY_PROBE_BYTES).includes(0);
}

function beginsWithBom(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function decodeText(path: string, bytes: Uint8Array, version: string): string {
  if (isBinary(bytes)) throw binaryFile(path, bytes);
  const known = knownText(bytes, version);
  if (known?.text != null) return known.text;
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const text = decoder.decode(beginsWithBom(bytes) ? bytes.subarray(BOM_BYTES) : bytes);
    if (version !== '') decoded.set(bytes, { version, text });
    return text;
  } catch {
    throw notUtf8(path, bytes);
  }
}

/** Bytes that are known to be UTF-8, and their text where they were decoded, or encoded, from it. */
interface Decoded {
  /** `null` until bytes that were made here get one. */
  version: string | null;
  text: string | null;
}

/** A file is looked at by several steps of an edit, and is decoded once. */
const decoded = new WeakMap<Uint8Array, Decoded>();

/** Notes of bytes that were made a moment ago that they are this text; `null`: some text. */
export function noteText(bytes: Uint8Array, text: string | null): void {
  decoded.set(bytes, { version: null, text });
}

/** Nobody knows what a caller does to an array, so that without a version, which is its hash, nothing is known. */
function knownText(bytes: Uint8Array, version: string): Decoded | undefined {
  const known = decoded.get(bytes);
  if (!known || version === '') return undefined;
  known.version ??= version;
  return known.version === version ? known : undefined;
}

function binaryFile(path: string, bytes: Uint8Array): EditError {
  const offset = bytes.indexOf(0);
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const what = utf16
    ? 'It begins like UTF-16: convert it to UTF-8 with a command first, if its readers can take that.'
    : 'Another tool has to change it.';
  const message = `${pathName(path)} is a binary file (a NUL byte at offset ${offset}) and cannot be edited as text. ${what}`;
  return new EditError('BINARY_FILE', message, { path, offset });
}

function notUtf8(path: string, bytes: Uint8Array): EditError {
  const offset = invalidUtf8At(bytes);
  let line = 1;
  for (let at = bytes.indexOf(10); at >= 0 && at < offset; at = bytes.indexOf(10, at + 1)) line++;
  const byte = `0x${(bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
  const message =
    `${pathName(path)} is not valid UTF-8: byte ${byte} at offset ${offset} (line ${line}). Editing it as text would damage ` +
    'it. Convert it to UTF-8 with a command first (for example from Latin-1 or Windows-1252), then edit it.';
  return new EditError('NOT_UTF8', message, { path, offset, line, byte });
}

/** The offset of the first byte that begins no valid UTF-8 sequence, or the length. Unicode 15, table 3-7. */
function invalidUtf8At(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return at;
}

function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  const length =
    lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  const second = bytes[at + 1]!;
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let i = 2; i < length; i++) if ((bytes[at + i]! & 0xc0) !== 0x80) return 0;
  return length;
}
