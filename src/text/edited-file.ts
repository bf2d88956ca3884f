/** A file with spans put in: its bytes come from those of the file before, and its text is made only if asked for. */

import { concatBytes } from '../bytes.ts';
import { encodeText, loneSurrogateAt, noteText, type TextFile, unwrittenFile } from './document.ts';
import { UTF8 } from './encodings.ts';
import { applySpans, orderedSpans, type Span } from './spans.ts';

const BOM = '\uFEFF';
const BOM_BYTES = 3;
/** Bytes of files that are encoded anew, which takes no longer. */
const SMALL = 16 * 1024;

/** Files whose bytes were not asked for. Those of the next edit are then made of its text, not of a chain of files. */
const unmade = new WeakSet<TextFile>();

/**
 * The file as it is with the spans put in, not written yet: version ''. `bytes` throws as encodeText does. Throws
 * RangeError for spans that overlap or do not fit.
 */
export function editedFile(file: TextFile, path: string, spans: readonly Span[]): TextFile {
  const ordered = orderedSpans(spans, file.text.length);
  const { encoding } = file;
  if (!file.bom && beginsAnew(file.text, ordered))
    return unwrittenFile(path, applySpans(file.text, ordered), false, encoding);
  let [text, bytes]: [string | undefined, Uint8Array | undefined] = [undefined, undefined];
  const edited: TextFile = {
    path,
    version: '',
    bom: file.bom,
    encoding,
    get text() {
      text ??= applySpans(file.text, ordered);
      return text;
    },
    get bytes() {
      const canSplice = encoding === UTF8 && !unmade.has(file) && file.bytes.length > SMALL;
      bytes ??=
        (canSplice ? spliced(file, ordered) : null) ?? encodeText(this.text, file.bom, encoding, path);
      unmade.delete(edited);
      return bytes;
    },
  };
  unmade.add(edited);
  return edited;
}

/** True where the new text may begin with a byte order mark, which the old one does not. */
function beginsAnew(text: string, spans: readonly Span[]): boolean {
  let at = 0;
  for (const { start, end, text: put } of spans) {
    if (start > at) break;
    if (put !== '') return put.startsWith(BOM);
    at = end;
  }
  return text.startsWith(BOM, at);
}

/** The bytes, of which those outside the spans are copied; `null` where a span parts or holds half a surrogate pair. */
function spliced({ bytes, text, bom }: TextFile, spans: readonly Span[]): Uint8Array | null {
  const parts: Uint8Array[] = [];
  const place = new BytePlace(bytes, bom ? BOM_BYTES : 0, text);
  let at = 0;
  for (const { start, end, text: put } of spans) {
    if (partsPair(text, start) || partsPair(text, end) || loneSurrogateAt(put) >= 0) return null;
    parts.push(bytes.subarray(at, place.of(start)), encodeText(put, false));
    at = place.of(end);
  }
  const whole = concatBytes([...parts, bytes.subarray(at)]);
  noteText(whole, null);
  return whole;
}

/** True between the two halves of a surrogate pair. */
function partsPair(text: string, at: number): boolean {
  return at > 0 && (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}

/** Where the bytes of a character begin; to be asked from the beginning to the end. */
class BytePlace {
  readonly #bytes: Uint8Array;
  readonly #isAscii: boolean;
  readonly #start: number;
  /** A byte, and how many UTF-16 units are before it. */
  #at: number;
  #units = 0;

  constructor(bytes: Uint8Array, start: number, text: string) {
    this.#bytes = bytes;
    this.#start = this.#at = start;
    this.#isAscii = bytes.length - start === text.length;
  }

  of(units: number): number {
    if (this.#isAscii) return this.#start + units;
    const bytes = this.#bytes;
    let [at, count] = [this.#at, this.#units];
    while (count < units) {
      const lead = bytes[at]!;
      at += lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      count += lead < 0xf0 ? 1 : 2;
    }
    [this.#at, this.#units] = [at, count];
    return at;
  }
}
