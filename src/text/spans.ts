/** A span puts a text in place of a part of another: apply spans, check them for overlap, map runs of lines. */

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

/**
 * Where a line of an old text is in a new one, or `null` when it was changed or removed, or there is none. The positions around
 * the lines map too: 0 (before the first line) to 0, and count + 1 (after the last) to the new count + 1.
 */
export type LineMap = (line: number) => number | null;

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

function width(span: Span): number {
  return span.end - span.start;
}
