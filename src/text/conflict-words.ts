/** Places that a merge could not join, in words: what is there now and what is wanted there, so that it can be put there by hand. */

import type { ConflictRegion } from '../errors.ts';
import { type Lines, linesOf } from './lines.ts';
import { numbered } from './snippet.ts';
import { counted, cutLine, fenced, lineWords } from './words.ts';

/** The most places of a file that are shown, the most lines of each, and the most characters of a line. */
const SHOWN = 5;
const LINES = 20;
const LONG_LINE = 240;

export function regionWords(path: string, regions: readonly ConflictRegion[]): string[] {
  const words = regions.slice(0, SHOWN).flatMap(region => [presentWords(path, region), wantedWords(region)]);
  const more = regions.length - SHOWN;
  return more > 0 ? [...words, `[and ${counted(more, 'more place')} in ${path}]`] : words;
}

function presentWords(path: string, { start_line: start, end_line: end, present }: ConflictRegion): string {
  if (end < start) return `${path}, before line ${start}: the lines are gone.`;
  const lines = linesOf(present);
  const options = { maxLineLength: LONG_LINE, firstNumber: start };
  const shown = numbered(lines, 1, Math.min(lines.count, LINES), options);
  return [`${path}, ${lineWords(start, end)} now:`, shown, ...moreWords(lines)].join('\n');
}

function wantedWords({ wanted }: ConflictRegion): string {
  if (wanted === '') return 'Wanted there: nothing.';
  const lines = linesOf(wanted);
  const count = Math.min(lines.count, LINES);
  const shown = Array.from({ length: count }, (_, index) => cutLine(lines.content(index + 1), LONG_LINE));
  return ['Wanted there:', fenced(shown.join('\n')), ...moreWords(lines)].join('\n');
}

function moreWords(lines: Lines): string[] {
  return lines.count > LINES ? [`[${counted(lines.count - LINES, 'more line')}]`] : [];
}
