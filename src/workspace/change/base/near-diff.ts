/** Returns what lies near the lines that an edit names, of the diff of a stale file. */

import { cutLine } from '../../../text/words.ts';

/** Lines `start` to `end` of the old text, 1-based and inclusive. */
interface Named {
  start: number;
  end: number;
}

/** The most lines that are shown, the most characters of each, and the most lines from the named ones. */
const SHOWN = 20;
const LONG_LINE = 300;
const NEAR = 3;

/** One line of a hunk, with the line of the old text that it is, or stands before. */
interface DiffLine {
  text: string;
  old: number;
}

interface DiffHunk {
  header: string;
  lines: DiffLine[];
}

/**
 * The hunks of a unified diff near the named lines, without the names of the files, and of a long hunk its part there;
 * '' where nothing changed near them. Without named lines, the beginning.
 */
export function nearDiff(diff: string, named: readonly Named[] | undefined): string {
  const shown: string[] = [];
  for (const { header, lines } of hunksOf(diff)) {
    const near = named ? lines.filter(line => isNear(line, named)) : lines;
    if (!near.some(({ text }) => /^[-+]/.test(text))) continue;
    const some = near.slice(0, Math.max(0, SHOWN - shown.length));
    if (some.length === 0) break;
    if (some[0] !== lines[0]) shown.push(`@@ from line ${some[0]!.old} @@`);
    else shown.push(header);
    shown.push(...some.map(({ text }) => cutLine(text, LONG_LINE)));
    if (some.length < near.length) shown.push('...');
  }
  return shown.join('\n');
}

function isNear({ old }: DiffLine, named: readonly Named[]): boolean {
  return named.some(({ start, end }) => old >= start - NEAR && old <= end + NEAR);
}

function hunksOf(diff: string): DiffHunk[] {
  const hunks: DiffHunk[] = [];
  let old = 0;
  for (const text of diff.replace(/\n$/, '').split('\n')) {
    const header = /^@@ -(\d+)(,0)?/.exec(text);
    if (header) {
      old = Number(header[1]) + (header[2] ? 1 : 0);
      hunks.push({ header: text, lines: [] });
      continue;
    }
    const hunk = hunks.at(-1);
    if (hunk === undefined || !/^[-+ \\]/.test(text)) continue;
    hunk.lines.push({ text, old });
    if (/^[- ]/.test(text)) old++;
  }
  return hunks;
}
