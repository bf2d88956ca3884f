/** Loads and asks what reads the symbols and the faults of a file: by the end of its name, a grammar, a parser of data, or the headings of Markdown. */

import { EditError } from '../errors.ts';
import { linesOf } from '../text/lines.ts';
import { pathName } from '../wording.ts';
import { loadGrammar, parseTree, type SyntaxNode } from './grammars.ts';
import { DATA_READERS, type DataFault, type DataReader } from './keys.ts';
import { knownEnds, type Language, languageOf, PACKAGES } from './languages.ts';
import { headingsOf } from './markdown.ts';
import { outlineOf } from './outline.ts';
import type { FileSymbol } from './symbol.ts';

/** Characters of the longest text that is parsed: some 12,000 lines. */
const MOST_UNITS = 500_000;

/** The readers that are loaded, by language. */
const readers = new Map<string, DataReader>();

/** Loads what reads the file at a path; answers false where nothing does, or where its package is not installed. */
export async function canRead(path: string): Promise<boolean> {
  const language = languageOf(path);
  if (!language) return false;
  const known =
    loaded.get(language.name) ??
    load(language).then(
      () => true,
      () => false,
    );
  loaded.set(language.name, known);
  return known;
}

const loaded = new Map<string, Promise<boolean>>();

async function load({ name, reader }: Language): Promise<void> {
  if (reader === 'grammar') {
    await loadGrammar(name);
    readers.set(name, {
      symbols: text => outlineOf(treeOf(name, text), text),
      faults: text => treeFaults(treeOf(name, text), text),
    });
  } else if (reader === 'markdown') readers.set(name, { symbols: headingsOf, faults: () => [] });
  else readers.set(name, await DATA_READERS[reader]());
}

/** As canRead. Throws INVALID_INPUT, which says what to install, or which files have symbols. */
export async function loadReader(path: string): Promise<void> {
  if (await canRead(path)) return;
  const language = languageOf(path);
  const needed = language && PACKAGES[language.reader];
  const words = needed
    ? `The symbols of ${pathName(path)} are read by the package ${needed}, which is not installed beside vedit. Nothing was done. Run \`npm install ${needed}\` where vedit is installed, or name the text or the lines instead.`
    : `The symbols of ${pathName(path)} are not known: files that end with ${knownEnds().join(', ')} have some. Nothing was done. Name the text or the lines instead.`;
  throw new EditError('INVALID_INPUT', words, { path, field: 'symbol', ...(needed && { install: needed }) });
}

/** The symbols of a text, whose reader is loaded, in its order. Throws TOO_LARGE, and INVALID_INPUT where data cannot be parsed. */
export function symbolsIn(path: string, text: string): FileSymbol[] {
  return bounded(path, text, reader => {
    if (languageOf(path)!.reader !== 'grammar') checkData(path, text, reader);
    return reader.symbols(text);
  });
}

/** Lists the faults of a text, whose reader is loaded, in its order. Throws TOO_LARGE. */
export function faultsIn(path: string, text: string): DataFault[] {
  return bounded(path, text, reader => reader.faults(text));
}

function bounded<T>(path: string, text: string, read: (reader: DataReader) => T): T {
  if (text.length > MOST_UNITS) throw tooLarge(path, `has ${text.length} characters`);
  try {
    return read(readers.get(languageOf(path)!.name)!);
  } catch (error) {
    // Parsers of data follow what is nested by calls in each other.
    if (error instanceof RangeError) throw tooLarge(path, 'is nested too deep');
    if (error === TOO_LONG) throw tooLarge(path, 'takes too long to parse');
    throw error;
  }
}

function tooLarge(path: string, why: string): EditError {
  const message = `${pathName(path)} ${why}, so its symbols are not known. Nothing was done. Name the text or the lines instead.`;
  return new EditError('TOO_LARGE', message, { path, limit: MOST_UNITS });
}

const TOO_LONG = new Error('parsing takes too long');

function treeOf(name: string, text: string): SyntaxNode {
  const root = parseTree(name, text);
  if (!root) throw TOO_LONG;
  return root;
}

function checkData(path: string, text: string, reader: DataReader): void {
  const [fault] = reader.faults(text);
  if (!fault) return;
  const line = Math.max(1, linesOf(text).lineAt(fault.offset));
  const message = `${pathName(path)} cannot be parsed, so its keys are not known: line ${line}: ${fault.words}. Nothing was done. Name the text or the lines instead.`;
  throw new EditError('INVALID_INPUT', message, { path, field: 'symbol', line });
}

/** The places that a grammar could not read, and what it missed, without those inside another one. */
function treeFaults(root: SyntaxNode, text: string): DataFault[] {
  const found: DataFault[] = [];
  const todo = [root];
  for (let node = todo.pop(); node; node = todo.pop()) {
    if (node.isMissing) found.push({ offset: node.startIndex, words: `\`${node.type}\` is missing` });
    else if (node.isError)
      found.push({
        offset: node.startIndex + text.slice(node.startIndex, node.endIndex).search(/\S|$/),
        words: 'not expected here',
      });
    else if (node.hasError)
      for (const child of node.children.toReversed())
        if (child?.hasError || child?.isMissing || child?.isError) todo.push(child);
  }
  return found;
}
