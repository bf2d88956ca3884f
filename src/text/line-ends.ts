/** Text put in takes the line end of the place it goes to, and leaves the lines it repeats alone. */

import { commonEnds } from './common-ends.ts';
import { type Lines, lineEndsFor } from './lines.ts';
import type { Span } from './spans.ts';

/**
 * The smallest span of whole pieces that puts `put` in place of the units `start` to `end` (exclusive) of a file, or
 * `null` when that changes nothing.
 *
 * Lines at the beginning and the end of `put` that the replaced text already has keep the file's own bytes. Every
 * other line end of `put` becomes the one of its place: of the replaced line at the same position, past those of the
 * last replaced line; where no line is replaced, of the neighbouring line (the one before, else the one after); in a
 * file without line ends, as given.
 */
export function fittedSpan(lines: Lines, start: number, end: number, put: string): Span | null {
  const pattern = lineEndsFor(lines, put);
  const old = pieces(lines.text.slice(start, end), pattern);
  const fresh = pieces(put, pattern);
  const { lead, tail } = commonEnds(old, fresh, samePiece);
  const from = start + unitsOf(old.slice(0, lead));
  const to = end - unitsOf(old.slice(old.length - tail));
  const ends = endsOfPlace(lines, from, to);
  const text = joined(fresh.slice(lead, fresh.length - tail), ends);
  return text === lines.text.slice(from, to) ? null : { start: from, end: to, text };
}

/** A line, or the part of one that a text begins or ends with; `end` is '' where the text stops inside a line. */
interface Piece {
  content: string;
  end: string;
}

function pieces(text: string, pattern: RegExp): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    found.push({ content: text.slice(at, match.index), end: match[0] });
    at = match.index + match[0].length;
  }
  if (at < text.length) found.push({ content: text.slice(at), end: '' });
  return found;
}

function samePiece(a: Piece, b: Piece): boolean {
  return a.content === b.content && (a.end === '') === (b.end === '');
}

function unitsOf(list: Piece[]): number {
  return list.reduce((sum, piece) => sum + piece.content.length + piece.end.length, 0);
}

/** The line ends that a text between two offsets takes, one for each replaced line; empty in a file without any. */
function endsOfPlace(lines: Lines, start: number, end: number): string[] {
  if (lines.count === 0) return [];
  const first = lines.lineAt(start === end ? Math.max(0, start - 1) : start);
  const last = start === end ? first : lines.lineAt(end - 1);
  const ends: string[] = [];
  for (let n = first; n <= last; n++) if (lines.ending(n) !== '') ends.push(lines.ending(n));
  if (ends.length === 0 && first > 1) ends.push(lines.ending(first - 1));
  return ends;
}

function joined(list: Piece[], ends: string[]): string {
  let text = '';
  for (const [i, { content, end }] of list.entries())
    text += content + (end === '' ? '' : (ends[Math.min(i, ends.length - 1)] ?? end));
  return text;
}
