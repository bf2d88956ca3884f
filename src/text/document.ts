/**
 * The one place where bytes become text and text becomes bytes, strictly: UTF-8, UTF-16 by its byte order mark, or the
 * encoding that the bytes were marked with where they were read. A byte order mark is kept and never shown. Nothing else
 * knows of encodings.
 */

import { countByte } from '../bytes.ts';
import { EditError } from '../errors.ts';
import { firstNotBefore } from '../sorted.ts';
import { pathName } from '../wording.ts';
import { type Encoding, hasMark, textIn, UTF8, UTF16BE, UTF16LE } from './encodings.ts';

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
const BINARY_PROBE_BYTES = 8000;

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

function decodeText(path: string, bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  const isWide = encoding === UTF16LE || encoding === UTF16BE;
  if (!isWide && bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) throw binaryFile(path, bytes);
  const whole = textIn(bytes, encoding);
  if (whole === null) throw encoding === UTF8 ? notUtf8(path, bytes) : notEncoded(path, bytes, encoding);
  if (isWide && whole.includes('\0')) throw binaryFile(path, bytes);
  return encoding.mark && whole.startsWith(BOM_TEXT) ? whole.slice(1) : whole;
}

const HOW_TO_DECLARE =
  'working-tree-encoding=<name> in .gitattributes (git then records UTF-8), or charset = <name> in .editorconfig, or ' +
  'the option encodings of openWorkspace (then it records the bytes as they are)';

function binaryFile(path: string, bytes: Uint8Array): EditError {
  const offset = bytes.indexOf(0);
  const message = `${pathName(path)} is a binary file (a NUL byte at offset ${offset}) and cannot be edited as text. Another tool has to change it. If it is UTF-16 text, declare that: working-tree-encoding=UTF-16LE in .gitattributes.`;
  return new EditError('BINARY_FILE', message, { path, offset });
}

/** The refusal of bytes that mean nothing in the encoding that was declared for them. */
function notEncoded(path: string, bytes: Uint8Array, encoding: Encoding): EditError {
  const { name } = encoding;
  const message =
    `${pathName(path)} is declared to be ${name}, and its bytes are not: decoded and encoded again they would be others. ` +
    'Nothing was changed. Declare the encoding that it has, where this one is declared, or mend the file with another tool.';
  return new EditError('ENCODING', message, { path, encoding: name, ...placeOfFault(bytes, encoding) });
}

/** The first byte after which the bytes are not those of a text; `{}` where their number is at fault. */
function placeOfFault(bytes: Uint8Array, encoding: Encoding): { offset?: number } {
  try {
    const back = encoding.encode(encoding.decode(bytes));
    const offset = bytes.findIndex((byte, at) => byte !== back[at]);
    return offset < 0 ? {} : { offset };
  } catch {
    return {};
  }
}

/** The refusal of a text with a character that the encoding of the file lacks, or with a beginning like another mark. */
function lacksCharacter(path: string, text: string, encoding: Encoding): EditError {
  let [at, line] = [0, 1];
  for (const character of text) {
    if (encoding.decode(encoding.encode(character)) !== character) break;
    if (character === '\n') line++;
    at += character.length;
  }
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0xfffd);
  const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  const { name } = encoding;
  const message =
    `${pathName(path)} is in ${name}, which has no ${JSON.stringify(character)} (${code}, line ${line} of the new text). ` +
    'Nothing was changed. Write it with other characters, or convert the file to UTF-8 first and change what declares its encoding.';
  return new EditError('ENCODING', message, { path, encoding: name, offset: at, line, character });
}

function notUtf8(path: string, bytes: Uint8Array): EditError {
  const offset = invalidUtf8At(bytes);
  const line = 1 + countByte(bytes, 10, offset);
  const byte = `0x${(bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
  const message =
    `${pathName(path)} is not valid UTF-8: byte ${byte} at offset ${offset} (line ${line}). Editing it as text would damage ` +
    `it. Declare its encoding, then edit it: ${HOW_TO_DECLARE}.`;
  return new EditError('NOT_UTF8', message, { path, offset, line, byte });
}

/** The offset of the first byte that begins no valid UTF-8 sequence, or the length. */
function invalidUtf8At(bytes: Uint8Array): number {
  const textBefore = (end: number): string | null => {
    try {
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
      // As a stream: its last sequence may go on.
      return decoder.decode(bytes.subarray(0, end), { stream: true });
    } catch {
      return null;
    }
  };
  const end = firstNotBefore(0, bytes.length, at => textBefore(at + 1) !== null);
  return UTF8.encode(textBefore(end)!).length;
}
