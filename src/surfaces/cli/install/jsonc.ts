/**
 * JSON with comments and trailing commas, read with the places of its values: so that one entry of a person's settings can
 * be changed and every other byte stays.
 */

/** A value, and where it stands in the text. */
export interface JsonNode {
  start: number;
  /** After its last character. */
  end: number;
  /** What it means; of objects and arrays without comments. */
  value: unknown;
  /** Of an object its members, of an array its items, in their order; `null` for other values. */
  items: JsonItem[] | null;
  isObject: boolean;
}

export interface JsonItem {
  /** The name of a member; of an item of an array its number. */
  key: string | number;
  /** Where it begins: at its name, or its value. */
  start: number;
  node: JsonNode;
  /** The place of the comma after it, or -1. */
  comma: number;
}

/** A text that is not JSON, and the line where that shows. */
export class JsonSyntaxError extends Error {
  readonly line: number;

  constructor(text: string, at: number) {
    const line = text.slice(0, at).split('\n').length;
    super(`it is not JSON at line ${line}`);
    this.line = line;
  }
}

/** Throws JsonSyntaxError. A byte order mark is passed over. */
export function parseJsonc(text: string): JsonNode {
  const reader = new Reader(text);
  const node = reader.value();
  reader.end();
  return node;
}

/** Deeper settings than these nobody has. */
const DEEPEST = 200;

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    if (text.startsWith('\ufeff')) this.#at = 1;
  }

  value(): JsonNode {
    this.#skip();
    const first = this.#text[this.#at];
    if (first === '{' || first === '[') return this.#list(first === '{');
    const start = this.#at;
    const scalar = SCALAR.exec(this.#text.slice(start, start + 1_000_000))?.[0];
    if (scalar === undefined) throw this.#wrong();
    this.#at += scalar.length;
    return { start, end: this.#at, value: this.#scalarValue(scalar), items: null, isObject: false };
  }

  end(): void {
    this.#skip();
    if (this.#at < this.#text.length) throw this.#wrong();
  }

  #scalarValue(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw this.#wrong();
    }
  }

  #list(isObject: boolean): JsonNode {
    if (++this.#depth > DEEPEST) throw this.#wrong();
    const start = this.#at++;
    const close = isObject ? '}' : ']';
    const items: JsonItem[] = [];
    for (this.#skip(); this.#text[this.#at] !== close; this.#skip()) {
      if (items.length > 0 && items.at(-1)!.comma < 0) throw this.#wrong();
      items.push(this.#item(isObject, items.length));
    }
    this.#at++;
    this.#depth--;
    const value = isObject
      ? Object.fromEntries(items.map(({ key, node }) => [key, node.value]))
      : items.map(({ node }) => node.value);
    return { start, end: this.#at, value, items, isObject };
  }

  #item(isObject: boolean, index: number): JsonItem {
    const start = this.#at;
    let key: string | number = index;
    if (isObject) {
      const name = this.value();
      if (typeof name.value !== 'string' || name.items) throw this.#wrong();
      key = name.value;
      this.#skip();
      if (this.#text[this.#at++] !== ':') throw this.#wrong();
    }
    const node = this.value();
    this.#skip();
    const comma = this.#text[this.#at] === ',' ? this.#at++ : -1;
    return { key, start, node, comma };
  }

  /** Blanks and comments. */
  #skip(): void {
    for (;;) {
      while (/[ \t\r\n]/.test(this.#text[this.#at] ?? '')) this.#at++;
      const end = commentEnd(this.#text, this.#at);
      if (end === null) return;
      this.#at = end;
    }
  }

  #wrong(): JsonSyntaxError {
    return new JsonSyntaxError(this.#text, Math.min(this.#at, this.#text.length));
  }
}

const SCALAR = /^(?:"(?:[^"\\\n]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null)/;

/** Where a comment that begins here ends; `null` where none does. */
export function commentEnd(text: string, at: number): number | null {
  if (text[at] !== '/') return null;
  if (text[at + 1] === '/') {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end;
  }
  if (text[at + 1] !== '*') return null;
  const end = text.indexOf('*/', at + 2);
  return end < 0 ? null : end + 2;
}
