import type { Lines } from './lines.ts';
import { cutLine } from './words.ts';

/** Lines `start` to `end` (1-based, inclusive) of the new text; `end` = `start` - 1 where lines were only removed. */
export interface LineRange {
  start: number;
  end: number;
}

/** Lines shown before and after a changed region. */
const AROUND = 4;

/**
 * The changed ranges of a text as numbered lines with the lines around them, and which lines are shown, in order and apart
 * from each other. A line `...` stands for lines left out between two ranges, and a last line says how many more changed
 * lines there are when `maxLines` cuts; longer lines than `maxLineLength` units are cut. '' when nothing is left to show.
 */
export function snippet(
  lines: Lines,
  ranges: readonly LineRange[],
  { maxLines, maxLineLength }: { maxLines: number; maxLineLength: number },
): { text: string; shown: LineRange[] } {
  const shown: LineRange[] = [];
  const parts: string[] = [];
  const answer = (more: string): { text: string; shown: LineRange[] } => ({
    text: parts.join('\n...\n') + more,
    shown,
  });
  let left = maxLines;
  for (const { start, end } of widened(ranges, lines.count)) {
    if (left <= 0) return answer(`\n... more changes from line ${start} on`);
    const last = Math.min(end, start + left - 1);
    shown.push({ start, end: last });
    parts.push(numbered(lines, start, last, { maxLineLength }));
    if (last < end) return answer(`\n... more lines of this change, to line ${end}`);
    left -= end - start + 1;
  }
  return answer('');
}

/** The ranges with the lines around them, joined where they touch, within 1..count. */
function widened(ranges: readonly LineRange[], count: number): LineRange[] {
  const wide: LineRange[] = [];
  for (const range of ranges) {
    const start = Math.max(1, range.start - AROUND);
    const end = Math.min(count, range.end + AROUND);
    const previous = wide.at(-1);
    if (previous && start <= previous.end + 1) previous.end = Math.max(previous.end, end);
    else if (start <= end) wide.push({ start, end });
  }
  return wide;
}

interface NumberedOptions {
  /** Lines longer than this many units are cut, with a notice of how many are missing. */
  maxLineLength?: number;
  /** The number of the first line, where the lines are part of a longer text; default 1. */
  firstNumber?: number;
}

const NUMBER_WIDTH = 6;

/**
 * Lines `from` to `to` (1-based, inclusive): each number right-aligned to 6, a tab, the content; joined with LF and no
 * LF at the end. Line numbers out of the text are a RangeError; `to` < `from` gives ''.
 */
export function numbered(lines: Lines, from: number, to: number, options: NumberedOptions = {}): string {
  const { maxLineLength = Number.POSITIVE_INFINITY, firstNumber = 1 } = options;
  const shown: string[] = [];
  for (let n = from; n <= to; n++) {
    const number = String(n + firstNumber - 1).padStart(NUMBER_WIDTH);
    shown.push(`${number}\t${cutLine(lines.content(n), maxLineLength)}`);
  }
  return shown.join('\n');
}
