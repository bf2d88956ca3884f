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
  let depth = path.length;
  const kept = linesOf(table).filter(({ line }) => {
    const header = headerOf(line);
    if (header) depth = header.length;
    const [key = ''] = keysOf(/^\s*([^=#]*?)\s*=/.exec(line)?.[1] ?? '');
    return depth !== path.length || !(header || keys.includes(key));
  });
  return kept.map(({ line }) => line).join('');
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
  for (const { line, start, end } of linesOf(text)) {
    const header = headerOf(line);
    if (header) {
      table = header;
      if (!isBelow(header, path)) continue;
      if (found && !text.slice(found.end, start).split('\n').every(isEmpty))
        throw new UneditableError(`it has [${path.join('.')}] in several places`);
      found ??= { start, end };
      found.end = end;
    } else if (!isBelow(table, path)) checkKey(line, table, path);
    else if (!isEmpty(line)) found!.end = end;
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

/** Lines with their line ends. One that holds a text or a list of several lines goes on to the end of that. */
function linesOf(text: string): Array<{ line: string; start: number; end: number }> {
  const blank = (part: string): string => part.replaceAll('\n', ' ').replaceAll(/[[\]]/g, ' ');
  const flat = text.replaceAll(TEXT_OR_COMMENT, blank).replaceAll(LIST, blank);
  let start = 0;
  return flat.split(/(?<=\n)/).map(({ length }) => {
    const end = start + length;
    const line = { line: text.slice(start, end), start, end };
    start = end;
    return line;
  });
}

const TEXT_OR_COMMENT = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*/g;

/** A value that is a list, of lists up to this depth. */
const LIST = new RegExp(`=\\s*${listOf(8)}`, 'g');

function listOf(depth: number): string {
  return `\\[(?:[^[\\]]${depth > 0 ? `|${listOf(depth - 1)}` : ''})*\\]`;
}

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
  if (full.slice(0, path.length).every((one, index) => one === path[index]))
    throw new UneditableError(`it has ${path[0]} as keys, and not as tables such as [${path.join('.')}]`);
}

function bare(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** Writes a text, a number, a switch or a list of these as TOML. */
function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  return JSON.stringify(value);
}
