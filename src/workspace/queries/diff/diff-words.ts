/** A diff as a model reads it: whole, or of a long one the list of its files and its beginning. */

import type { FileStat } from './file-stats.ts';
import { statWords } from './stat-words.ts';

/** In UTF-16 characters: what agents' own shells show of a long output. */
export const MAX_DIFF = 30_000;

/** `rest` says where the rest of it is to be found. */
export function diffWords(diff: string, stats: readonly FileStat[], rest: string): string {
  if (diff.length <= MAX_DIFF) return diff;
  const shown = beginning(diff);
  const [lines, all] = [shown, diff].map(text => text.split('\n').length - 1);
  return [
    ...statWords(stats),
    '',
    `${shown}[cut: ${lines} of ${all} lines of this diff are shown; ${rest}]`,
  ].join('\n');
}

/** Whole lines; of a first line that is too long, nothing. */
function beginning(diff: string): string {
  return diff.slice(0, diff.lastIndexOf('\n', MAX_DIFF - 1) + 1);
}
