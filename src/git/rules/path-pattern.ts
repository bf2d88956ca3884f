/**
 * The patterns of .gitignore and .gitattributes files, and which paths they are for (gitignore(5), "PATTERN FORMAT"; fnmatch
 * with FNM_PATHNAME plus `**`). They match bytes: texts and paths go through `comparable` first, and are strings with one
 * character a byte. All ways to match are followed at once, so the time is at most pattern times text, whatever the pattern.
 */

import { latin1, nameBytes } from '../../bytes.ts';

export interface PathPattern {
  /** True for a pattern that begins with `!`. */
  negated: boolean;
  /** True for a pattern that ends with `/`. */
  directoryOnly: boolean;
  /** `path` is relative to the folder of the file that holds the pattern. */
  matches(path: string): boolean;
}

/**
 * Reads a pattern. Without a slash inside it is for a name at any depth, else for the whole path. What comes before
 * the first special character is compared on its own, as git does, so two stars fill a component after it too.
 */
export function parsePathPattern(text: string): PathPattern {
  const negated = text.startsWith('!');
  const directoryOnly = text.endsWith('/');
  const body = text.slice(negated ? 1 : 0, directoryOnly ? -1 : undefined);
  const matches = body.includes('/') ? wholePath(body.replace(/^\//, '')) : anyName(body);
  return { negated, directoryOnly, matches };
}

function anyName(pattern: string): (path: string) => boolean {
  const glob = compileGlob(pattern);
  return path => matchGlob(glob, path.slice(path.lastIndexOf('/') + 1));
}

function wholePath(pattern: string): (path: string) => boolean {
  const literal = /^[^*?[\\]*/.exec(pattern)?.[0] ?? '';
  const glob = compileGlob(pattern.slice(literal.length));
  return path => path.startsWith(literal) && matchGlob(glob, path.slice(literal.length));
}

/**
 * Returns the form in which patterns and paths are compared: one character a byte; ASCII letters in lower case where
 * case does not count (`core.ignoreCase`).
 */
export function comparable(text: string, ignoreCase: boolean): string {
  const bytes = latin1(nameBytes(text));
  if (!ignoreCase) return bytes;
  return bytes.replaceAll('[[:upper:]]', '[[:lower:]]').replace(/[A-Z]+/g, upper => upper.toLowerCase());
}

/** Makes what is asked for once. What could not be made is asked for again. */
export function cached<T>(cache: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const value = make();
  cache.set(key, value);
  value.catch(() => cache.delete(key));
  return value;
}

type Token =
  /** Matches one byte. */
  | { kind: 'one'; test: (byte: number) => boolean }
  /** Any run without a slash: `*`. */
  | { kind: 'run' }
  /** Any run at all: `**` as the last component. */
  | { kind: 'deep' }
  /** Nothing, or any run that ends in a slash: `**` and the slash after it. */
  | { kind: 'folders' };

/** A pattern ready to be used; `null` when it can match nothing, such as one with a bracket left open. */
export type Glob = readonly Token[] | null;

const SLASH = 0x2f;

export function compileGlob(pattern: string): Glob {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; ) {
    const next = readToken(pattern, at);
    if (next === null) return null;
    tokens.push(next.token);
    at = next.end;
  }
  return tokens;
}

export function matchGlob(glob: Glob, text: string): boolean {
  if (glob === null) return false;
  let reached = new Uint8Array(text.length + 1);
  reached[0] = 1;
  for (const token of glob) reached = advance(token, text, reached);
  return reached[text.length] === 1;
}

/** Returns the positions that can be reached by one more token, from those that could be reached before it. */
function advance(token: Token, text: string, before: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const after = new Uint8Array(before.length);
  let open = false;
  for (let at = 0; at < before.length; at++) {
    const previous = at === 0 ? -1 : text.charCodeAt(at - 1);
    if (token.kind === 'run' && previous === SLASH) open = false;
    if (token.kind === 'one') after[at] = at > 0 && before[at - 1] === 1 && token.test(previous) ? 1 : 0;
    else if (token.kind === 'folders') after[at] = before[at] === 1 || (open && previous === SLASH) ? 1 : 0;
    if (before[at] === 1) open = true;
    if ((token.kind === 'run' || token.kind === 'deep') && open) after[at] = 1;
  }
  return after;
}

interface Read<T> {
  token: T;
  /** Where the next token begins. */
  end: number;
}

function readToken(pattern: string, at: number): Read<Token> | null {
  if (pattern[at] === '*') return readStars(pattern, at);
  if (pattern[at] === '[') return readBracket(pattern, at);
  if (pattern[at] === '?') return { token: { kind: 'one', test: byte => byte !== SLASH }, end: at + 1 };
  const literal = pattern[at] === '\\' ? at + 1 : at;
  if (literal === pattern.length) return null;
  const wanted = pattern.charCodeAt(literal);
  return { token: { kind: 'one', test: byte => byte === wanted }, end: literal + 1 };
}

/** Reads stars. Two or more are special when they fill a component; else they are one star. */
function readStars(pattern: string, at: number): Read<Token> {
  let end = at;
  while (pattern[end] === '*') end++;
  const fills = end - at > 1 && (at === 0 || pattern[at - 1] === '/');
  if (fills && pattern[end] === '/') return { token: { kind: 'folders' }, end: end + 1 };
  if (fills && (end === pattern.length || pattern.startsWith('\\/', end)))
    return { token: { kind: 'deep' }, end };
  return { token: { kind: 'run' }, end };
}

/** `[a-z]`, `[!a]`, `[^a]`, `[[:alpha:]]`, `[]a]`: never a slash. `null` when the bracket stays open. */
function readBracket(pattern: string, start: number): Read<Token> | null {
  const negated = pattern[start + 1] === '!' || pattern[start + 1] === '^';
  const members: ((byte: number) => boolean)[] = [];
  let at = start + (negated ? 2 : 1);
  let from: number | null = null;
  do {
    const member = readMember(pattern, at, from);
    if (member === null) return null;
    members.push(member.token.test);
    from = member.token.single;
    at = member.end;
  } while (pattern[at] !== ']');
  const test = (byte: number) => byte !== SLASH && members.some(member => member(byte)) !== negated;
  return { token: { kind: 'one', test }, end: at + 1 };
}

/** `single` is the byte from which a range may go on; a range or class ends that. */
interface Member {
  test: (byte: number) => boolean;
  single: number | null;
}

function readMember(pattern: string, at: number, from: number | null): Read<Member> | null {
  const isRange = pattern[at] === '-' && from !== null && at + 1 < pattern.length && pattern[at + 1] !== ']';
  if (isRange) {
    const to = readByte(pattern, at + 1);
    return to && { token: { test: byte => byte >= from && byte <= to.token, single: null }, end: to.end };
  }
  if (pattern.startsWith('[:', at)) return readClass(pattern, at);
  const single = readByte(pattern, at);
  return single && { token: { test: byte => byte === single.token, single: single.token }, end: single.end };
}

function readByte(pattern: string, at: number): Read<number> | null {
  const literal = pattern[at] === '\\' ? at + 1 : at;
  return literal < pattern.length ? { token: pattern.charCodeAt(literal), end: literal + 1 } : null;
}

/** Reads `[:alpha:]`; without the `:]` it is an ordinary bracket among the members. */
function readClass(pattern: string, at: number): Read<Member> | null {
  const end = pattern.indexOf(']', at + 2);
  if (end < 0) return null;
  const closed = end > at + 2 && pattern[end - 1] === ':';
  if (!closed) return { token: { test: byte => byte === 0x5b, single: 0x5b }, end: at + 1 };
  const members = CLASSES[pattern.slice(at + 2, end - 1)];
  if (members === undefined) return null;
  return { token: { test: byte => members.test(String.fromCharCode(byte)), single: null }, end: end + 1 };
}

/** ASCII only, as git's own tables are. */
const CLASSES: Record<string, RegExp | undefined> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};
