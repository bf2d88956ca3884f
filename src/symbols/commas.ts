/** Keeps the commas right between the keys of JSON, whether or not the lines that are put there have them. */

import type { Lines } from '../text/lines.ts';
import type { Span } from '../text/spans.ts';
import type { SymbolLines } from './find.ts';
import { languageOf } from './languages.ts';
import { symbolsIn } from './readers.ts';
import { type FileSymbol, symbolName } from './symbol.ts';

export { findSymbol } from './find.ts';
export { loadReader } from './readers.ts';

/**
 * Returns the lines to put in place of a symbol, before or after it, as JSON wants them, and the commas to put or to take
 * elsewhere for that; those of other files as they are.
 */
export function separated(
  path: string,
  lines: Lines,
  { name, end, end_line }: SymbolLines,
  content: string,
  place: 'in place' | 'before' | 'after',
): { content: string; commas: Span[] } {
  const { text } = lines;
  const last = content
    .trimEnd()
    .split('\n')
    .at(-1)!
    .replace(/"(?:[^"\\]|\\.)*"/g, '');
  if (languageOf(path)?.reader !== 'json' || /\/\/|\*\//.test(last)) return { content, commas: [] };
  const tail = text.slice(end, lines.contentEnd(end_line));
  const hasNext = tail.trimStart().startsWith(',');
  const bare = content.trimEnd().replace(/,$/, '');
  if (bare === '')
    return { content: '', commas: hasNext ? [] : commaBefore(symbolsIn(path, text), text, { name, end }) };
  if (place === 'in place') return { content: bare + tail, commas: [] };
  if (place === 'before' || hasNext) return { content: `${bare},`, commas: [] };
  return { content: bare, commas: [{ start: end, end, text: ',' }] };
}

/** The comma of the key before one that goes, and was the last. */
function commaBefore(all: readonly FileSymbol[], text: string, gone: { name: string; end: number }): Span[] {
  const last = all.find(one => one.end === gone.end && symbolName(one) === gone.name)!;
  const above = last.path.slice(0, -1).join('.');
  const before = all.findLast(one => one.end < last.start && one.path.slice(0, -1).join('.') === above);
  const comma = before ? before.end + text.slice(before.end).search(/\S/) : -1;
  return text[comma] === ',' ? [{ start: comma, end: comma + 1, text: '' }] : [];
}
