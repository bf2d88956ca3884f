/** Whole lines put in place of whole lines, with the right shape at the end of the file. */

import { fittedSpan } from './line-ends.ts';
import { type Lines, lineBreakFor, lineEndsFor } from './lines.ts';
import type { Span } from './spans.ts';

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
