/** Keeps the commas right between the keys of JSON, whether or not the lines that are put there have them. */

import type { Lines } from '../text/lines.ts';
import type { Span } from '../text/spans.ts';
import type { SymbolLines } from './find.ts';
import { languageOf } from './languages.ts';
import { symbolsIn } from './readers.ts';

export { findSymbol } from './find.ts';
export { loadReader } from './readers.ts';

/** Lines to put at a symbol, and a comma to put or to take elsewhere for that. */
export interface Separated {
  content: string;
  commas: Span[];
}

/** Returns the lines to put in place of a symbol, before or after it, as JSON wants them; those of other files as they are. */
export function separated(
  path: string,
  lines: Lines,
  symbol: SymbolLines,
  content: string,
  place: 'in place' | 'before' | 'after',
): Separated {
  if (languageOf(path)?.reader !== 'json') return { content, commas: [] };
  const tail = lines.text.slice(symbol.end, lines.contentEnd(symbol.end_line));
  const hasNext = tail.trimStart().startsWith(',');
  if (content.trim() === '') return { content, commas: hasNext ? [] : commaBefore(path, lines.text, symbol) };
  if (
    /\/\/|\*\//.test(
      content
        .trimEnd()
        .split('\n')
        .at(-1)!
        .replace(/"(?:[^"\\]|\\.)*"/g, ''),
    )
  )
    return { content, commas: [] };
  const bare = content.trimEnd().replace(/,$/, '');
  if (place === 'in place') return { content: bare + tail, commas: [] };
  if (place === 'before' || hasNext) return { content: `${bare},`, commas: [] };
  return { content: bare, commas: [{ start: symbol.end, end: symbol.end, text: ',' }] };
}

/** The comma of the key before one that goes, and was the last. */
function commaBefore(path: string, text: string, { end, name }: SymbolLines): Span[] {
  const all = symbolsIn(path, text);
  const last = all.find(one => one.end === end && one.path.join('.') === name);
  const depth = last?.path.length;
  const before = all.findLast(one => last && one.path.length === depth && one.end < last.start);
  const comma = before ? text.slice(before.end).search(/\S/) + before.end : -1;
  const isSame = before?.path.slice(0, -1).join('.') === last?.path.slice(0, -1).join('.');
  return isSame && text[comma] === ',' ? [{ start: comma, end: comma + 1, text: '' }] : [];
}
