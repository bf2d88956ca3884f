/** The keys of JSON, YAML and TOML: each is a symbol with what it holds, and so is each object or table of a list, by its number from 0. */

import type { Node, ParseError } from 'jsonc-parser';
import { lazy } from '../lazy.ts';
import { installed, PACKAGES } from './languages.ts';
import { type FileSymbol, trimmedEnd } from './symbol.ts';

/** A fault of a text, and its place. */
export interface DataFault {
  offset: number;
  words: string;
}

/** Reads the keys of a text and what is wrong with it. */
export interface DataReader {
  symbols(text: string): FileSymbol[];
  faults(text: string): DataFault[];
}

/** By language, its reader. Each throws what `import` throws where its package is not installed. */
export const DATA_READERS: Readonly<Record<'json' | 'yaml' | 'toml', () => Promise<DataReader>>> = {
  json: lazy(jsonReader),
  yaml: lazy(yamlReader),
  toml: lazy(tomlReader),
};

/** Keys that are nested deeper have no name that anybody would write. */
const DEEPEST = 32;

function keySymbol(text: string, path: readonly string[], start: number, end: number): FileSymbol {
  return { path, kind: 'key', start, end: trimmedEnd(text, start, end), docStart: commentStart(text, start) };
}

/** Where the comments begin that stand right above an offset, each on a line of its own. */
function commentStart(text: string, offset: number): number {
  let start = offset;
  for (;;) {
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    const above = text.lastIndexOf('\n', lineStart - 2) + 1;
    if (lineStart === 0 || !/^\s*(#|\/\/)/.test(text.slice(above, lineStart))) return start;
    start = above + text.slice(above).search(/\S/);
  }
}

async function jsonReader(): Promise<DataReader> {
  const { parseTree, printParseErrorCode } = await import('jsonc-parser');
  const options = { allowTrailingComma: true, disallowComments: false };
  const read = (text: string, errors: ParseError[] = []): Node | undefined =>
    parseTree(text, errors, options);
  return {
    symbols: text => jsonKeys(text, read(text), []),
    faults(text) {
      const errors: ParseError[] = [];
      read(text, errors);
      return errors.map(({ offset, error }) => ({ offset, words: printParseErrorCode(error) }));
    },
  };
}

function jsonKeys(text: string, node: Node | undefined, path: readonly string[]): FileSymbol[] {
  const { type, children = [] } = node ?? {};
  if ((type !== 'array' && type !== 'object') || path.length >= DEEPEST) return [];
  return children.flatMap((item, n) => {
    if (type === 'array' && item.type !== 'object') return [];
    const at = [...path, type === 'array' ? `${n}` : String(item.children![0]!.value)];
    const inside = type === 'array' ? item : item.children![1];
    return [keySymbol(text, at, item.offset, item.offset + item.length), ...jsonKeys(text, inside, at)];
  });
}

/** A node of the package `yaml`: a map or a list has items, of which those of a map are pairs. */
interface YamlNode {
  items?: readonly YamlNode[];
  range?: readonly [start: number, end: number, after: number] | null;
  key?: YamlNode | null;
  value?: unknown;
}

async function yamlReader(): Promise<DataReader> {
  const { parseAllDocuments } = await installed<typeof import('yaml')>(PACKAGES.yaml);
  const read = (text: string) => [parseAllDocuments(text, { uniqueKeys: false, logLevel: 'silent' })].flat();
  return {
    symbols: text => read(text).flatMap(one => yamlKeys(text, one.contents as YamlNode | null, [])),
    faults: text => {
      const errors = read(text).flatMap(one => one.errors);
      return errors.map(({ pos, code }) => ({
        offset: pos[0],
        words: code.toLowerCase().replaceAll('_', ' '),
      }));
    },
  };
}

function yamlKeys(text: string, node: YamlNode | null, path: readonly string[]): FileSymbol[] {
  if (path.length >= DEEPEST) return [];
  return (node?.items ?? []).flatMap((item, n) => {
    const isPair = 'key' in item;
    const at = [...path, isPair ? String(item.key?.value) : `${n}`];
    const inside = isPair ? (item.value as YamlNode | null) : item;
    const [start, end] = (isPair ? item.key : item)?.range ?? [];
    if (start === undefined || !(isPair || item.items)) return [];
    const from = isPair ? start : text.lastIndexOf('-', start);
    return [
      keySymbol(text, at, from, Math.max(inside?.range?.[1] ?? 0, end!)),
      ...yamlKeys(text, inside, at),
    ];
  });
}

interface TomlNode {
  range: readonly [start: number, end: number];
  resolvedKey?: ReadonlyArray<string | number>;
  key?: { keys: ReadonlyArray<{ name?: string; value?: unknown }> };
  value?: TomlNode;
  body?: readonly TomlNode[];
}

async function tomlReader(): Promise<DataReader> {
  const { parseTOML, ParseError: TomlError } = await installed<typeof import('toml-eslint-parser')>(
    PACKAGES.toml,
  );
  return {
    symbols: text => parseTOML(text).body[0].body.flatMap(one => tomlKeys(text, one as TomlNode, [])),
    faults(text) {
      try {
        parseTOML(text);
        return [];
      } catch (error) {
        if (!(error instanceof TomlError)) throw error;
        return [{ offset: error.index, words: error.message }];
      }
    },
  };
}

function tomlKeys(text: string, node: TomlNode, path: readonly string[]): FileSymbol[] {
  const own = node.resolvedKey ?? node.key?.keys.map(({ name, value }) => name ?? value) ?? [];
  const at = [...path, ...own.map(String)];
  const inside = at.length < DEEPEST ? (node.body ?? node.value?.body ?? []) : [];
  return [keySymbol(text, at, ...node.range), ...inside.flatMap(one => tomlKeys(text, one, at))];
}
