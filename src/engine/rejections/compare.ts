/**
 * The accepted text of a file against the present one, by lines. What is not accepted yet are hunks of the difference, by
 * content: however often a place was edited, it is one hunk. Pure.
 */

import { type LineChange, lineDiff, splitLines } from '../../text/diff/line-diff.ts';
import { lineBreakOf } from '../../text/lines.ts';

/** Lines of a text, 1-based and inclusive; `end_line` below `start_line` is the gap before `start_line`. */
export interface HunkLines {
  start_line: number;
  end_line: number;
}

/** Two texts with what became of the lines of the first. */
export interface Compared {
  old: string[];
  now: string[];
  changes: LineChange[];
  lineBreak: '\n' | '\r';
}

export function compare(old: string, now: string): Compared {
  const lineBreak = lineBreakOf(now === '' ? old : now);
  const [a, b] = [splitLines(old, lineBreak), splitLines(now, lineBreak)];
  return { old: a, now: b, changes: lineDiff(old, now, lineBreak).changes, lineBreak };
}

export function plainLines(text: string): string[] {
  return plain(splitLines(text, lineBreakOf(text)));
}

export function plain(lines: readonly string[]): string[] {
  return lines.map(line => line.replace(/\r?\n$|\r$/, '').replace(/^\ufeff/, ''));
}

export function withChanges(
  { old, now, changes, lineBreak }: Compared,
  taken: readonly LineChange[],
): string {
  const runs: string[][] = [];
  let at = 0;
  for (const change of changes) {
    if (!taken.includes(change)) continue;
    runs.push(old.slice(at, change.oldStart), now.slice(change.newStart, change.newEnd));
    at = change.oldEnd;
  }
  return joined([...runs, old.slice(at)].flat(), lineBreak);
}

/** Joins lines. One that ended a text without a line end gets one where others follow it. */
function joined(lines: readonly string[], lineBreak: string): string {
  const last = lines.length - 1;
  return lines.map((line, at) => (at < last && !line.endsWith(lineBreak) ? line + lineBreak : line)).join('');
}

/** Returns the line of the old text that a line of the new one is, 0-based; `null` for one that was put in. */
export function oldLine(changes: readonly LineChange[], line: number): number | null {
  let shift = 0;
  for (const { oldEnd, newStart, newEnd } of changes) {
    if (line < newStart) break;
    if (line < newEnd) return null;
    shift = oldEnd - newEnd;
  }
  return line + shift;
}

/** The lines of the newer text that a change is about. */
export function linesOfChange({ newStart, newEnd }: LineChange): HunkLines {
  return { start_line: newStart + 1, end_line: newEnd };
}

/** The changes that are about some of these lines of the newer text, or are gaps at them. */
export function changesAt(changes: readonly LineChange[], lines: HunkLines | undefined): LineChange[] {
  if (!lines) return [...changes];
  const exact = changes.filter(
    ({ newStart, newEnd }) => newStart + 1 === lines.start_line && newEnd === lines.end_line,
  );
  if (exact.length > 0) return exact;
  return changes.filter(({ newStart, newEnd }) =>
    newStart === newEnd
      ? lines.start_line - 1 <= newStart && newStart <= lines.end_line
      : newStart < lines.end_line && newEnd >= lines.start_line,
  );
}

/**
 * Returns the comparison with a change that holds more than these lines of the newer text cut at them, where it can be:
 * lines that were only put in, or that stand for as many old ones.
 */
export function cutAt(compared: Compared, { start_line, end_line }: HunkLines): Compared {
  const cuts = [start_line - 1, end_line];
  return { ...compared, changes: compared.changes.flatMap(change => cut(change, cuts)) };
}

function cut(change: LineChange, cuts: readonly number[]): LineChange[] {
  const { oldStart, oldEnd, newStart, newEnd } = change;
  const isPaired = oldEnd - oldStart === newEnd - newStart;
  const inside = cuts.filter(at => newStart < at && at < newEnd);
  if (inside.length === 0 || !(isPaired || oldStart === oldEnd)) return [change];
  const ends = [...new Set([...inside, newEnd])];
  const oldAt = (at: number): number => (isPaired ? oldStart + at - newStart : oldStart);
  return ends.map((end, n) => {
    const start = ends[n - 1] ?? newStart;
    return { oldStart: oldAt(start), oldEnd: oldAt(end), newStart: start, newEnd: end };
  });
}
