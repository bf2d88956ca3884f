/** A span puts a text in place of a part of another: apply spans, check them for overlap, map lines through them. */

import { firstNotBefore } from '../sorted.ts';
import { type Lines, linesOf } from './lines.ts';

/** `text` in place of the units `start` to `end` (exclusive), offsets in UTF-16 units of the text before. */
export interface Span {
  start: number;
  end: number;
  text: string;
}

/**
 * The spans in the order they are applied: by start; of those with one start, insertions first, in the order given.
 * Throws RangeError when spans overlap or reach out of a text of `length` units.
 */
export function orderedSpans(spans: readonly Span[], length: number): Span[] {
  const ordered = [...spans].sort((a, b) => a.start - b.start || width(a) - width(b));
  let end = 0;
  for (const span of ordered) {
    if (span.start < end) throw new RangeError(`spans overlap at offset ${span.start}`);
    if (span.end < span.start || span.end > length)
      throw new RangeError(`span ${span.start}-${span.end} of ${length}`);
    end = span.end;
  }
  return ordered;
}

/** The text with every span put in; all bytes outside the spans stay. Throws RangeError as orderedSpans. */
export function applySpans(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const span of orderedSpans(spans, text.length)) {
    parts.push(text.slice(at, span.start), span.text);
    at = span.end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** Where a line of the old text is in the new one, or `null` when it was changed or removed, or there is none. */
export type LineMap = (line: number) => number | null;

/**
 * Maps line numbers of `text` through spans. A line keeps its identity when all its characters and its line end are
 * untouched and it is still a whole line. The positions around the lines map too: 0 (before the first line) to 0,
 * and count + 1 (after the last) to the new count + 1.
 */
export function lineMap(text: string, spans: readonly Span[]): LineMap {
  const ordered = orderedSpans(spans, text.length);
  const before = linesOf(text);
  const after = linesOf(applySpans(text, ordered));
  const shifts = cumulativeShifts(ordered);
  return line => {
    if (line === 0) return 0;
    if (line === before.count + 1) return after.count + 1;
    if (!Number.isInteger(line) || line < 0 || line > before.count) return null;
    return mapped(line, before, after, ordered, shifts);
  };
}

/**
 * The run of lines `start` to `end` mapped, or `null` when one of them was changed or they are no longer next to each
 * other.
 */
export function mapRange(map: LineMap, start: number, end: number): { start: number; end: number } | null {
  const first = map(start);
  if (first === null) return null;
  for (let line = start + 1; line <= end; line++) if (map(line) !== first + line - start) return null;
  return { start: first, end: first + end - start };
}

function mapped(line: number, before: Lines, after: Lines, ordered: Span[], shifts: number[]): number | null {
  const start = before.start(line);
  const passed = countUpTo(ordered, start);
  const next = ordered[passed];
  if (next !== undefined && next.start < before.end(line)) return null;
  const moved = start + (shifts[passed] ?? 0);
  const found = after.lineAt(moved);
  const whole = found > 0 && after.start(found) === moved && after.content(found) === before.content(line);
  return whole ? found : null;
}

/** Counts the spans that end at or before the offset. */
function countUpTo(ordered: Span[], offset: number): number {
  return firstNotBefore(0, ordered.length, at => ordered[at]!.end <= offset);
}

/** By how much the text after the first n spans has moved, for n from 0. */
function cumulativeShifts(ordered: Span[]): number[] {
  const shifts = [0];
  for (const span of ordered) shifts.push(shifts.at(-1)! + span.text.length - width(span));
  return shifts;
}

function width(span: Span): number {
  return span.end - span.start;
}
