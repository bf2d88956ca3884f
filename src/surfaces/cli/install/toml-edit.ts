/**
 * One table of a TOML file put in, changed or taken out; every byte besides stays. Only tables under a header of their own
 * are understood, which is how Codex writes its servers.
 */

import { UneditableError } from './jsonc-edit.ts';

/**
 * The text with these entries in the table `[a.b]` of these keys, which is made at the end where it is missing; what else stands
 * in it stays. `null` for a file that is not there. Throws UneditableError.
 */
export function withTable(text: string | null, path: readonly string[], entries: object): string {
  const lineEnd = text?.includes('\r\n') ? '\r\n' : '\n';
  const lines = Object.entries(entries).map(([key, value]) => `${bare(key)} = ${toml(value)}${lineEnd}`);
  const header = `[${path.map(bare).join('.')}]${lineEnd}`;
  if (text === null) return header + lines.join('');
  const found = tableAt(text, path);
  if (!found) return `${text}${lineEnd}${header}${lines.join('')}`;
  const kept = restOfTable(text.slice(found.start, found.end), path, Object.keys(entries));
  const table = header + lines.join('') + kept;
  return text.slice(0, found.start) + table + text.slice(found.end);
}

/** The rest of a table beside these entries: its other keys, and the tables below it. */
function restOfTable(table: string, path: readonly string[], keys: readonly string[]): string {
  let kept = '';
  let goes = true;
  let depth = path.length;
  for (const { line, isInside } of linesOf(table)) {
    const header = isInside ? null : headerOf(line);
    if (header) depth = header.length;
    const [key] = keysOf(/^\s*([^=#]*?)\s*=/.exec(line)?.[1] ?? '');
    if (header || !isInside) goes = depth === path.length && (header !== null || keys.includes(key ?? ''));
    if (!goes) kept += line;
  }
  return kept;
}

/**
 * The text without the table and those below it, and without the line end that was put before it; `null` where nothing else
 * ever stood there. Throws UneditableError.
 */
export function withoutTable(text: string, path: readonly string[]): string | null {
  const found = tableAt(text, path);
  if (!found) return text;
  const after = text.slice(found.end);
  if (found.start === 0 && after === '') return null;
  return text.slice(0, found.start).replace(/\r?\n$/, '') + after;
}

/** From the header to the last line of the table and of the tables below it; comments after that are of what follows. */
function tableAt(text: string, path: readonly string[]): { start: number; end: number } | null {
  let found: { start: number; end: number } | null = null;
  let table: readonly string[] = [];
  for (const { line, start, end, isInside } of linesOf(text)) {
    const header = isInside ? null : headerOf(line);
    if (header) {
      table = header;
      if (!isBelow(header, path)) continue;
      if (found && !text.slice(found.end, start).split('\n').every(isEmpty)) throw twice(path);
      found ??= { start, end };
      found.end = end;
    } else if (isBelow(table, path)) {
      if (isInside || !isEmpty(line)) found!.end = end;
    } else if (!isInside) checkKey(line, table, path);
  }
  return found;
}

/** A comment counts for nothing. */
function isEmpty(line: string): boolean {
  return /^\s*(#.*)?$/.test(line.trimEnd());
}

function isBelow(table: readonly string[], path: readonly string[]): boolean {
  return path.every((key, index) => table[index] === key);
}

/** Lines with their line ends; `isInside`: the line begins within a text or a list of several lines. */
function* linesOf(text: string): Generator<{ line: string; start: number; end: number; isInside: boolean }> {
  let open: string | null = null;
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start) + 1 || text.length;
    const line = text.slice(start, end);
    const isInside = open !== null;
    yield { line, start, end, isInside };
    open = openAfter(line, open);
    start = end;
  }
}

/** State at the end of a line: a text in three quotes is open, or lists so deep. */
function openAfter(line: string, before: string | null): string | null {
  let open = before;
  for (let at = 0; at < line.length; ) {
    if (open === '"""' || open === "'''") {
      const end = line.indexOf(open, at);
      if (end < 0) return open;
      at = end + 3;
      open = null;
      continue;
    }
    const token = TOKENS.exec(line.slice(at))![0];
    if (token.startsWith('#')) break;
    if (token === '"""' || token === "'''") open = token;
    else if (token === '[' && !/^\s*\[/.test(line.slice(0, at + 1))) open = `${open ?? ''}[`;
    else if (token === '[' && open !== null) open = `${open}[`;
    else if (token === ']' && open?.startsWith('[')) open = open.slice(1) || null;
    at += token.length;
  }
  return open;
}

const TOKENS = /^(?:"""|'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#|\[|\]|[\s\S])/;

/** The keys of `[a."b".c]` or `[[a.b]]`; `null` for another line. */
function headerOf(line: string): string[] | null {
  const inner = /^\s*\[\[?((?:[^"'\]#]|"(?:[^"\\]|\\.)*"|'[^']*')*)\]\]?\s*(?:#.*)?$/.exec(
    line.trimEnd(),
  )?.[1];
  return inner === undefined ? null : keysOf(inner);
}

function keysOf(dotted: string): string[] {
  const keys = dotted.match(/"(?:[^"\\]|\\.)*"|'[^']*'|[^.\s"']+/g) ?? [];
  return keys.map(key => (key.startsWith('"') ? String(JSON.parse(key)) : key.replace(/^'(.*)'$/, '$1')));
}

/** Throws where a key outside of the table leads into it: `mcp_servers.vedit = { ... }`, `mcp_servers = { ... }`. */
function checkKey(line: string, table: readonly string[], path: readonly string[]): void {
  const key =
    /^\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+))*)\s*=/.exec(
      line,
    )?.[1];
  if (key === undefined) return;
  const full = [...table, ...keysOf(key)];
  if (full.slice(0, path.length).every((one, index) => one === path[index])) throw inline(path);
}

function inline(path: readonly string[]): UneditableError {
  return new UneditableError(`it has ${path[0]} as keys, and not as tables such as [${path.join('.')}]`);
}

function twice(path: readonly string[]): UneditableError {
  return new UneditableError(`it has [${path.join('.')}] in several places`);
}

function bare(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** Writes a text, a number, a switch or a list of these as TOML. */
function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  return JSON.stringify(value);
}
