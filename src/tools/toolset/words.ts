/**
 * The sets of tools, and the words in which one is offered: the names of the tools, and of the field that holds a path. It loads
 * no tool, so that the command line can name them at no cost.
 */

import type { ToolName } from '../../table/command.ts';
import type { Vocabulary } from '../../wording.ts';

type Fields = Readonly<Record<string, unknown>>;

export class Words {
  readonly #prefix: string;
  readonly #names: Readonly<Record<string, string>>;
  readonly #pathField: string;
  /** True where nothing has another name. */
  readonly plain: boolean;

  constructor({ prefix = '', names = {}, pathField = 'path' }: WordOptions) {
    this.#prefix = prefix;
    this.#names = names;
    this.#pathField = pathField;
    this.plain = prefix === '' && Object.keys(names).length === 0 && pathField === 'path';
  }

  /** Returns the offered name of a tool. */
  name(own: string): string {
    return this.#prefix + (this.#names[own] ?? own);
  }

  /** Makes the words in which a caller is answered who has these tools. */
  vocabulary(tools: readonly string[]): Vocabulary {
    return {
      tools: Object.fromEntries(tools.map(own => [own, this.name(own)])),
      fields: { path: this.#pathField },
    };
  }

  /**
   * Renames the fields of a schema, of aliases or of an input as they are offered; those of the edits inside a change,
   * too.
   */
  offered<T extends object>(fields: T): T {
    return renamed(fields, 'path', this.#pathField, own => this.name(own)) as T;
  }

  /** Renames the fields of an input in the offered words as the engine has them. */
  own(fields: object): Fields {
    return renamed(fields, this.#pathField, 'path', name => this.#ownName(name));
  }

  /** Finds a tool's own name. Inside a change models leave the prefix out, or say what the engine says. */
  #ownName(given: string): string {
    const bare = given.startsWith(this.#prefix) ? given.slice(this.#prefix.length) : given;
    return Object.keys(this.#names).find(own => this.#names[own] === bare) ?? bare;
  }
}

export interface WordOptions {
  /** Put before every name: `article_` makes `article_view`. */
  prefix?: string | undefined;
  /** Other names, by the tool's own: `{ str_replace: 'replace' }`. The prefix comes before them too. */
  names?: Readonly<Record<string, string>> | undefined;
  /** The name of the field `path`: `article_id`. */
  pathField?: string | undefined;
}

/** Renames the field `from` to `to`, and tools that are named inside of `edits` by `name`. */
function renamed(fields: object, from: string, to: string, name: (given: string) => string): Fields {
  const inside = (one: unknown): unknown => (isEdit(one) ? named(renamed(one, from, to, name), name) : one);
  const entries = Object.entries(fields).map(([key, value]) => [
    key === from ? to : key,
    key === 'edits' && Array.isArray(value) ? value.map(inside) : value,
  ]);
  return Object.fromEntries(entries);
}

/** In which field one of the edits of a change says which it is; models know all of these words. */
const NAMES = ['edit', 'op', 'tool'] as const;

function named(edit: Fields, name: (given: string) => string): Fields {
  const own = Object.entries(edit).map(([key, value]) =>
    NAMES.some(one => one === key) && typeof value === 'string' ? [key, name(value)] : [key, value],
  );
  return Object.fromEntries(own);
}

function isEdit(value: unknown): value is object {
  const fields = Object(value) as Fields;
  return NAMES.some(name => typeof fields[name] === 'string');
}

const MINIMAL = ['view', 'str_replace', 'insert', 'create', 'undo'] as const;
const FURTHER = ['replace_lines', 'delete', 'move', 'apply_patch', 'redo', 'reply', 'log'] as const;

/** The tools of each set. */
export interface ToolSets {
  minimal: (typeof MINIMAL)[number];
  standard: (typeof MINIMAL)[number] | (typeof FURTHER)[number];
  all: ToolName;
}

export type ToolSetName = keyof ToolSets;

/** The names in them; exported for the test that each is a tool. */
export const SETS: Readonly<Record<string, readonly string[]>> = {
  minimal: MINIMAL,
  standard: [...MINIMAL, ...FURTHER],
};
