/** Lines with their numbers, as `cat -n` and the agents' tools print them. */

import type { Lines } from './lines.ts';
import { cutLine } from './words.ts';

export interface NumberedOptions {
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
