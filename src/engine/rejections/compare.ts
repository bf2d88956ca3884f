/** Two states of a file, as git records it, and two texts compared by lines. Pure. */

import type { StoredFile } from '../../stores/store.ts';
import { type LineChange, lineDiff, splitLines } from '../../text/diff/line-diff.ts';
import { readableText } from '../../text/document.ts';
import { lineBreakOf } from '../../text/lines.ts';

/** One side of a comparison. */
export interface Side {
  file: StoredFile | null;
  /** With its byte order mark; '' where there is no file, `null` for a file that is no text. */
  text: string | null;
}

export function side(file: StoredFile | null): Side {
  return { file, text: readableText('', file)?.marked ?? null };
}

/** True where two sides are the same. Of texts the text tells, so that one that is in no object yet can be compared. */
export function same(a: Side, b: Side): boolean {
  if (!a.file || !b.file) return a.file === b.file;
  if (a.file.mode !== b.file.mode) return false;
  return a.text === null || b.text === null ? a.file.version === b.file.version : a.text === b.text;
}

/** Two texts with what became of the lines of the first. */
export interface Compared {
  old: string[];
  now: string[];
  changes: LineChange[];
}

export function compare(old: string, now: string): Compared {
  const lineBreak = lineBreakOf(now === '' ? old : now);
  const [a, b] = [splitLines(old, lineBreak), splitLines(now, lineBreak)];
  return { old: a, now: b, changes: lineDiff(old, now, lineBreak) };
}
