/** Lines with their numbers, as `cat -n` and the agents' tools print them. */

import type { Lines } from './lines.ts';
import { wellFormed } from './words.ts';

export interface NumberedOptions {
  /** Lines longer than this many units are cut, with a notice of how many are missing. */
  maxLineLength?: number;
}

const NUMBER_WIDTH = 6;

/**
 * Lines `from` to `to` (1-based, inclusive): each number right-aligned to 6, a tab, the content; joined with LF and no
 * LF at the end. Line numbers out of the text are a RangeError; `to` < `from` gives ''.
 */
export function numbered(lines: Lines, from: number, to: number, options: NumberedOptions = {}): string {
  const shown: string[] = [];
  for (let n = from; n <= to; n++) {
    shown.push(`${String(n).padStart(NUMBER_WIDTH)}\t${cut(lines.content(n), options.maxLineLength)}`);
  }
  return shown.join('\n');
}

function cut(content: string, limit = Number.POSITIVE_INFINITY): string {
  if (content.length <= limit) return content;
  return `${wellFormed(content.slice(0, limit))}… [${content.length - limit} more characters]`;
}
