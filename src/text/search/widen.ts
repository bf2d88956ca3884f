/** Grows a place that was found without looking at white space to the white space that the old text has around it. */

import type { Lines } from '../lines.ts';
import type { Place } from './match.ts';

/**
 * The place with the indentation before it, when the old text begins with a blank or `indented` is set; with the blanks
 * after it, when the old text has some; and with as many line ends around it as the old text has, if they are there.
 */
export function widened(lines: Lines, place: Place, old: string, indented = false): Place {
  const lead = old.slice(0, old.length - old.trimStart().length);
  const tail = old.slice(old.trimEnd().length);
  return {
    start: lead !== '' || indented ? widerStart(lines, place.start, countBreaks(lead)) : place.start,
    end: tail !== '' ? widerEnd(lines, place.end, countBreaks(tail)) : place.end,
  };
}

function widerStart(lines: Lines, start: number, breaks: number): number {
  const line = lines.lineAt(start);
  if (lines.text.slice(lines.start(line), start).trim() !== '') return start;
  let at = line;
  for (let left = breaks; left > 0 && at > 1; left--) {
    if (left === 1 || !isBlank(lines, at - 1)) return lines.contentEnd(at - 1);
    at--;
  }
  return lines.start(at);
}

function widerEnd(lines: Lines, end: number, breaks: number): number {
  const line = lines.lineAt(end - 1);
  if (lines.text.slice(end, lines.contentEnd(line)).trim() !== '') return end;
  if (breaks === 0) return lines.contentEnd(line);
  let at = line;
  for (let left = breaks - 1; left > 0 && at < lines.count && isBlank(lines, at + 1); left--) at++;
  return lines.end(at);
}

function isBlank(lines: Lines, line: number): boolean {
  return lines.content(line).trim() === '';
}

function countBreaks(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
