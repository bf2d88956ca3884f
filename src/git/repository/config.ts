/**
 * Reads git's config file format (git-config(1), "Syntax"). Includes are not followed, and the files of the user
 * and the system are not read: what a repository says is data here, and no value of it ever starts a program.
 */

import { corrupt } from '../../fs/failures.ts';

/** Parses one or several files, later ones over earlier ones. Throws CORRUPT naming the line. */
export function parseConfig(...files: string[]): Config {
  const values = new Map<string, (string | null)[]>();
  for (const file of files) {
    for (const { key, value } of new Parser(file).entries())
      values.set(key, [...(values.get(key) ?? []), value]);
  }
  return new Config(values);
}

/** Layers two configs: the values of `upper`, and of `lower` for keys that `upper` does not have. */
export function layered(upper: Config, lower: Config | null): Pick<Config, 'get' | 'bool'> {
  const layer = (key: string): Config => (lower === null || upper.get(key) !== undefined ? upper : lower);
  return { get: key => layer(key).get(key), bool: (key, fallback) => layer(key).bool(key, fallback) };
}

export class Config {
  readonly #values: Map<string, (string | null)[]>;

  constructor(values: Map<string, (string | null)[]>) {
    this.#values = values;
  }

  /** The last value of the key. `section.key` or `section.sub section.key`; a key without `=` is ''. */
  get(key: string): string | undefined {
    const value = this.#last(key);
    return value === null ? '' : value;
  }

  /** All values in their order. */
  getAll(key: string): string[] {
    return (this.#values.get(normalize(key)) ?? []).map(value => value ?? '');
  }

  #last(key: string): string | null | undefined {
    const values = this.#values.get(key) ?? (/[A-Z]/.test(key) ? this.#values.get(normalize(key)) : null);
    return values?.at(-1);
  }

  /** Reads the last value as git reads a boolean, or `fallback` without one. Throws CORRUPT when it is none. */
  bool(key: string, fallback: boolean): boolean {
    const value = this.#last(key);
    if (value === undefined) return fallback;
    if (value === null || /^(true|yes|on|[+-]?0*[1-9]\d*[kmg]?)$/i.test(value)) return true;
    if (/^(false|no|off|[+-]?0+[kmg]?|)$/i.test(value)) return false;
    throw corrupt(`the config value ${key}`, `is no boolean: ${JSON.stringify(value)}`);
  }

  /** Every key that has a value: section and variable in lower case, the subsection as written. */
  keys(): string[] {
    return [...this.#values.keys()];
  }
}

/** Lowers the first and the last part of a key, which ignore case. */
function normalize(key: string): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  return key.slice(0, first).toLowerCase() + key.slice(first, last) + key.slice(last).toLowerCase();
}

interface ConfigEntry {
  key: string;
  /** `null` for a key without `=`. */
  value: string | null;
}

const SECTION = /[ \t]*\[([-.A-Za-z0-9]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;
const NAME = /[ \t]*([A-Za-z][-A-Za-z0-9]*)[ \t]*(=|(?=\n)|$)/y;
const BLANK = /(?:[ \t\n\v\f\r]|[#;][^\n]*)*/y;
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\', '\n': '', '': '' };

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(file: string) {
    this.#text = file.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  }

  *entries(): Generator<ConfigEntry> {
    let section: string | null = null;
    for (this.#take(BLANK); this.#at < this.#text.length; this.#take(BLANK)) {
      const header = this.#take(SECTION);
      if (header !== null) section = sectionKey(header);
      else if (section !== null) yield this.#entry(section);
      else throw this.#bad();
    }
  }

  #entry(section: string): ConfigEntry {
    const name = this.#take(NAME);
    if (name === null) throw this.#bad();
    const key = section + name[1]!.toLowerCase();
    return { key, value: name[2] === '=' ? this.#value() : null };
  }

  /** Reads a value. Quotes may begin and end anywhere; blanks at both ends and comments go unless they are quoted. */
  #value(): string {
    let value = '';
    let kept = 0;
    let quoted = false;
    for (let c = this.#next(); c !== '\n' && c !== ''; c = this.#next()) {
      if (!quoted && (c === '#' || c === ';')) return this.#skipLine(value.slice(0, kept));
      if (c === '"') quoted = !quoted;
      else if (c !== '\\') value += quoted || value !== '' || !/\s/.test(c) ? c : '';
      else value += this.#escape();
      if (quoted || !/\s/.test(c)) kept = value.length;
    }
    if (quoted) throw this.#bad();
    return value.slice(0, kept);
  }

  #escape(): string {
    const escaped = ESCAPES[this.#next()];
    if (escaped === undefined) throw this.#bad();
    return escaped;
  }

  #next(): string {
    return this.#text[this.#at++] ?? '';
  }

  #skipLine(value: string): string {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end;
    return value;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }

  #bad(): Error {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    return corrupt('the config file of the repository', `cannot be read at line ${line}`, { line });
  }
}

/** The deprecated form `[section.sub]` ignores case in the whole name. */
function sectionKey([, name, sub]: RegExpExecArray): string {
  const section = name!.toLowerCase();
  return sub === undefined ? `${section}.` : `${section}.${sub.replace(/\\(.)/gs, '$1')}.`;
}
