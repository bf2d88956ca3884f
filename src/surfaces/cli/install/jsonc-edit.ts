/** One entry of JSON with comments put in, changed or taken out; every byte besides stays. */

import { getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';

/** Names of members, and numbers of items. */
export type JsonPath = ReadonlyArray<string | number>;

/** Settings that cannot be read, or have a form that is not edited here; the message says which. */
export class UneditableError extends Error {}

/** The value at the path; `undefined` where there is none. Throws UneditableError. */
export function valueAt(text: string, path: JsonPath): unknown {
  const node = nodeAt(text, path);
  return node && getNodeValue(node);
}

/**
 * The text with this value at the path, objects on the way made where they are missing. Throws UneditableError, also
 * where something else than an object is on the way.
 */
export function withValue(text: string, path: readonly string[], value: unknown): string {
  if (isBlank(text)) return withValue(`{}${text}`, path, value).replace('{ ', BLANK);
  let node = parse(text);
  for (const [depth, key] of path.entries()) {
    if (node.type !== 'object') throw notObject(path.slice(0, depth));
    const found = itemOf(node, key);
    if (!found) return withItem(text, node, nested(path.slice(depth + 1), value), key);
    node = contentOf(found);
  }
  if (JSON.stringify(getNodeValue(node)) === JSON.stringify(value)) return text;
  return replaced(text, node.offset, endOf(node), json(text, value, indentAt(text, node.offset)));
}

/** The text with one more item at the end of the list at the path, which is made where it is missing. Throws as withValue. */
export function withAppended(text: string, path: readonly string[], item: unknown): string {
  const node = nodeAt(text, path);
  if (!node) return withValue(text, path, [item]);
  if (node.type !== 'array') throw new UneditableError(`${path.join('.')} is not a list there`);
  return withItem(text, node, item);
}

/**
 * The text without the entry at the path, and without the objects and lists above it that hold nothing else; comments
 * stay. Throws UneditableError.
 */
export function without(text: string, path: JsonPath): string {
  const way: Array<{ node: Node; item: Node }> = [];
  let node = isBlank(text) ? undefined : parse(text);
  for (const key of path) {
    const item = node && itemOf(node, key);
    if (!item) return text;
    way.push({ node: node!, item });
    node = contentOf(item);
  }
  while (way.length > 1 && goesWith(text, way.at(-1)!.node)) way.pop();
  const last = way.at(-1);
  return last ? withoutItem(text, last.node.children!, last.item) : text;
}

/** The value within objects of these names. */
export function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

/** A byte order mark is passed over. Throws UneditableError, also for what is nested too deep to be read. */
function parse(text: string): Node {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text.replace(/^\ufeff/, ' '), errors, { allowTrailingComma: true });
    if (root && errors.length === 0) return root;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  const lineAt = text.slice(0, errors[0]?.offset ?? 0).split('\n').length;
  throw new UneditableError(`it is not JSON at line ${lineAt}`);
}

function nodeAt(text: string, path: JsonPath): Node | undefined {
  let node = isBlank(text) ? undefined : parse(text);
  for (const key of path) {
    const item = node && itemOf(node, key);
    node = item && contentOf(item);
  }
  return node;
}

/** Finds an item of a list, or a member; of several of one name the last counts, as for JSON.parse. */
function itemOf({ type, children }: Node, key: string | number): Node | undefined {
  if (typeof key === 'number') return type === 'array' ? children![key] : undefined;
  return type === 'object' ? children!.findLast(one => one.children![0]!.value === key) : undefined;
}

function contentOf(item: Node): Node {
  return item.type === 'property' ? item.children![1]! : item;
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** True of brackets that hold one item and were made for it. */
function goesWith(text: string, node: Node): boolean {
  const isMade = !/^[[{] \S/.test(text.slice(node.offset, node.offset + 3));
  return node.children!.length === 1 && isMade && !hasComment(text, node);
}

function hasComment(text: string, node: Node): boolean {
  let rest = text.slice(node.offset, endOf(node));
  for (const item of [...node.children!].reverse())
    rest = replaced(rest, item.offset - node.offset, endOf(item) - node.offset, '');
  return rest.includes('//') || rest.includes('/*');
}

function notObject(path: readonly string[]): UneditableError {
  return new UneditableError(`${path.length === 0 ? 'what is in it' : path.join('.')} is not an object`);
}

function replaced(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

/** The blanks before the line that `at` is in. */
function indentAt(text: string, at: number): string {
  const line = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, at))![0];
}

function unitOf(text: string): string {
  return /\n([ \t]+)["[{]/.exec(text)?.[1] ?? '  ';
}

function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The value with the indent and the line ends of the file; its own lines begin with `indent`. */
function json(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', lineEndOf(text) + indent);
}

/** The beginning of what was put into a file without any text, and into no other. */
const BLANK = '{  ';

/**
 * With one item more, after the others: on lines of its own where those are. Where there are none it follows the bracket, after
 * one blank, by which `without` knows that the brackets were there before.
 */
function withItem(text: string, node: Node, value: unknown, key?: string): string {
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `;
  const last = node.children!.at(-1);
  if (!last) {
    const put = ` ${name}${json(text, value, indentAt(text, node.offset) + unitOf(text))}`;
    return replaced(text, node.offset + 1, node.offset + 1, put);
  }
  const isOneLine = !text.slice(node.offset, endOf(node)).includes('\n');
  if (isOneLine) return replaced(text, endOf(last), endOf(last), `, ${name}${JSON.stringify(value)}`);
  const indent = indentAt(text, last.offset);
  const item = `${lineEndOf(text)}${indent}${name}${json(text, value, indent)}`;
  const comma = commaAfter(text, last);
  const after = lineRest(text, comma < 0 ? endOf(last) : comma + 1);
  if (comma >= 0) return replaced(text, after, after, `${item},`);
  return replaced(replaced(text, after, after, item), endOf(last), endOf(last), ',');
}

/** The place of the comma after an item; -1 where there is none. */
function commaAfter(text: string, item: Node): number {
  const between = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  between.lastIndex = endOf(item);
  between.test(text);
  return text[between.lastIndex] === ',' ? between.lastIndex : -1;
}

/** The end of the comments that follow on the same line. */
function lineRest(text: string, at: number): number {
  const comments = /(?:[ \t]*(?:\/\/[^\n]*|\/\*(?:(?!\*\/)[^\n])*\*\/))*/y;
  comments.lastIndex = at;
  comments.test(text);
  return comments.lastIndex;
}

/** The item with its line and its comma; where it was the last one, the comma before it goes. */
function withoutItem(text: string, items: readonly Node[], item: Node): string {
  const at = items.indexOf(item);
  const comma = commaAfter(text, item);
  const end = comma < 0 ? endOf(item) : comma + 1;
  const line = text.lastIndexOf('\n', item.offset);
  const isOwnLine = line >= 0 && /^[ \t]*$/.test(text.slice(line + 1, item.offset));
  const start = isOwnLine ? line - (text[line - 1] === '\r' ? 1 : 0) : item.offset;
  const isLast = at === items.length - 1;
  const before = at > 0 && isLast ? commaAfter(text, items[at - 1]!) : -1;
  const commaGoes = before >= 0 && comma < 0;
  if (!isOwnLine) {
    if (commaGoes) return replaced(text, before, end, '');
    if (text.startsWith(BLANK) && start === BLANK.length && text[end] === '}') return text.slice(end + 1);
    if (items.length === 1) return replaced(text, text[start - 1] === ' ' ? start - 1 : start, end, '');
    if (before >= 0) return replaced(text, before + 1, end, '');
    return replaced(text, start, text[end] === ' ' ? end + 1 : end, '');
  }
  const removed = replaced(text, start, lineRest(text, end), '');
  return commaGoes ? replaced(removed, before, before + 1, '') : removed;
}
