/**
 * The attributes that git gives to a path (gitattributes(5)): `.gitattributes` of every folder on the way, macros,
 * `info/attributes`.
 */

import { utf8 } from '../../bytes.ts';
import { readQuoted } from '../../c-quote.ts';
import { folderOf } from '../paths.ts';
import { comparable, type PathPattern, parsePathPattern } from './path-pattern.ts';

/** Set (`text`), unset (`-text`), or a value (`eol=lf`). An attribute that is unspecified is absent. */
export type AttributeValues = Readonly<Record<string, boolean | string | undefined>>;

export interface AttributeOptions {
  /** The text of the file at a path of the work tree, or `null`. It must not follow a link: git does not. */
  read: (path: string) => Promise<string | null>;
  /** The text of `info/attributes`, which overrides every other file. */
  info?: string;
  /** The text of the file that `core.attributesFile` names, which every other file overrides. */
  global?: string;
  /** `core.ignoreCase`. */
  ignoreCase?: boolean;
}

export interface Attributes {
  /** The attributes of a file (relative to the work tree, with `/`). Errors are those of `read`. */
  of(path: string): Promise<AttributeValues>;
  /** True when no file says anything of what is directly in a folder ('' is the root). */
  areNone(folder: string): Promise<boolean>;
}

/** The attributes of one work tree. Each file is read once; make new ones when the files may have changed. */
export function attributeRules(options: AttributeOptions): Attributes {
  const load = eachOnce(folder => readFolder(options, folder));
  const { info = '', global = '', ignoreCase = false } = options;
  const top = { folder: '', lines: parseLines(info, true, ignoreCase) };
  const bottom = { folder: '', lines: parseLines(`${BUILT_IN}\n${global}`, true, ignoreCase) };
  /** `null` where no file says anything, by folder. */
  const stackOf = eachOnce(async folder => {
    const stack = [top, ...(await levels(folder, load)), bottom];
    return stack.some(({ lines }) => lines.some(line => 'pattern' in line)) ? stack : null;
  });
  return {
    of: async path => {
      const stack = await stackOf(folderOf(path));
      return stack ? valuesOf(stack, path, ignoreCase) : NOTHING;
    },
    areNone: async folder => (await stackOf(folder)) === null,
  };
}

/** Asks once for each folder; what failed is asked for again. */
function eachOnce<T>(ask: (folder: string) => Promise<T>): (folder: string) => Promise<T> {
  const answers = new Map<string, Promise<T>>();
  return folder => {
    const known = answers.get(folder);
    if (known) return known;
    const answer = ask(folder);
    answers.set(folder, answer);
    answer.catch(() => answers.delete(folder));
    return answer;
  };
}

const NOTHING: AttributeValues = Object.freeze(Object.create(null));

/** The macro that git itself defines. */
const BUILT_IN = '[attr]binary -diff -merge -text';

async function readFolder({ read, ignoreCase = false }: AttributeOptions, folder: string): Promise<Line[]> {
  const text = await read(folder === '' ? '.gitattributes' : `${folder}/.gitattributes`);
  return text === null ? [] : parseLines(text, folder === '', ignoreCase);
}

/** The lines of one file, and the folder that its patterns are relative to. */
interface Level {
  folder: string;
  lines: Line[];
}

/** Those of a folder (without a slash at the end) and of the folders above it, the nearest first. */
async function levels(at: string, load: (folder: string) => Promise<Line[]>): Promise<Level[]> {
  const folders = [''];
  for (let slash = at.indexOf('/'); slash >= 0; slash = at.indexOf('/', slash + 1))
    folders.unshift(at.slice(0, slash));
  if (at !== '') folders.unshift(at);
  return await Promise.all(folders.map(async folder => ({ folder, lines: await load(folder) })));
}

type Setting = [name: string, value: boolean | string | null];

/** What a pattern, or a macro, gives; `null` makes an attribute unspecified. */
type Line = { settings: Setting[] } & ({ pattern: PathPattern } | { macro: string });

/** The first value found counts, from the most important file down and in each from the last line up. */
function valuesOf(stack: readonly Level[], path: string, ignoreCase: boolean): AttributeValues {
  const macros = macrosOf(stack);
  const found = new Map<string, Setting[1]>();
  for (const { folder, lines } of stack) {
    const bytes = comparable(folder === '' ? path : path.slice(folder.length + 1), ignoreCase);
    for (const line of lines.toReversed()) {
      if ('pattern' in line && line.pattern.matches(bytes)) apply(line.settings, macros, found);
    }
  }
  const values: Record<string, boolean | string | undefined> = Object.create(null);
  for (const [name, value] of found) if (value !== null) values[name] = value;
  return values;
}

function macrosOf(stack: readonly Level[]): Map<string, Setting[]> {
  const macros = new Map<string, Setting[]>();
  for (const { lines } of stack) {
    for (const line of lines.toReversed()) {
      if ('macro' in line && !macros.has(line.macro)) macros.set(line.macro, line.settings);
    }
  }
  return macros;
}

/** A macro that is set gives what it stands for, at the same place in the order. */
function apply(settings: Setting[], macros: Map<string, Setting[]>, found: Map<string, Setting[1]>): void {
  for (const [name, value] of settings.toReversed()) {
    if (found.has(name)) continue;
    found.set(name, value);
    if (value === true) apply(macros.get(name) ?? [], macros, found);
  }
}

/** Git ignores longer lines (ATTR_MAX_LINE_LENGTH), in bytes. */
const MAX_LINE_BYTES = 2048;
const BLANKS = /^[ \t\r]+/;

/** Macros may be defined at the top of the repository only. */
function parseLines(text: string, macrosAllowed: boolean, ignoreCase: boolean): Line[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map(line => parseLine(line, ignoreCase));
  return lines.filter(line => line !== null && (macrosAllowed || !('macro' in line))) as Line[];
}

/** `null` for a line that git passes over: empty, a comment, too long, a negative pattern, an invalid name. */
function parseLine(text: string, ignoreCase: boolean): Line | null {
  const line = text.replace(BLANKS, '');
  if (line === '' || line.startsWith('#') || utf8(text).length >= MAX_LINE_BYTES) return null;
  const { head, rest } = splitHead(line);
  const isMacro = head.startsWith('[attr]') && head.length > '[attr]'.length;
  const settings = parseSettings(rest);
  if (settings === null) return null;
  const name = head.slice('[attr]'.length);
  if (isMacro) return isAttributeName(name) ? { macro: name, settings } : null;
  const pattern = parsePathPattern(comparable(head, ignoreCase));
  return pattern.negated || pattern.directoryOnly ? null : { pattern, settings };
}

/** A pattern with blanks in it is quoted. */
function splitHead(line: string): { head: string; rest: string } {
  const quoted = readQuoted(line);
  if (quoted !== null) return { head: quoted.name, rest: line.slice(quoted.length) };
  const head = /^[^ \t\r]*/.exec(line)?.[0] ?? '';
  return { head, rest: line.slice(head.length) };
}

function parseSettings(text: string): Setting[] | null {
  const words = text.split(/[ \t\r]+/).filter(word => word !== '');
  const settings = words.map(parseSetting);
  return settings.includes(null) ? null : (settings as Setting[]);
}

function parseSetting(word: string): Setting | null {
  const [, sign = '', name = '', value] = /^([-!]?)([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  if (!isAttributeName(name)) return null;
  if (sign !== '') return [name, sign === '-' ? false : null];
  return [name, value ?? true];
}

function isAttributeName(name: string): boolean {
  return /^[A-Za-z0-9_.][-A-Za-z0-9_.]*$/.test(name);
}
