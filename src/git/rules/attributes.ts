/** The attributes that git gives to a path (gitattributes(5)): `.gitattributes` of every folder on the way, macros, `info/attributes`. */

import { utf8 } from '../../bytes.ts';
import { readQuoted } from '../../c-quote.ts';
import { folderOf } from '../paths.ts';
import { cached, comparable, type PathPattern, parsePathPattern } from './path-pattern.ts';

/** Set (`text`), unset (`-text`), or a value (`eol=lf`). An attribute that is unspecified is absent. */
export type AttributeValues = Readonly<Record<string, boolean | string | undefined>>;

export interface AttributeOptions {
  /** The text of the file at a path of the work tree, or `null`. It must not follow a link: git does not. */
  read: (path: string) => Promise<string | null>;
  /**
   * The texts of `info/attributes`, which overrides every other file, and of the file that `core.attributesFile` names, which
   * every other file overrides.
   */
  ends?: () => Promise<{ info?: string; global?: string }>;
  /** `core.ignoreCase`. */
  ignoreCase?: boolean;
}

/** The lines of one file, and the folder that its patterns are relative to. */
interface Level {
  folder: string;
  lines: readonly Line[];
}

/** The attributes of one work tree. Each file is read once; make new ones when the files may have changed. */
export class Attributes {
  readonly #options: AttributeOptions;
  readonly #ignoreCase: boolean;
  /** By folder, the files that count in it, as `#read` answers them. What could not be read is asked for again. */
  readonly #stacks = new Map<string, Promise<Level[]>>();

  constructor(options: AttributeOptions) {
    this.#options = options;
    this.#ignoreCase = options.ignoreCase ?? false;
  }

  /** The attributes of a file (relative to the work tree, with `/`). Errors are those of `read`. */
  async of(path: string): Promise<AttributeValues> {
    const stack = await this.#stackOf(folderOf(path));
    return saysNothing(stack) ? NO_ATTRIBUTES : valuesOf([...stack, BUILT_IN], path, this.#ignoreCase);
  }

  #stackOf(folder: string): Promise<Level[]> {
    return cached(this.#stacks, folder, () => this.#read(folder));
  }

  /** Reads the files that count in a folder, the most important first: of the repository, of the folder and of those above, of the user. */
  async #read(folder: string): Promise<Level[]> {
    const text = await this.#options.read(`${folder}/.gitattributes`.replace(/^\//, ''));
    const own = { folder, lines: parseLines(text, folder === '', this.#ignoreCase) };
    if (folder !== '') {
      const [info, ...above] = await this.#stackOf(folderOf(folder));
      return [info!, own, ...above];
    }
    const { info = '', global = '' } = (await this.#options.ends?.()) ?? {};
    const first = { folder, lines: parseLines(info, true, this.#ignoreCase) };
    return [first, own, { folder, lines: parseLines(global, true, this.#ignoreCase) }];
  }
}

function saysNothing(stack: readonly Level[]): boolean {
  for (const { lines } of stack) if (lines.some(line => 'pattern' in line)) return false;
  return true;
}

/** Where no file says anything of a path. */
export const NO_ATTRIBUTES: AttributeValues = Object.freeze(Object.create(null));

type Setting = [name: string, value: boolean | string | null];

/** The settings that a pattern, or a macro, gives; the value `null` makes an attribute unspecified. */
type Line = { settings: Setting[] } & ({ pattern: PathPattern } | { macro: string });

/** Finds the attributes of a path. The first value counts, from the most important file down and in each from the last line up. */
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

/** Applies settings. A macro that is set gives what it stands for, at the same place in the order. */
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

const NO_LINES: readonly Line[] = [];

/** Parses a file. Macros may be defined at the top of the repository only. */
function parseLines(text: string | null, macrosAllowed: boolean, ignoreCase: boolean): readonly Line[] {
  if (!text) return NO_LINES;
  const lines = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map(line => parseLine(line, ignoreCase));
  return lines.filter(line => line !== null && (macrosAllowed || !('macro' in line))) as Line[];
}

/** Parses a line; `null` for one that git passes over: empty, a comment, too long, a negative pattern, an invalid name. */
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

/** Splits a line at its pattern, which is quoted where it holds blanks. */
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

/** The macro that git itself defines. */
const BUILT_IN: Level = { folder: '', lines: parseLines('[attr]binary -diff -merge -text', true, false) };
