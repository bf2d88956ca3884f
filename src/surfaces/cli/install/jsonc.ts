/**
 * JSON with comments and trailing commas, read with the places of its values: so that one entry of a person's settings can
 * be changed and every other byte stays.
 */

import { visit } from 'jsonc-parser';

/** A value, and where it stands in the text. */
export interface JsonNode {
  start: number;
  /** After its last character. */
  end: number;
  /** Its meaning; of objects and arrays without comments. */
  value: unknown;
  /** The members of an object, the items of an array, in their order; `null` for other values. */
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

/** Deeper settings than these nobody has. */
const DEEPEST = 200;

/** Parses the text; a byte order mark is passed over. Throws JsonSyntaxError. */
export function parseJsonc(text: string): JsonNode {
  const open: JsonNode[] = [];
  let root: JsonNode | undefined;
  let name: Pick<JsonItem, 'key' | 'start'> | null = null;
  const refuse = (at: number): never => {
    throw new JsonSyntaxError(text, at);
  };
  const put = (node: JsonNode): void => {
    const items = open.at(-1)?.items;
    items?.push({ key: items.length, start: node.start, ...name, node, comma: -1 });
    root ??= node;
    name = null;
  };
  const begin = (start: number, isObject: boolean): void => {
    if (open.length === DEEPEST) refuse(start);
    const node: JsonNode = { start, end: start, value: undefined, items: [], isObject };
    put(node);
    open.push(node);
  };
  const end = (at: number): void => {
    const node = open.pop()!;
    node.end = at + 1;
    const entries = node.items!.map(({ key, node: { value } }) => [key, value] as const);
    node.value = node.isObject ? Object.fromEntries(entries) : entries.map(([, value]) => value);
  };
  const visitor: Parameters<typeof visit>[1] = {
    onObjectBegin: at => begin(at, true),
    onArrayBegin: at => begin(at, false),
    onObjectEnd: end,
    onArrayEnd: end,
    onObjectProperty(key, start) {
      name = { key, start };
    },
    onLiteralValue: (value, start, length) =>
      put({ start, end: start + length, value, items: null, isObject: false }),
    onSeparator(character, at) {
      if (character === ',') open.at(-1)!.items!.at(-1)!.comma = at;
    },
    onError: (_, at) => refuse(at),
  };
  visit(text.replace(/^\ufeff/, ' '), visitor, { allowTrailingComma: true });
  return root ?? refuse(text.length);
}

/** Finds where a comment that begins here ends; `null` where none does. */
export function commentEnd(text: string, at: number): number | null {
  const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
  comment.lastIndex = at;
  return comment.test(text) ? comment.lastIndex : null;
}
