/** Finds the symbol that a name means: exactly one, or a refusal that says which names would do. */

import { EditError } from '../errors.ts';
import { closestName } from '../near-names.ts';
import { type Lines, linesOf } from '../text/lines.ts';
import { lineWords, listedSome, quoted } from '../text/words.ts';
import { fieldName, ifTool, pathName } from '../wording.ts';
import { languageOf } from './languages.ts';
import { slugOf } from './markdown.ts';
import { symbolsIn } from './readers.ts';
import { type FileSymbol, symbolName } from './symbol.ts';

/** A symbol by its lines, 1-based and inclusive. */
export interface SymbolLines {
  name: string;
  kind: string;
  start_line: number;
  end_line: number;
  /** The first line of the doc comment, decorators and attributes right above it; `start_line` where there are none. */
  doc_line: number;
  /** Where it ends in the text, before a comma or a comment on its last line. */
  end: number;
}

/** The symbols of a text, whose reader is loaded, in its order. Throws as symbolsIn. */
export function outline(path: string, text: string): SymbolLines[] {
  const lines = linesOf(text);
  return symbolsIn(path, text).map(one => linesOfSymbol(lines, one));
}

/**
 * The lines of the symbol that a name means in a text, whose reader is loaded. Throws NO_MATCH, AMBIGUOUS, as symbolsIn,
 * and INVALID_INPUT where other text stands on its lines, or where its end is not sure.
 */
export function findSymbol(path: string, text: string, given: string): SymbolLines {
  const all = symbolsIn(path, text);
  const lines = linesOf(text);
  const found = named(path, all, given);
  const [symbol, ...more] = found;
  if (!symbol) throw noSuch({ path, lines, all }, given);
  if (more.length > 0) throw ambiguous({ path, lines, all }, given, found);
  const place = linesOfSymbol(lines, symbol);
  if (symbol.isBroken) throw unsure(path, place, 'cannot be parsed, so where it ends is not sure');
  if (!ownsItsLines(lines, symbol, place)) throw unsure(path, place, 'shares its lines with other text');
  return place;
}

function linesOfSymbol(lines: Lines, symbol: FileSymbol): SymbolLines {
  const { kind, start, end, docStart } = symbol;
  const line = (offset: number): number => Math.max(1, lines.lineAt(offset));
  return {
    ...{ name: symbolName(symbol), kind },
    ...{ start_line: line(start), end_line: line(Math.max(start, end - 1)), doc_line: line(docStart), end },
  };
}

/** The symbols that a name may mean: those with that full name, or else those whose name ends so; `name#2` is one of several. */
function named(path: string, all: readonly FileSymbol[], given: string): FileSymbol[] {
  for (const name of spellings(path, given.trim())) {
    const full = all.filter(one => symbolName(one) === name);
    const found = full.length > 0 ? full : all.filter(one => endsSo(one, name));
    if (found.length > 0) return found;
  }
  const [, several, number] = /^(.+)#(\d+)$/s.exec(given) ?? [];
  return several === undefined ? [] : named(path, all, several).slice(Number(number) - 1, Number(number));
}

function endsSo({ path }: FileSymbol, name: string): boolean {
  return path.some((_, n) => path.slice(n).join('.') === name);
}

/** A name as it was given, and as it would be written here: `A::m`, `A#m` and `A.m()` are `A.m`, `a[0]` is `a.0`. */
function spellings(path: string, name: string): string[] {
  if (languageOf(path)?.reader === 'markdown') return [name, name.replace(/^#+\s*/, '')];
  const plain = name.replace(/\(\)$/, '').replace(/\[(\d+)\]/g, '.$1');
  return [name, plain.replace(/::|(?<=\w)#(?!\d+$)/g, '.')];
}

/** True where only decorators stand before it on its lines, and only a comma or a semicolon and a comment behind it. */
function ownsItsLines(lines: Lines, { start, end }: FileSymbol, place: SymbolLines): boolean {
  const before = lines.text.slice(lines.start(place.start_line), start);
  const isLead = /^\s*(?:(?:@[\w.]+(?:\([^()]*\))?|#?\[[^\]]*\])\s*)*$/.test(before);
  const after = lines.text.slice(end, lines.contentEnd(place.end_line));
  return isLead && /^\s*[;,]?\s*(?:(?:\/\/|#|--).*|\/\*(?:(?!\*\/).)*\*\/\s*)?$/s.test(after);
}

function unsure(path: string, { name, start_line, end_line }: SymbolLines, why: string): EditError {
  const where = lineWords(start_line, end_line);
  const message = `${quoted(name)} (${where} of ${pathName(path)}) ${why}. Nothing was done. Name its text or its lines instead${ifTool('str_replace', tool => `, as with ${tool}`)}.`;
  return new EditError('INVALID_INPUT', message, { path, field: 'symbol', start_line, end_line });
}

interface Known {
  path: string;
  lines: Lines;
  all: readonly FileSymbol[];
}

/** The most symbols that a refusal names. */
const TOLD = 12;

function ambiguous({ path, lines, all }: Known, given: string, found: readonly FileSymbol[]): EditError {
  const places = found.map((symbol, n) => {
    const full = symbolName(symbol);
    const isOne = all.filter(one => symbolName(one) === full).length === 1;
    return { ...linesOfSymbol(lines, symbol), symbol: isOne ? full : `${given.trim()}#${n + 1}` };
  });
  const words = places.map(
    one => `${quoted(one.symbol)} (${one.kind}, ${lineWords(one.start_line, one.end_line)})`,
  );
  const message = `${quoted(given)} names ${found.length} symbols of ${pathName(path)}. Nothing was done. Send one of these as ${fieldName('symbol')}: ${listedSome(words, TOLD)}.`;
  const symbols = places
    .slice(0, TOLD)
    .map(({ symbol, start_line, end_line }) => ({ symbol, start_line, end_line }));
  return new EditError('AMBIGUOUS', message, {
    ...{ path, count: found.length, lines: places.map(one => one.start_line), occurrences: [], symbols },
  });
}

function noSuch({ path, lines, all }: Known, given: string): EditError {
  const names = all.map(symbolName);
  const last = (name: string): string => slugOf(name.split('.').at(-1)!);
  const near = names.find(name => last(name) === last(given)) ?? closestName(given, names);
  const told = near ? `Did you mean ${quoted(near)}?` : `Its symbols: ${listedSome(names, TOLD) || 'none'}.`;
  const message = `${pathName(path)} has no symbol ${quoted(given)}. Nothing was done. ${told}${ifTool('view', tool => ` ${tool} with ${fieldName('outline')} true shows them with their lines.`)}`;
  const data = { path, nearest: null, already_there: null, searched_lines: lines.count };
  return new EditError('NO_MATCH', message, { ...data, symbols: names.slice(0, TOLD) });
}
