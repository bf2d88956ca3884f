/**
 * The encodings that files are declared to have: by `working-tree-encoding` of git's attributes, else by the option
 * `encodings`, else by `charset` of an `.editorconfig` (editorconfig.org; of its other properties `end_of_line` is read, for new files). Bytes are marked with theirs where they are read.
 */

import { EditError } from '../../errors.ts';
import type { Repository } from '../../git/repository/repository.ts';
import { type Attributes, NO_ATTRIBUTES } from '../../git/rules/attributes.ts';
import { attributesOf, readWorkFile } from '../../git/rules/path-rules.ts';
import type { Store, StoredFile } from '../../stores/store.ts';
import { withEncoding } from '../../text/document.ts';
import { type Declared, ENCODINGS, encodingNamed, UTF8 } from '../../text/encodings.ts';
import { gitEncoding } from './git-encoding.ts';

export interface EncodingRules {
  repo: Repository;
  attributesFiles: readonly string[];
  /** The workspace's folder inside the work tree, with a slash at its end, or ''. */
  prefix: string;
  /** The option of the workspace. */
  encodings: Readonly<Record<string, string>> | undefined;
}

/** Reads the rules by which files have encodings. Throws INVALID_INPUT for an encoding that is not known. */
export async function declaredEncodings(rules: EncodingRules): Promise<Encodings> {
  const globs: Array<{ pattern: RegExp; declared: Declared }> = [];
  for (const [glob, label] of Object.entries(rules.encodings ?? {})) {
    const declared = await encodingNamed(label);
    if (!declared) throw unknownEncoding(glob, label);
    globs.push({ pattern: globPattern(glob), declared });
  }
  return new Encodings(rules, globs);
}

/** Paths are those of the trail. Files that declare are read once between two calls of `renew`. */
export class Encodings {
  readonly #rules: EncodingRules;
  readonly #globs: ReadonlyArray<{ pattern: RegExp; declared: Declared }>;
  #configs = new Map<string, EditorConfig | null>();
  /** By path, the encoding that is declared for what is recorded there: history asks again and again. */
  readonly #known = new Map<string, Promise<Declared | null>>();
  #attributes: Attributes;

  constructor(rules: EncodingRules, globs: ReadonlyArray<{ pattern: RegExp; declared: Declared }>) {
    this.#rules = rules;
    this.#globs = globs;
    this.#attributes = this.renew();
  }

  /** Forgets what was read, and returns the attributes by which encodings are told from now on. */
  renew(): Attributes {
    // Not emptied: a look that began before would put into it what it read.
    this.#configs = new Map();
    this.#known.clear();
    this.#attributes = attributesOf(this.#rules.repo, this.#rules.attributesFiles);
    return this.#attributes;
  }

  /** The encoding of a file of the work tree; `null` for one that none is declared of, and for one that is not known. */
  async of(path: string): Promise<Declared | null> {
    if (!this.#rules.repo.workDir) return this.#optional(path);
    const values = await this.#attributes.of(path);
    const gits = values === NO_ATTRIBUTES ? null : await gitEncoding(values);
    return gits ? gits.declared : this.#recorded(path);
  }

  /** The content of a file that is recorded at a path, marked: where git encodes the file, that is UTF-8. */
  async mark(path: string, content: Uint8Array): Promise<Uint8Array> {
    const declared = await this.#recorded(path);
    if (!declared || declared.mark || declared.encoding === UTF8) return content;
    const isGits =
      this.#rules.repo.workDir !== null && (await gitEncoding(await this.#attributes.of(path))) !== null;
    return isGits ? content : withEncoding(content, declared.encoding);
  }

  /** The line end that is declared for new files at this path; `null`: none. */
  async lineEnd(path: string): Promise<'\n' | '\r\n' | null> {
    if (!this.#rules.repo.workDir) return null;
    const { eol, text } = await this.#attributes.of(path);
    const word = text === false ? 'none' : (eol ?? (await this.#property(path, 'end_of_line')));
    return word === 'crlf' ? '\r\n' : word === 'lf' ? '\n' : null;
  }

  #recorded(path: string): Promise<Declared | null> {
    const known = this.#known.get(path) ?? this.#declared(path);
    this.#known.set(path, known);
    return known;
  }

  async #declared(path: string): Promise<Declared | null> {
    const given = this.#globs.length > 0 ? this.#optional(path) : null;
    if (given || !this.#rules.repo.workDir) return given;
    const charset = await this.#property(path, 'charset');
    return charset === undefined ? null : encodingNamed(charset);
  }

  #optional(path: string): Declared | null {
    if (!path.startsWith(this.#rules.prefix)) return null;
    const own = path.slice(this.#rules.prefix.length);
    return this.#globs.findLast(one => one.pattern.test(own))?.declared ?? null;
  }

  async #property(path: string, name: Property): Promise<string | undefined> {
    const configs = this.#configs;
    for (let end = path.lastIndexOf('/') + 1; ; end = path.lastIndexOf('/', end - 2) + 1) {
      const folder = path.slice(0, end);
      let config = configs.get(folder);
      if (config === undefined) {
        const text = await readWorkFile(this.#rules.repo, `${folder}.editorconfig`).catch(() => null);
        config = text === null ? null : parseEditorConfig(text);
        configs.set(folder, config);
      }
      const value = config?.value(path.slice(end), name)?.toLowerCase();
      if (value !== undefined) return value === 'unset' ? undefined : value;
      if (config?.root || end === 0) return undefined;
    }
  }
}

/** Makes the store mark the files that it reads with the encodings that are declared for them. */
export function markingStore(store: Store, encodings: Encodings, prefix: string): Store {
  const marking = (read: (path: string) => Promise<StoredFile | null>): typeof read => {
    return async path => {
      const file = await read(path);
      const declared = file && (await encodings.of(prefix + path));
      if (!declared || declared.mark || file.mode === '120000') return file;
      return { ...file, bytes: withEncoding(file.bytes, declared.encoding) };
    };
  };
  const { entry } = store;
  return Object.assign(store, {
    read: marking(store.read.bind(store)),
    ...(entry ? { entry: marking(entry.bind(store)) } : {}),
  });
}

function unknownEncoding(glob: string, label: string): EditError {
  const message =
    `openWorkspace: \`encodings\` gives ${glob} the encoding ${JSON.stringify(label)}, which is not known. ` +
    `Nothing was done. Known are ${ENCODINGS} and others.`;
  return new EditError('INVALID_INPUT', message, { field: 'encodings' });
}

interface EditorConfig {
  /** True where folders above do not count. */
  root: boolean;
  /** The value that a file has, by its path below the folder. */
  value(path: string, name: Property): string | undefined;
}

/** The properties that are read. */
type Property = 'charset' | 'end_of_line';

/** Reads one file. Lines that are no section, comment or property are passed over, as editors do. */
export function parseEditorConfig(text: string): EditorConfig {
  const said: Array<{ pattern: RegExp; name: string; value: string }> = [];
  let root = false;
  let pattern: RegExp | null = null;
  for (const line of text.split(/\r?\n/)) {
    const [, glob] = /^\s*\[(.+)\]\s*$/.exec(line) ?? [];
    if (glob !== undefined) pattern = globPattern(glob);
    const [, name, value = ''] = /^\s*([\w-]+)\s*[=:]\s*([^\s#;]+)/.exec(line) ?? [];
    if (pattern === null && name?.toLowerCase() === 'root') root = value.toLowerCase() === 'true';
    if (pattern !== null && name !== undefined) said.push({ pattern, name: name.toLowerCase(), value });
  }
  const last = (path: string, name: string): (typeof said)[0] | undefined =>
    said.findLast(one => one.name === name && one.pattern.test(path));
  return { root, value: (path, name) => last(path, name)?.value };
}

/** Turns a glob into a pattern for whole paths; one without a slash is for names at any depth, a wrong one for none. */
export function globPattern(glob: string): RegExp {
  const start = glob.includes('/') ? '' : '(?:.*/)?';
  try {
    return new RegExp(`^${start}${alternatives(glob.replace(/^\//, ''))}$`, 'su');
  } catch {
    return /(?!)/;
  }
}

const TOKEN = /\\.|\*\*\/|\*\*|\*|\?|\[!?[^\]/]+\]|\{-?\d+\.\.-?\d+\}|\{[^{}]*,[^{}]*\}|./gsu;

function alternatives(glob: string): string {
  return (glob.match(TOKEN) ?? []).map(tokenPattern).join('');
}

function tokenPattern(token: string): string {
  if (token === '**/') return '(?:.*/)?';
  if (token === '**') return '.*';
  if (token === '*') return '[^/]*';
  if (token === '?') return '[^/]';
  const inner = token.slice(1, -1);
  if (token.length > 2 && token.startsWith('['))
    return `[${inner.replace(/^!/, '^').replace(/[\\\]]/g, '\\$&')}]`;
  if (token.length > 2 && token.startsWith('{')) {
    if (inner.includes('..')) return range(inner);
    return `(?:${inner.split(',').map(alternatives).join('|')})`;
  }
  const character = token.length === 2 && token.startsWith('\\') ? token.slice(1) : token;
  return character.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** At most this many numbers are looked for. */
const MOST_NUMBERS = 1000;

function range(inner: string): string {
  const [from, to] = inner
    .split('..')
    .map(Number)
    .sort((a, b) => a - b) as [number, number];
  const count = Math.min(to - from + 1, MOST_NUMBERS);
  return `(?:${Array.from({ length: count }, (_, at) => from + at).join('|')})`;
}
