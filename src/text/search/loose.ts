/** A text with everything folded away that a reader does not see, for finding the place a caller may have meant. */

import { firstNotBefore } from '../../sorted.ts';
import { foldCharacters } from '../characters.ts';
import type { Lines } from '../lines.ts';
import type { TextRange } from './match.ts';

/** The folded lines of a text one after the other, with nothing between them. */
export interface LooseText {
  text: string;
  /** The number of folded lines: fewer than the text has when the budget ran out. */
  count: number;
  /** Line n (1-based), folded. */
  key(n: number): string;
  /** The line that holds the folded unit at `offset`. */
  lineAt(offset: number): number;
  /** Where folded line n starts in `text`. */
  start(n: number): number;
}

/** The line without white space, in one letter case, with plain quotes, dashes and spaces, in Unicode form NFC. */
export function looseKey(line: string): string {
  const folded = /^[\x00-\x7f]*$/.test(line) ? line.toLowerCase() : foldCharacters(line);
  return folded.replace(/\s+/g, '');
}

/** Folds lines from the top until `maxUnits` units or `maxLines` lines of the text are read. */
export function looseText(lines: Lines, maxUnits: number, maxLines: number): LooseText {
  const keys: string[] = [];
  const starts = [0];
  let at = 0;
  const last = Math.min(lines.count, maxLines);
  for (let n = 1; n <= last && lines.end(n) <= maxUnits; n++) {
    const key = looseKey(lines.content(n));
    keys.push(key);
    at += key.length;
    starts.push(at);
  }
  return {
    text: keys.join(''),
    count: keys.length,
    key: n => keys[n - 1] ?? '',
    lineAt: offset => firstNotBefore(0, starts.length, at => starts[at]! <= offset),
    start: n => starts[n - 1]!,
  };
}

/**
 * The part of the text itself that a part of the folded text stands for, from its first to its last visible unit.
 * Where characters fold together across its ends, the whole lines.
 */
export function originalPlace(lines: Lines, loose: LooseText, place: TextRange): TextRange {
  const exact = visiblePlace(lines, loose, place);
  const folded = looseKey(lines.text.slice(exact.start, exact.end));
  if (folded === loose.text.slice(place.start, place.end)) return exact;
  return {
    start: lines.start(lines.lineAt(exact.start)),
    end: lines.contentEnd(lines.lineAt(exact.end - 1)),
  };
}

function visiblePlace(lines: Lines, loose: LooseText, place: TextRange): TextRange {
  const first = loose.lineAt(place.start);
  const last = loose.lineAt(place.end - 1);
  const lead = prefixLength(lines.content(first), place.start - loose.start(first) + 1) - 1;
  const tail = prefixLength(lines.content(last), place.end - loose.start(last));
  // What belongs to the last character: combining marks, or the second half of a pair.
  const marks = /^[\uDC00-\uDFFF]?\p{M}*/u.exec(lines.content(last).slice(tail, tail + 32))?.[0].length ?? 0;
  return { start: lines.start(first) + lead, end: lines.start(last) + tail + marks };
}

/** The shortest beginning of a line that folds to at least `length` units. */
function prefixLength(line: string, length: number): number {
  return firstNotBefore(0, line.length, at => looseKey(line.slice(0, at)).length < length);
}
