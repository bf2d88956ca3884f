/** A hunk as text for an editor, and the lines that a person made of it there; the form is that of `git add -p`. */

import type { PickedHunk } from './picker.ts';

const GUIDE = `# ---
# To remove '-' lines, make them ' ' lines (context).
# To remove '+' lines, delete them.
# Lines starting with # will be removed.
# The file then holds the ' ' and '+' lines. If there is nothing left, the hunk stays as it is.
`;

export function hunkToEdit({ path, before, after, context }: PickedHunk): string {
  const marked = (mark: string, lines: readonly string[]): string[] => lines.map(line => mark + line);
  const lines = [
    '# Manual hunk edit mode -- see bottom for a quick guide.',
    `# ${path}`,
    `@@ -${before.line},${before.lines.length} +${after.line},${after.lines.length} @@`,
    ...marked(' ', context.above),
    ...marked('-', before.lines),
    ...marked('+', after.lines),
    ...marked(' ', context.below),
  ];
  return `${lines.join('\n')}\n${GUIDE}`;
}

/** The lines that the place shall hold, context too; `empty`: nothing was left; `no fit`: the old lines are others. */
export type EditedLines = { lines: string[] } | 'empty' | 'no fit';

/** Reads what the editor left. An empty line counts as context, since editors strip blanks. */
export function editedLines({ before, context }: PickedHunk, text: string): EditedLines {
  const rows = text
    .split(/\r?\n/)
    .slice(0, text.endsWith('\n') ? -1 : undefined)
    .filter(row => !/^(#|@@|\\)/.test(row));
  if (rows.every(row => row.trim() === '')) return 'empty';
  if (rows.some(row => row !== '' && !' +-'.includes(row[0]!))) return 'no fit';
  const sideOf = (mark: string): string[] =>
    rows.filter(row => row === '' || row[0] === ' ' || row[0] === mark).map(row => row.slice(1));
  const old = [...context.above, ...before.lines, ...context.below];
  const isSame = sideOf('-').length === old.length && sideOf('-').every((line, at) => line === old[at]);
  return isSame ? { lines: sideOf('+') } : 'no fit';
}

/** The lines of a place that differ between two texts of it, 0-based: `start` to `end` become `lines`. */
export interface Replaced {
  start: number;
  end: number;
  lines: string[];
}

/** Returns the smallest replacement that makes the new lines of the old ones; `null` where they are the same. */
export function replacementOf(old: readonly string[], now: readonly string[]): Replaced | null {
  const least = Math.min(old.length, now.length);
  let start = 0;
  while (start < least && old[start] === now[start]) start++;
  let tail = 0;
  while (tail < least - start && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const lines = now.slice(start, now.length - tail);
  return start === old.length - tail && lines.length === 0 ? null : { start, end: old.length - tail, lines };
}
