/**
 * The one place where bytes become text and text becomes bytes, strictly: UTF-8, UTF-16 by its byte order mark, or the
 * encoding that the bytes were marked with where they were read. A byte order mark is kept and never shown. Nothing else
 * knows of encodings.
 */

import { EditError } from '../errors.ts';
import { type Encoding, hasMark, textIn, UTF8, UTF16BE, UTF16LE } from './encodings.ts';
import { binaryFile, lacksCharacter, notEncoded, notUtf8 } from './no-text.ts';

/** A file as an edit sees it. `text` has no byte order mark; its line ends are the file's own. */
export interface TextFile {
  readonly path: string;
  /** The git blob id of the exact bytes, 40 hex digits, or '' for a text that is not written yet. */
  readonly version: string;
  readonly bytes: Uint8Array;
  /** Decoded when first asked for. Throws EditError BINARY_FILE, NOT_UTF8 or ENCODING. */
  readonly text: string;
  /** True when the bytes begin with a byte order mark. */
  readonly bom: boolean;
  readonly encoding: Encoding;
}

/** NUL within this many bytes from the start makes a file binary: git's own rule (buffer_is_binary). */
export const BINARY_PROBE_BYTES = 8000;

const BOM_TEXT = '\uFEFF';

/** Bytes that were declared to be in an encoding, where they were read. */
const declared = new WeakMap<Uint8Array, Encoding>();

/** Marks bytes with the encoding of the file that they were read from; the array given stays as it is. */
export function withEncoding(bytes: Uint8Array, encoding: Encoding): Uint8Array {
  if (encodingOf(bytes) === encoding) return bytes;
  const marked = bytes.subarray();
  declared.set(marked, encoding);
  return marked;
}

/** The encoding of the bytes: by their mark, else as they were declared, else UTF-8. */
export function encodingOf(bytes: Uint8Array): Encoding {
  // No mark begins with a lower byte.
  const marked = bytes[0]! < 0xef ? undefined : [UTF16LE, UTF16BE, UTF8].find(one => hasMark(bytes, one));
  return marked ?? declared.get(bytes) ?? UTF8;
}

/** The file with these exact bytes. Nothing is decoded before `text` is asked for, so any bytes are welcome. */
export function textFile(path: string, bytes: Uint8Array, version: string): TextFile {
  const encoding = encodingOf(bytes);
  let text: string | undefined;
  return {
    path,
    version,
    bytes,
    bom: hasMark(bytes, encoding),
    encoding,
    get text() {
      text ??= decodeText(path, bytes);
      return text;
    },
  };
}

/** The text of a file; `null` for one that is no text. */
export function textOrNull(file: TextFile): string | null {
  try {
    return file.text;
  } catch (error) {
    if (error instanceof EditError) return null;
    throw error;
  }
}

/** Decodes a text as an agent sees it, and with its byte order mark as git sees it. `null` for a file that is no text. */
export function readableText(
  path: string,
  file: { bytes: Uint8Array; version: string } | null,
): { text: string; marked: string } | null {
  if (!file) return { text: '', marked: '' };
  const read = textFile(path, file.bytes, file.version);
  const text = textOrNull(read);
  return text === null ? null : { text, marked: read.bom ? `\ufeff${text}` : text };
}

/** True for the refusal of a file that is no text; with `orLarge` also of one that is too large to be taken for text. */
export function isNoText(error: unknown, orLarge?: 'or too large'): error is EditError {
  if (!(error instanceof EditError)) return false;
  return NO_TEXT.has(error.code) || (orLarge !== undefined && error.code === 'TOO_LARGE');
}

const NO_TEXT: ReadonlySet<string> = new Set(['BINARY_FILE', 'NOT_UTF8', 'ENCODING']);

/**
 * A file that is not written yet, from its text: version '', encoded when `bytes` is first asked for, which throws
 * as encodeText does.
 */
export function unwrittenFile(path: string, text: string, bom: boolean, encoding: Encoding = UTF8): TextFile {
  if (!bom && text.startsWith(BOM_TEXT)) return unwrittenFile(path, text.slice(1), true, encoding);
  let bytes: Uint8Array | undefined;
  return {
    path,
    version: '',
    text,
    bom,
    encoding,
    get bytes() {
      bytes ??= encodeText(text, bom, encoding, path);
      return bytes;
    },
  };
}

/**
 * The bytes of a text, after a byte order mark if asked. Throws INVALID_INPUT when the text is not Unicode, ENCODING
 * when it has a character that the encoding lacks.
 */
export function encodeText(text: string, bom: boolean, encoding: Encoding = UTF8, path = ''): Uint8Array {
  const at = loneSurrogateAt(text);
  if (at >= 0)
    throw new EditError('INVALID_INPUT', `The text ${loneSurrogateWords(text, at)}`, { offset: at });
  const whole = bom ? BOM_TEXT + text : text;
  const bytes = encoding.encode(whole);
  if (encoding !== UTF8 && encoding.decode(bytes) !== whole) throw lacksCharacter(path, whole, encoding);
  const marked = withEncoding(bytes, encoding);
  if (encodingOf(marked) !== encoding) throw lacksCharacter(path, whole, encoding);
  return marked;
}

/** The bytes of a whole text that is put in place of a file: in its encoding, where that is another than UTF-8. */
export function encodeOver(
  { path, bom, encoding }: Omit<TextFile, 'bytes' | 'text'>,
  text: string,
): Uint8Array {
  if (encoding === UTF8) return encodeText(text, false);
  return encodeText(text, bom && !text.startsWith(BOM_TEXT), encoding, path);
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

function decodeText(path: string, bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  const isWide = encoding === UTF16LE || encoding === UTF16BE;
  if (!isWide && isBinary(bytes)) throw binaryFile(path, bytes);
  const whole = textIn(bytes, encoding);
  if (whole === null) throw encoding === UTF8 ? notUtf8(path, bytes) : notEncoded(path, bytes, encoding);
  if (isWide && whole.includes('\0')) throw binaryFile(path, bytes);
  return encoding.mark && whole.startsWith(BOM_TEXT) ? whole.slice(1) : whole;
}
