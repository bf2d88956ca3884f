/** Loads and asks what reads the symbols and the faults of a file: by the end of its name, a grammar, a parser of data, or the headings of Markdown. */

import type { Node as SyntaxNode } from '@vscode/tree-sitter-wasm';
import { EditError } from '../errors.ts';
import { linesOf } from '../text/lines.ts';
import { pathName } from '../wording.ts';
import { loadGrammar, parseTree } from './grammars.ts';
import { DATA_READERS, type DataFault, type DataReader } from './keys.ts';
import { ENDINGS, type Language, languageOf, PACKAGES } from './languages.ts';
import { headingsOf } from './markdown.ts';
import { outlineOf } from './outline.ts';
import type { FileSymbol } from './symbol.ts';

/** Characters of the longest text that is parsed: some 12,000 lines. */
const MOST_UNITS = 500_000;

/** The readers that are loaded, by language; `null`: what it needs is not installed. */
const readers = new Map<string, DataReader | null>();

/** Loads what reads the file at a path; answers false where nothing does, or where its package is not installed. */
export async function canRead(path: string): Promise<boolean> {
  const language = languageOf(path);
  if (!language) return false;
  const { name } = language;
  if (!readers.has(name)) readers.set(name, await load(language).catch(() => null));
  return readers.get(name) !== null;
}

async function load({ name, reader }: Language): Promise<DataReader> {
  if (reader === 'markdown') return { symbols: headingsOf, faults: () => [] };
  if (reader !== 'grammar') return DATA_READERS[reader]();
  await loadGrammar(name);
  return {
    symbols: text => outlineOf(treeOf(name, text), text),
    faults: text => treeFaults(treeOf(name, text)),
  };
}

/** As canRead. Throws INVALID_INPUT, which says what to install, or which files have symbols. */
export async function loadReader(path: string): Promise<void> {
  if (await canRead(path)) return;
  const language = languageOf(path);
  const install = language && PACKAGES[language.reader];
  const why = install
    ? `are read by the package ${install}, which is not installed beside vedit. Run \`npm install ${install}\` where vedit is installed`
    : `are not known: files that end with ${ENDINGS.join(', ')} have some`;
  throw refused(path, 'INVALID_INPUT', `The symbols of ${pathName(path)} ${why}.`, {
    ...(install && { install }),
  });
}

/** The symbols of a text, whose reader is loaded, in its order. Throws TOO_LARGE, and INVALID_INPUT where data cannot be parsed. */
export function symbolsIn(path: string, text: string): FileSymbol[] {
  return bounded(path, text, reader => {
    const [fault] = languageOf(path)!.reader === 'grammar' ? [] : reader.faults(text);
    if (!fault) return reader.symbols(text);
    const line = Math.max(1, linesOf(text).lineAt(fault.offset));
    const words = `${pathName(path)} cannot be parsed, so its keys are not known: line ${line}: ${fault.words}.`;
    throw refused(path, 'INVALID_INPUT', words, { line });
  });
}

/** Lists the faults of a text, whose reader is loaded, in its order. Throws TOO_LARGE. */
export function faultsIn(path: string, text: string): DataFault[] {
  return bounded(path, text, reader => reader.faults(text));
}

const TOO_LONG = new Error('parsing takes too long');

function bounded<T>(path: string, text: string, read: (reader: DataReader) => T): T {
  const tooLarge = (why: string): EditError =>
    refused(path, 'TOO_LARGE', `${pathName(path)} ${why}, so its symbols are not known.`, {
      limit: MOST_UNITS,
    });
  if (text.length > MOST_UNITS) throw tooLarge(`has ${text.length} characters`);
  try {
    return read(readers.get(languageOf(path)!.name)!);
  } catch (error) {
    // Parsers of data follow what is nested by calls in each other.
    if (error instanceof RangeError) throw tooLarge('is nested too deep');
    throw error === TOO_LONG ? tooLarge('takes too long to parse') : error;
  }
}

function refused(path: string, code: 'INVALID_INPUT' | 'TOO_LARGE', words: string, data: object): EditError {
  const message = `${words} Nothing was done. Name the text or the lines instead.`;
  return new EditError(code, message, { path, field: 'symbol', ...data });
}

function treeOf(name: string, text: string): SyntaxNode {
  const root = parseTree(name, text);
  if (!root) throw TOO_LONG;
  return root;
}

/** The places that a grammar could not read, and what it missed, without those inside another one. */
function treeFaults(root: SyntaxNode): DataFault[] {
  const found: DataFault[] = [];
  const todo = [root];
  for (let node = todo.pop(); node; node = todo.pop()) {
    const { type, startIndex, isMissing, isError } = node;
    if (isMissing) found.push({ offset: startIndex, words: `\`${type}\` is missing` });
    else if (isError)
      found.push({ offset: startIndex + node.text.search(/\S|$/), words: 'not expected here' });
    else if (node.hasError) todo.push(...node.children.toReversed().filter(child => child !== null));
  }
  return found;
}
