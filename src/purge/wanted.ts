/**
 * The text that is to go, and what stands in its place: of a given text every occurrence, in the forms in which files hold
 * it; of a path every line of every version that the histories have. Each line has its own number, so that what an edit
 * changed, and which lines it left alone, can still be told: undo, blame and later edits work on as they did.
 */

import { concatBytes, fromLatin1, latin1, utf8 } from '../bytes.ts';
import { EditError } from '../errors.ts';
import { MARKER, PURGED, PURGED_TEXTS } from '../history/purged.ts';
import { memo } from '../lazy.ts';

/** Shorter texts stand in files that have nothing to do with it. */
const SHORTEST = 6;

/** A form of the text, one character a byte, and how its line ends are written in that form. */
interface Form {
  find: string;
  write(marker: string): string;
}

export class WantedText {
  readonly #forms: Form[];

  /** Throws INVALID_INPUT for a text that is too short, or stands for what was purged before. */
  constructor(given: string) {
    const text = given.replace(/^\uFEFF/, '').replace(/(\r?\n)+$/, '');
    if (text.trim().length < SHORTEST)
      throw refused(`it has fewer than ${SHORTEST} characters and would be found all over. Give more of it.`);
    if (text.includes(MARKER)) throw refused(`it holds ${MARKER}, which stands for text that is gone.`);
    this.#forms = formsOf(text);
  }

  /** True where the bytes hold the text in any form. */
  isIn(bytes: Uint8Array): boolean {
    const text = latin1(bytes);
    return this.#forms.some(({ find }) => text.includes(find));
  }

  /** Returns the bytes with the marker in each place of the text. */
  replaced(bytes: Uint8Array, marker: string): Uint8Array {
    return fromLatin1(this.replacedText(latin1(bytes), marker));
  }

  /** Replaces the text as `replaced` does, in one of one character a byte. */
  replacedText(text: string, marker: string): string {
    return this.#forms.reduce((left, { find, write }) => left.replaceAll(find, () => write(marker)), text);
  }
}

function refused(why: string): EditError {
  return new EditError('INVALID_INPUT', `The text cannot be purged: ${why} Nothing was changed.`, {
    field: 'text',
    fields: ['text'],
  });
}

/** Returns the text as it is in files of any line end, in JSON, and in UTF-16. Longer forms come first: a shorter one may be a part of them. */
function formsOf(given: string): Form[] {
  const lf = given.replaceAll('\r\n', '\n');
  const lines = lf.split('\n').length;
  const as = (text: string, end: string, encode: (text: string) => string): Form => ({
    find: encode(text),
    write: marker => encode(new Array(lines).fill(marker).join(end)),
  });
  const bytes = (text: string): string => latin1(utf8(text));
  const crlf = lf.replaceAll('\n', '\r\n');
  const json = JSON.stringify(lf).slice(1, -1);
  const forms = [
    as(lf, '\n', bytes),
    as(crlf, '\r\n', bytes),
    as(json, '\\n', bytes),
    as(JSON.stringify(crlf).slice(1, -1), '\\r\\n', bytes),
    ...[true, false].flatMap(little => [
      as(lf, '\n', text => utf16(text, little)),
      as(crlf, '\r\n', text => utf16(text, little)),
    ]),
  ];
  const unique = new Map(forms.map(form => [form.find, form]));
  return [...unique.values()].sort((a, b) => b.find.length - a.find.length);
}

function utf16(text: string, little: boolean): string {
  const pairs = Array.from({ length: text.length }, (_, i) => {
    const unit = text.charCodeAt(i);
    return String.fromCharCode(...(little ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255]));
  });
  return pairs.join('');
}

/** The numbers that markers have had: each new one has the next. */
export class Markers {
  #last = 0;

  /** Notes the markers that a file holds already. */
  see(bytes: Uint8Array): void {
    const text = latin1(bytes).replaceAll('\0', '');
    if (!text.includes(MARKER)) return;
    for (const [one] of text.matchAll(PURGED_TEXTS)) {
      const number = Number(/\d+/.exec(one)?.[0] ?? 1);
      this.#last = Math.max(this.#last, Math.min(number, Number.MAX_SAFE_INTEGER - 1));
    }
  }

  /** Returns the next marker: `[purged]`, then `[purged 2]`. */
  next(): string {
    this.#last++;
    return this.#last === 1 ? PURGED : `${MARKER} ${this.#last}]`;
  }
}

/** True where `now` is `was` with markers in the places of some of it, and nothing else. */
export function isPurgedFrom(now: Uint8Array, was: Uint8Array): boolean {
  const [first = '', ...parts] = latin1(now).split(PURGED_TEXTS);
  const text = latin1(was);
  const last = parts.pop();
  if (last === undefined || !text.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Matches lines that stay: blank ones, and those that were purged already. */
const STAYS = new RegExp(`^\\s*$|^${PURGED_TEXTS.source}$`);

/**
 * Returns what makes a version of a path one with each line's marker; `null` where there is nothing to purge in it. Line ends and
 * blank lines stay.
 */
export function pathLines(markers: Markers): (bytes: Uint8Array) => Uint8Array | null {
  const markerOf = memo((_line: string) => markers.next());
  return bytes => {
    const text = latin1(bytes);
    if (text.trim() === '') return null;
    // What is no text to a diff is none afterwards.
    if (text.includes('\0')) return concatBytes([fromLatin1(markerOf(text)), new Uint8Array(1)]);
    return fromLatin1(text.replace(/[^\r\n]+/g, line => (STAYS.test(line) ? line : markerOf(line))));
  };
}
