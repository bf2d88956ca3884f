/** One entry of JSON with comments put in, changed or taken out; every byte besides stays. */

import { commentEnd, type JsonItem, type JsonNode, parseJsonc } from './jsonc.ts';

export type JsonPath = readonly string[];

/** A place where there is another kind of value than the way to an entry needs. */
export class JsonShapeError extends Error {}

/** The value at the path; `undefined` where there is none. Throws JsonSyntaxError. */
export function valueAt(text: string, path: JsonPath): unknown {
  if (text.trim() === '') return undefined;
  return nodeAt(parseJsonc(text), path)?.value;
}

/**
 * The text with this value at the path, objects on the way made where they are missing. Throws JsonSyntaxError, JsonShapeError
 * where something else than an object is on the way.
 */
export function withValue(text: string, path: JsonPath, value: unknown): string {
  if (text.trim() === '') return withValue(`{}${text}`, path, value).replace('{ ', BLANK);
  const style = styleOf(text);
  let node = parseJsonc(text);
  for (const [depth, key] of path.entries()) {
    if (!node.items || !node.isObject) throw notObject(path.slice(0, depth));
    const found = memberOf(node, key);
    if (!found) return withItem(text, node, { key, value: nested(path.slice(depth + 1), value) }, style);
    node = found.node;
  }
  if (JSON.stringify(node.value) === JSON.stringify(value)) return text;
  return replaced(text, node.start, node.end, json(value, indentAt(text, node.start), style));
}

/** The text with one more item at the end of the list at the path, which is made where it is missing. Throws as withValue. */
export function withAppended(text: string, path: JsonPath, item: unknown): string {
  const node = text.trim() === '' ? null : nodeAt(parseJsonc(text), path);
  if (!node) return withValue(text, path, [item]);
  if (!node.items || node.isObject) throw new JsonShapeError(`${path.join('.')} is not a list there`);
  return withItem(text, node, { value: item }, styleOf(text));
}

/**
 * The text without the entry at the path, and without the objects and lists above it that hold nothing else; comments stay.
 * `number` is that of an item of the list at the path.
 */
export function without(text: string, path: JsonPath, number?: number): string {
  const root = text.trim() === '' ? null : parseJsonc(text);
  const way = [...path, ...(number === undefined ? [] : [number])];
  const parents: Array<{ node: JsonNode; item: JsonItem }> = [];
  for (let node = root; node && parents.length < way.length; node = parents.at(-1)!.item.node) {
    const item: JsonItem | undefined = node.items?.findLast(one => one.key === way[parents.length]);
    if (!item) return text;
    parents.push({ node, item });
  }
  let last = parents.length - 1;
  while (last > 0 && goesWith(text, parents[last]!.node)) last--;
  const found = parents[last];
  return found ? withoutItem(text, found.node, found.item) : text;
}

/** True of brackets that hold one item and were made for it. */
function goesWith(text: string, node: JsonNode): boolean {
  const isMade = !/^[[{] \S/.test(text.slice(node.start, node.start + 3));
  return node.items!.length === 1 && isMade && !hasComment(text, node);
}

function nodeAt(root: JsonNode, path: JsonPath): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const key of path) node = node && memberOf(node, key)?.node;
  return node;
}

/** Finds a member; of several of one name the last counts, as for JSON.parse. */
function memberOf(node: JsonNode, key: string): JsonItem | undefined {
  return node.isObject ? node.items?.findLast(one => one.key === key) : undefined;
}

function notObject(path: JsonPath): JsonShapeError {
  return new JsonShapeError(`${path.length === 0 ? 'what is in it' : path.join('.')} is not an object`);
}

function nested(path: JsonPath, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

function replaced(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

/** The file's indent and line ends. */
interface Style {
  unit: string;
  lineEnd: string;
}

function styleOf(text: string): Style {
  return {
    unit: /\n([ \t]+)["[{]/.exec(text)?.[1] ?? '  ',
    lineEnd: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

/** The blanks before the line that `at` is in. */
function indentAt(text: string, at: number): string {
  const line = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, at))![0];
}

function json(value: unknown, indent: string, { unit, lineEnd }: Style): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', lineEnd + indent);
}

/** So begins what was put into a file without any text, and into no other. */
const BLANK = '{  ';

/**
 * With one item more, after the others: on lines of its own where those are. Where there are none it follows the bracket, after
 * one blank, by which `without` knows that the brackets were there before.
 */
function withItem(
  text: string,
  node: JsonNode,
  { key, value }: { key?: string; value: unknown },
  style: Style,
): string {
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `;
  const last = node.items!.at(-1);
  if (!last) {
    const put = ` ${name}${json(value, indentAt(text, node.start) + style.unit, style)}`;
    return replaced(text, node.start + 1, node.start + 1, put);
  }
  const isOneLine = !text.slice(node.start, node.end).includes('\n');
  if (isOneLine) return replaced(text, last.node.end, last.node.end, `, ${name}${JSON.stringify(value)}`);
  const indent = indentAt(text, last.start);
  const item = `${style.lineEnd}${indent}${name}${json(value, indent, style)}`;
  const hasComma = last.comma >= 0;
  const after = lineRest(text, hasComma ? last.comma + 1 : last.node.end);
  const put = replaced(text, after, after, item + (hasComma ? ',' : ''));
  return hasComma ? put : replaced(put, last.node.end, last.node.end, ',');
}

/** The end of the comments that follow on the same line. */
function lineRest(text: string, at: number): number {
  let end = at;
  for (;;) {
    const blanks = /^[ \t]*/.exec(text.slice(end, end + 1000))![0].length;
    const comment = commentEnd(text, end + blanks);
    if (comment === null || text.slice(end, comment).includes('\n')) return end;
    end = comment;
  }
}

/** The item with its line and its comma; where it was the last one, the comma before it goes. */
function withoutItem(text: string, { items }: JsonNode, item: JsonItem): string {
  const at = items!.indexOf(item);
  const end = item.comma >= 0 ? item.comma + 1 : item.node.end;
  const line = text.lastIndexOf('\n', item.start);
  const ownLine = line >= 0 && /^[ \t]*$/.test(text.slice(line + 1, item.start));
  const start = ownLine ? line - (text[line - 1] === '\r' ? 1 : 0) : item.start;
  const before = items![at - 1];
  const commaGoes = before !== undefined && at === items!.length - 1 && item.comma < 0;
  if (!ownLine) {
    if (commaGoes) return replaced(text, before.comma, end, '');
    if (text.startsWith(BLANK) && start === BLANK.length && text[end] === '}') return text.slice(end + 1);
    if (items!.length === 1) return replaced(text, text[start - 1] === ' ' ? start - 1 : start, end, '');
    if (at > 0 && at === items!.length - 1) return replaced(text, before!.comma + 1, end, '');
    return replaced(text, start, end + /^ ?/.exec(text.slice(end, end + 1))![0].length, '');
  }
  const removed = replaced(text, start, lineRest(text, end), '');
  return commaGoes ? replaced(removed, before.comma, before.comma + 1, '') : removed;
}

function hasComment(text: string, { start, end, items }: JsonNode): boolean {
  let rest = text.slice(start, end);
  for (const { start: from, node } of [...items!].reverse())
    rest = rest.slice(0, from - start) + rest.slice(node.end - start);
  return rest.includes('//') || rest.includes('/*');
}
