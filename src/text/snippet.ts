/** The changed region of a new text, numbered, with some lines around it. */

import { lineDiff } from './line-diff.ts';
import { lineBreakOf, linesOf } from './lines.ts';
import { numbered } from './numbered.ts';

/** Lines `start` to `end` (1-based, inclusive) of the new text; `end` = `start` - 1 where lines were only removed. */
export interface LineRange {
  start: number;
  end: number;
}

export interface SnippetOptions {
  /** Lines shown before and after a changed region; default 4. */
  around?: number;
  /** At most this many lines are shown; default 60. */
  maxLines?: number;
  /** Longer lines are cut; default 500 units. */
  maxLineLength?: number;
}

/** What changed, as line ranges of the new text, in order. */
export function changedRanges(oldText: string, newText: string): LineRange[] {
  const { changes } = lineDiff(oldText, newText, lineBreakOf(newText));
  return changes.map(change => ({ start: change.newStart + 1, end: change.newEnd }));
}

/**
 * The changed ranges of `newText` as numbered lines with the lines around them; a line `...` stands for lines left out
 * between two ranges, and a last line says how many more changed lines there are when the limit cuts. '' when nothing
 * is left to show.
 */
export function snippet(newText: string, ranges: readonly LineRange[], options: SnippetOptions = {}): string {
  const { around = 4, maxLines = 60, maxLineLength = 500 } = options;
  const lines = linesOf(newText);
  const shown: string[] = [];
  let left = maxLines;
  for (const { start, end } of widened(ranges, around, lines.count)) {
    if (left <= 0) return [...shown, `... more changes from line ${start} on`].join('\n');
    const last = Math.min(end, start + left - 1);
    if (shown.length > 0) shown.push('...');
    shown.push(numbered(lines, start, last, { maxLineLength }));
    left -= last - start + 1;
    if (last < end) return [...shown, `... more lines of this change, to line ${end}`].join('\n');
  }
  return shown.join('\n');
}

/** The ranges with the lines around them, joined where they touch, within 1..count. */
function widened(ranges: readonly LineRange[], around: number, count: number): LineRange[] {
  const wide: LineRange[] = [];
  for (const range of ranges) {
    const start = Math.max(1, range.start - around);
    const end = Math.min(count, range.end + around);
    const previous = wide.at(-1);
    if (previous && start <= previous.end + 1) previous.end = Math.max(previous.end, end);
    else if (start <= end) wide.push({ start, end });
  }
  return wide;
}
