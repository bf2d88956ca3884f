/**
 * One table of a TOML file put in, changed or taken out; every byte besides stays. Only tables under a header of their own
 * are edited, which is how Codex writes its servers.
 */

import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { UneditableError } from './jsonc-edit.ts';

type Path = readonly string[];

/**
 * The text with these entries in the table `[a.b]` of these keys, which is made at the end where it is missing; what else stands
 * in it stays. `null` for a file that is not there. Throws UneditableError.
 */
export function withTable(text: string | null, path: Path, entries: object): string {
  const lineEnd = text?.includes('\r\n') ? '\r\n' : '\n';
  const lines = Object.entries(entries).map(([key, value]) => `${bare(key)} = ${toml(value)}${lineEnd}`);
  const table = `[${path.map(bare).join('.')}]${lineEnd}${lines.join('')}`;
  if (text === null) return table;
  const found = tablesAt(text, path);
  if (found.length === 0) return `${text}${lineEnd}${table}`;
  const { start, end } = linesOf(text, found[0]!.range[0], found.at(-1)!.range[1]);
  const isOld = ({ key }: AST.TOMLKeyValue): boolean => namesOf(key)[0]! in entries;
  let [kept, at] = ['', start];
  for (const { key, body, range, resolvedKey } of found) {
    if (resolvedKey.length > path.length) continue;
    const header = [range[0], key.range[1]] as const;
    for (const [from, to] of [header, ...body.filter(isOld).map(one => one.range)]) {
      const old = linesOf(text, from, to);
      kept += text.slice(at, old.start);
      at = old.end;
    }
  }
  return text.slice(0, start) + table + kept + text.slice(at, end) + text.slice(end);
}

/**
 * The text without the table and those below it, and without the line end that was put before it; `null` where nothing else
 * ever stood there. Throws UneditableError.
 */
export function withoutTable(text: string, path: Path): string | null {
  const found = tablesAt(text, path);
  if (found.length === 0) return text;
  const { start, end } = linesOf(text, found[0]!.range[0], found.at(-1)!.range[1]);
  if (start === 0 && end === text.length) return null;
  return text.slice(0, start).replace(/\r?\n$/, '') + text.slice(end);
}

/** Returns the table and those below it. Throws UneditableError where others stand between, or keys lead into it. */
function tablesAt(text: string, path: Path): AST.TOMLTable[] {
  const all = parsed(text);
  const isOwn = (one: AST.TOMLTable | AST.TOMLKeyValue): one is AST.TOMLTable =>
    one.type === 'TOMLTable' && path.every((key, at) => one.resolvedKey[at] === key);
  const own = all.filter(isOwn);
  for (const one of all) {
    const keys = one.type === 'TOMLTable' ? one.body : [one];
    const above = one.type === 'TOMLTable' ? one.resolvedKey : [];
    const leadsIn = ({ key }: AST.TOMLKeyValue): boolean =>
      [...above, ...namesOf(key)].slice(0, path.length).every((name, at) => name === path[at]);
    if (!isOwn(one) && keys.some(leadsIn))
      throw new UneditableError(`it has ${path[0]} as keys, and not as tables such as [${path.join('.')}]`);
  }
  if (own.length > 0 && all.indexOf(own.at(-1)!) - all.indexOf(own[0]!) >= own.length)
    throw new UneditableError(`it has [${path.join('.')}] in several places`);
  return own;
}

function parsed(text: string): AST.TOMLTopLevelTable['body'] {
  try {
    return parseTOML(text).body[0].body;
  } catch (error) {
    if (error instanceof ParseError) throw new UneditableError(`it is not TOML at line ${error.lineNumber}`);
    throw error;
  }
}

function namesOf({ keys }: AST.TOMLKey): string[] {
  return keys.map(one => (one.type === 'TOMLBare' ? one.name : one.value));
}

/** The lines that a part of the text stands in, with the last line end. */
function linesOf(text: string, from: number, to: number): { start: number; end: number } {
  return { start: text.lastIndexOf('\n', from - 1) + 1, end: text.indexOf('\n', to) + 1 || text.length };
}

function bare(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** Writes a text, a number, a switch or a list of these as TOML. */
function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  return JSON.stringify(value);
}
