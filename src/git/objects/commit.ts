/**
 * Commit objects (gitformat: `tree`, `parent`s, `author`, `committer`, other headers, an empty line, the message).
 * Reading forgives what old tools wrote; writing refuses what `git fsck --strict` would complain about.
 */

import { fromLatin1, fromUtf8, latin1, utf8 } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import { corrupt } from '../../fs/failures.ts';
import { isOid } from './object.ts';

export interface Identity {
  name: string;
  email: string;
  /** Since 1970-01-01 UTC. */
  seconds: number;
  /** East of UTC: +0200 is 120. The opposite sign of JavaScript's `getTimezoneOffset`. */
  offsetMinutes: number;
}

export interface Commit {
  tree: string;
  parents: string[];
  author: Identity;
  committer: Identity;
  message: string;
}

export interface ParsedCommit extends Commit {
  /** Every other header in its order (`encoding`, `gpgsig`, `mergetag`, ...); lines of one value are joined by LF. */
  headers: [name: string, value: string][];
}

export interface CommitHead {
  tree: string;
  parents: string[];
  /** When it was committed, since 1970-01-01 UTC. */
  seconds: number;
}

/** The part of a commit that a walk of history needs. */
export interface CommitInfo {
  parents: readonly string[];
  /** When it was committed, since 1970-01-01 UTC. */
  seconds: number;
}

/** Reads the tree, the parents and the committer's clock of a commit. Throws CORRUPT. */
export function parseCommitHead(content: Uint8Array): CommitHead {
  const plain = PLAIN_HEAD.exec(latin1(content.subarray(0, PLAIN_BYTES)));
  if (plain) {
    const [, tree, parents, seconds] = plain;
    return { tree: tree!, parents: parents!.match(/[0-9a-f]{40}/g) ?? [], seconds: Number(seconds) };
  }
  const { tree, parents, committer } = parseCommit(content);
  return { tree, parents, seconds: committer.seconds };
}

/** The headers as git writes them, of few parents; all others are read one by one. */
const PLAIN_HEAD =
  /^tree ([0-9a-f]{40})\n((?:parent [0-9a-f]{40}\n)*)author [^\n]*\ncommitter [^\n]*> (\d{1,12}) [+-]\d{4}\n/;
const PLAIN_BYTES = 1024;

/** Reads the content of a commit object. Text is decoded as the `encoding` header says, UTF-8 without one. Throws CORRUPT. */
export function parseCommit(content: Uint8Array): ParsedCommit {
  const end = emptyLine(content);
  const headers = readHeaders(latin1(end < 0 ? content : content.subarray(0, end)).replace(/\n$/, ''));
  const decode = decoder(headers.find(([name]) => name === 'encoding')?.[1]);
  const message = end < 0 ? '' : decode(content.subarray(end + 2));
  const text = (line = '') => (isAscii(line) ? line : decode(fromLatin1(line)));
  return {
    tree: oidOf(headers[0], 'tree'),
    parents: headers.filter(([name]) => name === 'parent').map(header => oidOf(header, 'parent')),
    author: parseIdentity(text(headers.find(([name]) => name === 'author')?.[1])),
    committer: parseIdentity(text(headers.find(([name]) => name === 'committer')?.[1])),
    message,
    headers: headers.filter(([name]) => !OWN_HEADERS.has(name)).map(([name, value]) => [name, text(value)]),
  };
}

/** Finds the end of the headers, before two line feeds; -1 when there is no message. */
function emptyLine(content: Uint8Array): number {
  let at = content.indexOf(LF);
  while (at >= 0 && content[at + 1] !== LF) at = content.indexOf(LF, at + 1);
  return at;
}

const LF = 10;

/** Escape sequences count as not: ISO-2022-JP writes other scripts with them. */
function isAscii(text: string): boolean {
  return /^[\x20-\x7e\n]*$/.test(text);
}

const OWN_HEADERS = new Set(['tree', 'parent', 'author', 'committer']);

/** Splits headers. A line that begins with a space goes on with the value of the line before. */
function readHeaders(raw: string): [name: string, value: string][] {
  const headers: [string, string][] = [];
  for (const line of raw.split('\n')) {
    const last = headers.at(-1);
    if (line.startsWith(' ') && last !== undefined) last[1] += `\n${line.slice(1)}`;
    else headers.push(splitHeader(line));
  }
  return headers;
}

function splitHeader(line: string): [string, string] {
  const space = line.indexOf(' ');
  return space < 0 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)];
}

function oidOf(header: [string, string] | undefined, name: string): string {
  if (header?.[0] !== name || !isOid(header[1]))
    throw corrupt('a commit object', `has no valid ${name} line`);
  return header[1];
}

/** Makes a decoder for an encoding. Bytes that are not in it, or in one that is not known here, are shown as Latin-1. */
function decoder(label: string | undefined): (bytes: Uint8Array) => string {
  if (label === undefined || /^utf-?8$/i.test(label)) return bytes => fromUtf8(bytes) ?? latin1(bytes);
  try {
    const named = new TextDecoder(label);
    return bytes => named.decode(bytes);
  } catch {
    return latin1;
  }
}

/** Reads an identity. A broken line gives what can be read of it: the name, else '', and 0 for a date. */
function parseIdentity(line: string): Identity {
  const [, name = '', email = '', date = ''] = /^([^<]*?) ?<([^>]*)>?(.*)$/s.exec(line) ?? [];
  const [, seconds = '0', sign, hours = '0', minutes = '0'] =
    /(\d+)(?: ([+-])(\d\d?)(\d\d))?\s*$/.exec(date) ?? [];
  const offset = Number(hours) * 60 + Number(minutes);
  return { name, email, seconds: Number(seconds), offsetMinutes: sign === '-' ? 0 - offset : offset };
}

/**
 * The content of a commit object; a final newline is added to a message without one. Throws INVALID_INPUT for an
 * id that is none, an empty or unsafe name or address (line breaks, NUL and other control characters, `<`, `>`),
 * a date out of range, and an empty message or one with a NUL.
 */
export function encodeCommit(commit: Commit): Uint8Array {
  let head = '';
  for (const oid of [commit.tree, ...commit.parents]) {
    if (!isOid(oid)) throw invalid('an object id', oid, '40 lower case hex digits');
    head += `${head === '' ? 'tree' : 'parent'} ${oid}\n`;
  }
  const [author, committer] = [formatIdentity(commit.author), formatIdentity(commit.committer)];
  return utf8(`${head}author ${author}\ncommitter ${committer}\n\n${checkMessage(commit.message)}`);
}

function checkMessage(message: string): string {
  const plain = message.trim() !== '' && !/[\0\p{Surrogate}]/u.test(message);
  if (!plain)
    throw invalid('the message', message, 'text that is not empty, without NUL and lone surrogates');
  return message.endsWith('\n') ? message : `${message}\n`;
}

/** The last second of the year 9999; git's own readers go no further. */
const LAST_SECOND = 253_402_300_799;

/** Formats `Name <address> seconds +hhmm`, as in commits and reflogs. Throws INVALID_INPUT as `encodeCommit` does. */
export function formatIdentity({ name, email, seconds, offsetMinutes }: Identity): string {
  for (const text of [name, email])
    if (!isIdentityText(text)) throw invalid(text === name ? 'a name' : 'an address', text, ONE_LINE);
  const dateFits = Number.isInteger(seconds) && seconds >= 0 && seconds <= LAST_SECOND;
  if (!dateFits) throw invalid('a date', seconds, `whole seconds from 0 to ${LAST_SECOND}`);
  const offsetFits = Number.isInteger(offsetMinutes) && Math.abs(offsetMinutes) < 24 * 60;
  if (!offsetFits) throw invalid('a time zone', offsetMinutes, 'whole minutes from -1439 to 1439');
  const minutes = Math.abs(offsetMinutes);
  const offset = String(Math.trunc(minutes / 60) * 100 + (minutes % 60)).padStart(4, '0');
  return `${name} <${email}> ${seconds} ${offsetMinutes < 0 ? '-' : '+'}${offset}`;
}

/** True for a name or an address that an identity can hold as it is. */
export function isIdentityText(value: string): boolean {
  return value.trim() === value && value !== '' && !/[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}<>]/u.test(value);
}

const ONE_LINE = 'one line that is not empty, without < and >, control characters, outer blanks';

function invalid(what: string, value: string | number, rule: string): EditError {
  const shown = JSON.stringify(value);
  return new EditError('INVALID_INPUT', `${what} of a commit must be ${rule}; got ${shown}`, { value });
}
