/** Names as git prints them in a patch, C-style quoted (quote.c); and as an answer shows them to a model. */

import { readGitName } from './git-name-read.ts';

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
  const read = readGitName(quoted);
  return read ? gitName(read.name, false) : quoted;
}

function quotedBytes(text: string): string {
  return Array.from(new TextEncoder().encode(text), quotedByte).join('');
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
