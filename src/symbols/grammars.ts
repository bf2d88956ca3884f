/**
 * Parses by the grammars of tree-sitter, compiled to WebAssembly: the package is loaded with the first file that is asked
 * about, and each grammar with the first file of its language. The trees of the files that were parsed last stay, so that
 * the next text of one is parsed from where it differs.
 */

import { lazy } from '../lazy.ts';

/** The part of a node of tree-sitter that is used here. Offsets count UTF-16 units. */
export interface SyntaxNode {
  readonly id: number;
  readonly type: string;
  readonly text: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly isNamed: boolean;
  readonly isError: boolean;
  readonly isMissing: boolean;
  readonly hasError: boolean;
  readonly parent: SyntaxNode | null;
  readonly children: ReadonlyArray<SyntaxNode | null>;
  readonly namedChildren: ReadonlyArray<SyntaxNode | null>;
  readonly firstChild: SyntaxNode | null;
  readonly nextSibling: SyntaxNode | null;
  childForFieldName(name: string): SyntaxNode | null;
  childrenForFieldName(name: string): ReadonlyArray<SyntaxNode | null>;
  descendantForIndex(offset: number): SyntaxNode | null;
}

interface Tree {
  readonly rootNode: SyntaxNode;
  edit(change: TreeEdit): void;
  copy(): Tree;
  delete(): void;
}

interface Point {
  row: number;
  column: number;
}

interface TreeEdit {
  startIndex: number;
  oldEndIndex: number;
  newEndIndex: number;
  startPosition: Point;
  oldEndPosition: Point;
  newEndPosition: Point;
}

interface TreeSitterParser {
  setLanguage(language: unknown): void;
  parse(text: string, old: Tree | null, options: { progressCallback(): boolean }): Tree | null;
  reset(): void;
}

interface TreeSitter {
  Parser: {
    new (): TreeSitterParser;
    init(options: { locateFile(name: string, folder: string): string }): Promise<void>;
  };
  Language: { load(path: string): Promise<unknown> };
}

interface Loaded {
  sitter: TreeSitter;
  /** The folder of the grammars. */
  folder: string;
}

/** Throws what `import` throws where the package is not installed. */
const sitter = lazy(async (): Promise<Loaded> => {
  // It is CommonJS: its exports are the default.
  const module = (await import('@vscode/tree-sitter-wasm')) as unknown as {
    default?: TreeSitter;
  } & TreeSitter;
  const sitter = module.default ?? module;
  let folder = '';
  await sitter.Parser.init({
    locateFile(name, beside) {
      folder = beside;
      return beside + name;
    },
  });
  return { sitter, folder };
});

/** The parsers of the grammars that are loaded, by their names. */
const parsers = new Map<string, TreeSitterParser>();

/** Loads the grammar of a language, so that `parseTree` knows it. Throws what `import` throws. */
export async function loadGrammar(name: string): Promise<void> {
  if (parsers.has(name)) return;
  const { sitter: loaded, folder } = await sitter();
  const parser = new loaded.Parser();
  parser.setLanguage(await loaded.Language.load(`${folder}tree-sitter-${name}.wasm`));
  parsers.set(name, parser);
}

interface Kept {
  name: string;
  text: string;
  tree: Tree;
}

/** The texts that were parsed last, the newest first: trees take some twenty times the memory of a text. */
const kept: Kept[] = [];
const MOST_KEPT = 8;
const MOST_KEPT_UNITS = 2_000_000;

/** No text is parsed for longer: of what is no program at all, a grammar tries every meaning. */
const MOST_MS = 1_000;

/**
 * Parses a text by a grammar that is loaded; `null` where that takes too long. The tree is there until others are parsed.
 */
export function parseTree(name: string, text: string): SyntaxNode | null {
  const known = kept.findIndex(one => one.name === name && one.text === text);
  const [found] = known < 0 ? [] : kept.splice(known, 1);
  const tree = found?.tree ?? parsed(name, text);
  if (tree) kept.unshift({ name, text, tree });
  let units = 0;
  const many = kept.findIndex((one, n) => n >= MOST_KEPT || (units += one.text.length) > MOST_KEPT_UNITS);
  if (many > 0) for (const { tree: old } of kept.splice(many)) old.delete();
  return tree?.rootNode ?? null;
}

/** A text with faults is parsed as a whole: where a grammar finds them depends on where it began. */
function parsed(name: string, text: string): Tree | null {
  const near = kept.find(one => one.name === name && isNear(one.text, text));
  const tree = near ? parsedFrom(near, text) : null;
  if (tree && !tree.rootNode.hasError) return tree;
  tree?.delete();
  return parseOnce(name, text, null);
}

function parsedFrom(near: Kept, text: string): Tree | null {
  const from = near.tree.copy();
  from.edit(changeBetween(near.text, text));
  const tree = parseOnce(near.name, text, from);
  from.delete();
  return tree;
}

function parseOnce(name: string, text: string, from: Tree | null): Tree | null {
  const parser = parsers.get(name)!;
  const start = performance.now();
  const tree = parser.parse(text, from, { progressCallback: () => performance.now() - start > MOST_MS });
  if (!tree) parser.reset();
  return tree;
}

/** True where most of a text is that of the other. */
function isNear(old: string, text: string): boolean {
  const { startIndex, oldEndIndex, newEndIndex } = spanBetween(old, text);
  return Math.max(oldEndIndex, newEndIndex) - startIndex < Math.min(old.length, text.length) / 2;
}

function spanBetween(
  old: string,
  text: string,
): Pick<TreeEdit, 'startIndex' | 'oldEndIndex' | 'newEndIndex'> {
  const least = Math.min(old.length, text.length);
  let startIndex = 0;
  while (startIndex < least && old[startIndex] === text[startIndex]) startIndex++;
  let same = 0;
  while (same < least - startIndex && old.at(-1 - same) === text.at(-1 - same)) same++;
  return { startIndex, oldEndIndex: old.length - same, newEndIndex: text.length - same };
}

function changeBetween(old: string, text: string): TreeEdit {
  const span = spanBetween(old, text);
  return {
    ...span,
    startPosition: pointAt(old, span.startIndex),
    oldEndPosition: pointAt(old, span.oldEndIndex),
    newEndPosition: pointAt(text, span.newEndIndex),
  };
}

/** The row and column of an offset, as tree-sitter counts them: LF alone ends a row. */
function pointAt(text: string, offset: number): Point {
  let [row, start] = [0, 0];
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', start)) {
    row++;
    start = at + 1;
  }
  return { row, column: offset - start };
}
