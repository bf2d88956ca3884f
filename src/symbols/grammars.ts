/**
 * Parses by the grammars of tree-sitter, compiled to WebAssembly: the package is loaded with the first file that is asked
 * about, and each grammar with the first file of its language. The trees of the files that were parsed last stay, so that
 * the next text of one is parsed from where it differs.
 */

import type { Edit, Node, Parser, Point, Tree } from '@vscode/tree-sitter-wasm';
import { lazy } from '../lazy.ts';
import { commonEnds } from '../text/diff/pairs.ts';
import { installed, PACKAGES } from './languages.ts';

/** Throws what `import` throws where the package is not installed. `folder`: where the grammars are. */
const sitter = lazy(async () => {
  const { default: module } = await installed<{ default: typeof import('@vscode/tree-sitter-wasm') }>(
    PACKAGES.grammar,
  );
  let folder = '';
  const locateFile = (name: string, beside: string): string => {
    folder = beside;
    return beside + name;
  };
  await module.Parser.init({ locateFile });
  return { module, folder };
});

/** The parsers of the grammars that are loaded, by their names. */
const parsers = new Map<string, Parser>();

/** Loads the grammar of a language, so that `parseTree` knows it. Throws what `import` throws. */
export async function loadGrammar(name: string): Promise<void> {
  const { module, folder } = await sitter();
  const parser = new module.Parser();
  parser.setLanguage(await module.Language.load(`${folder}tree-sitter-${name}.wasm`));
  parsers.set(name, parser);
}

interface Kept {
  name: string;
  text: string;
  tree: Tree;
}

/** The newest text of each file that was parsed last, the newest first: trees take some twenty times the memory of a text. */
let kept: readonly Kept[] = [];
const MOST_KEPT = 6;

/** No text is parsed for longer: of what is no program at all, a grammar tries every meaning. */
const MOST_MS = 1_000;

/** Parses a text by a grammar that is loaded; `null` where that takes too long. The tree is there until others are parsed. */
export function parseTree(name: string, text: string): Node | null {
  const own = kept.filter(one => one.name === name);
  const near = own.find(one => one.text === text) ?? own.find(one => isNear(one.text, text));
  const tree = near?.text === text ? near.tree : parsed(name, text, near);
  if (!tree) return null;
  const others = kept.filter(one => one !== near);
  for (const one of [...others.slice(MOST_KEPT - 1), near]) if (one && one.tree !== tree) one.tree.delete();
  kept = [{ name, text, tree }, ...others.slice(0, MOST_KEPT - 1)];
  return tree.rootNode;
}

/** A text with faults is parsed as a whole: where a grammar finds them depends on where it began. */
function parsed(name: string, text: string, near: Kept | undefined): Tree | null {
  const from = near?.tree.copy();
  from?.edit(changeBetween(near!.text, text));
  const tree = from ? parseOnce(name, text, from) : null;
  from?.delete();
  if (tree && !tree.rootNode.hasError) return tree;
  tree?.delete();
  return parseOnce(name, text, null);
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
  const { lead, tail } = commonEnds(old, text);
  return lead + tail > Math.max(old.length, text.length) / 2;
}

function changeBetween(old: string, text: string): Edit {
  const { lead: startIndex, tail } = commonEnds(old, text);
  const [oldEndIndex, newEndIndex] = [old.length - tail, text.length - tail];
  return {
    ...{ startIndex, oldEndIndex, newEndIndex, startPosition: pointAt(old, startIndex) },
    ...{ oldEndPosition: pointAt(old, oldEndIndex), newEndPosition: pointAt(text, newEndIndex) },
  };
}

/** The row and column of an offset, as tree-sitter counts them: LF alone ends a row. */
function pointAt(text: string, offset: number): Point {
  const above = text.slice(0, offset);
  return { row: above.split('\n').length - 1, column: offset - above.lastIndexOf('\n') - 1 };
}
