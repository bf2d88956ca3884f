/** The keys of JSON, YAML and TOML: each is a symbol with what it holds, and so is each object or table of a list, by its number from 0. */

import type { Node, ParseError } from 'jsonc-parser';
import { lazy } from '../lazy.ts';
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
  if (node?.type === 'array')
    return (node.children ?? []).flatMap((item, n) => {
      if (item.type !== 'object') return [];
      const at = [...path, `${n}`];
      return [keySymbol(text, at, item.offset, item.offset + item.length), ...jsonKeys(text, item, at)];
    });
  return (node?.type === 'object' ? node.children! : []).flatMap(({ offset, length, children = [] }) => {
    const at = [...path, String(children[0]?.value)];
    return [keySymbol(text, at, offset, offset + length), ...jsonKeys(text, children[1], at)];
  });
}

/** A node of the package `yaml`: a map or a list has items, of which those of a map are pairs. */
interface YamlNode {
  items?: ReadonlyArray<YamlNode & Partial<YamlPair>>;
  range?: readonly [start: number, end: number, after: number] | null;
  value?: unknown;
}

interface YamlPair {
  key: YamlNode | null;
  value: YamlNode | null;
}

async function yamlReader(): Promise<DataReader> {
  const { parseAllDocuments } = await import('yaml');
  const read = (text: string) => [parseAllDocuments(text, { uniqueKeys: false, logLevel: 'silent' })].flat();
  return {
    symbols: text => read(text).flatMap(one => yamlKeys(text, one.contents as YamlNode | null, [])),
    faults: text =>
      read(text).flatMap(({ errors }) =>
        errors.map(({ pos, code }) => ({ offset: pos[0], words: code.toLowerCase().replaceAll('_', ' ') })),
      ),
  };
}

function yamlKeys(text: string, node: YamlNode | null, path: readonly string[]): FileSymbol[] {
  return (node?.items ?? []).flatMap((item, n) => {
    if (!('key' in item)) {
      if (!item?.items || !item.range) return [];
      const at = [...path, `${n}`];
      const dash = text.lastIndexOf('-', item.range[0]);
      return [keySymbol(text, at, dash, item.range[1]), ...yamlKeys(text, item, at)];
    }
    const { key, value } = item as YamlPair;
    if (!key?.range) return [];
    const at = [...path, String(key.value)];
    const end = Math.max(value?.range?.[1] ?? 0, key.range[1]);
    return [keySymbol(text, at, key.range[0], end), ...yamlKeys(text, value, at)];
  });
}

async function tomlReader(): Promise<DataReader> {
  const { parseTOML, ParseError: TomlError } = await import('toml-eslint-parser');
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

interface TomlNode {
  type: string;
  range: readonly [start: number, end: number];
  resolvedKey?: ReadonlyArray<string | number>;
  key?: { keys: ReadonlyArray<{ name?: string; value?: unknown }> };
  value?: TomlNode;
  body?: readonly TomlNode[];
}

function tomlKeys(text: string, node: TomlNode, path: readonly string[]): FileSymbol[] {
  const own = node.resolvedKey ?? node.key?.keys.map(({ name, value }) => name ?? value) ?? [];
  const at = [...path, ...own.map(String)];
  const inside = node.body ?? node.value?.body ?? [];
  return [keySymbol(text, at, ...node.range), ...inside.flatMap(one => tomlKeys(text, one, at))];
}
