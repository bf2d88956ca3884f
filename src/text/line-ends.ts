/** Text put in takes the line end of the place it goes to, and leaves the lines it repeats alone. */

import { commonEnds } from './diff/pairs.ts';
import { type Lines, lineBreakFor, lineEndsFor } from './lines.ts';
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

/**
 * The span that puts the lines of `content` in place of lines `from` to `to` (1-based, inclusive), or `null` when that
 * changes nothing. `to` = `from` - 1 inserts before line `from`, which may be count + 1. An empty content deletes.
 *
 * Content without a final line end gets one. Where it becomes the end of a file whose last line is not ended, it loses
 * its own instead, so the file stays as it was in this; only a blank last line, which cannot be unended, keeps it.
 */
export function wholeLineSpan(lines: Lines, from: number, to: number, content: string): Span | null {
  const start = lines.offset(from);
  const end = to >= from ? lines.end(to) : start;
  return fittedSpan(lines, start, end, content === '' ? '' : shaped(lines, from, to, content));
}

/** True when the file has a last line and no line end after it. */
export function lastLineIsOpen(lines: Lines): boolean {
  return lines.count > 0 && lines.ending(lines.count) === '';
}

/** Content that goes into the file, with a final line end: its own, else one of the kind it has, else LF. */
export function endedContent(lines: Lines, content: string): string {
  return isEnded(lines, content) ? content : content + givenLineEnd(lines, content);
}

function shaped(lines: Lines, from: number, to: number, content: string): string {
  if (to < lines.count || !lastLineIsOpen(lines)) return endedContent(lines, content);
  const body = withoutLastLineEnd(lines, content);
  return from > lines.count ? givenLineEnd(lines, content) + body : body;
}

function withoutLastLineEnd(lines: Lines, content: string): string {
  if (!isEnded(lines, content)) return content;
  const body = content.slice(0, content.endsWith('\r\n') ? -2 : -1);
  return body === '' || isEnded(lines, body) ? content : body;
}

function isEnded(lines: Lines, content: string): boolean {
  return content.endsWith('\n') || content.endsWith(lineBreakFor(lines, content));
}

function givenLineEnd(lines: Lines, content: string): string {
  return content.match(lineEndsFor(lines, content))?.[0] ?? '\n';
}
