/** Names as git quotes them, C-style (quote.c: `"caf\303\251\t"`), and read back; and as an answer shows them to a model. */

import { concatBytes, nameBytes, nameOf, utf8 } from './bytes.ts';

/** A word as a POSIX shell reads it: in quotes where it needs them. */
export function shellWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const ESCAPES: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
};

/**
 * The name as it is, or in double quotes with escapes (`"caf\\303\\251"`) where git quotes. With `quotePath` false (git's
 * core.quotePath) letters beyond ASCII are no reason to quote, and stay what they are.
 */
export function gitName(name: string, quotePath = true): string {
  const special = quotePath ? /[^\x20-\x7e]|["\\]/ : /[\p{Cc}\p{Cs}"\\]/u;
  if (!special.test(name)) return name;
  if (quotePath) return `"${quotedBytes(name)}"`;
  return `"${name.replace(/[\p{Cc}\p{Cs}"\\]/gu, quotedBytes)}"`;
}

/** A quoted name of git's as core.quotePath=false shows it; any other text as it is. */
export function plainGitName(quoted: string): string {
  const read = readQuoted(quoted);
  return read ? gitName(read.name, false) : quoted;
}

function quotedBytes(text: string): string {
  return Array.from(nameBytes(text), quotedByte).join('');
}

/** Letters that no path of a request may hold. */
const UNNAMEABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\\]/u;

/** The name as a call has to give it; as git quotes it only where no call can name it. */
export function shownName(name: string): string {
  return UNNAMEABLE.test(name) ? gitName(name) : name;
}

function quotedByte(byte: number): string {
  const named = ESCAPES[byte];
  if (named !== undefined) return named;
  if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte);
  return `\\${byte.toString(8).padStart(3, '0')}`;
}

const MEANINGS: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};

const QUOTED = /^"((?:[^"\\]|\\(?:[abtnvfr"\\]|[0-3][0-7][0-7]))*)"/;

/**
 * The name that a quoted one at the beginning of `text` stands for (see nameOf), and how many units its quoted form has;
 * `null` when the text does not begin with one.
 */
export function readQuoted(text: string): { name: string; length: number } | null {
  const quoted = QUOTED.exec(text);
  if (quoted === null) return null;
  const bytes: Uint8Array[] = [];
  for (const [piece, code] of quoted[1]!.matchAll(/\\([0-7]{3}|.)|[^\\]+/gs))
    bytes.push(code === undefined ? utf8(piece) : Uint8Array.of(MEANINGS[code] ?? Number.parseInt(code, 8)));
  return { name: nameOf(concatBytes(bytes)), length: quoted[0].length };
}

/** The text that a quoted string at the start of `text` stands for, or `null` when there is none. */
export function unquote(text: string): string | null {
  return readQuoted(text)?.name ?? null;
}
