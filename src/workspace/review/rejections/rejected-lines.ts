/**
 * How the lines of a text have again what a person rejected: lines that an agent put in, or that it took out lines. Only
 * lines that say something of their own count. Pure.
 */

import { lineDiff } from '../../../text/diff/line-diff.ts';
import type { Compared } from '../accepted/compare.ts';
import type { RejectedPlace } from './rejection-book.ts';

/** True where nothing was put in that could be put back: lines were taken out. */
export function isDeletion({ added }: RejectedPlace): boolean {
  return added.length === 0;
}

/** How the new text has the rejected lines again: the `same`, or others that are `like` them. `put`: lines of the edit. */
export function matchOf(
  { added, above, below }: RejectedPlace,
  now: readonly string[],
  put: ReadonlySet<number>,
): 'same' | 'like' | null {
  const [lines, wanted] = [now.map(bare), added.map(bare)];
  const distinctive = wanted.filter(line => isDistinctive(line));
  if (distinctive.length === 0) return null;
  const isSame = (at: number): boolean =>
    wanted.every((line, n) => lines[at + n] === line) &&
    (lines[at - 1] ?? null) === (above === null ? null : bare(above)) &&
    (lines[at + wanted.length] ?? null) === (below === null ? null : bare(below)) &&
    wanted.some((_, n) => put.has(at + n));
  if (lines.some((_, at) => isSame(at))) return 'same';
  const texts = new Set([...put].map(at => squeezed(now[at]!)));
  const again = distinctive.filter(line => texts.has(squeezed(line)));
  return 2 * again.length >= distinctive.length ? 'like' : null;
}

export function bare(line: string): string {
  return line.trimEnd();
}

function squeezed(line: string): string {
  return line.replace(/\s+/g, '');
}

/** Says something of its own: brackets do not, nor do words that stand alone in every other function. */
function isDistinctive(line: string): boolean {
  const letters = line.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters >= 3 && !COMMON.has(line.replace(/[^\p{L}\p{N}]+/gu, ' ').trim());
}

const COMMON: ReadonlySet<string> = new Set([
  ...['else', 'end', 'endif', 'fi', 'done', 'esac', 'return', 'return null', 'return true', 'return false'],
  ...['break', 'continue', 'pass', 'try', 'finally', 'begin', 'default', 'do', 'then', 'None', 'null'],
]);

/**
 * How a change takes out again what a person put back: just these lines (`same`), them and others (`like`), or not, as where
 * they are moved or written anew. `at`: where they stand in the old text, 0-based.
 */
export function takenOutAgain(
  { now: kept }: RejectedPlace,
  { old, now, changes }: Compared,
  { start, end }: { start: number; end: number },
): 'same' | 'like' | null {
  const wanted = kept.map(bare);
  const distinctive = wanted.filter(isDistinctive);
  const standing = old.slice(start, end).map(bare);
  if (distinctive.length === 0 || standing.join('\n') !== wanted.join('\n')) return null;
  const gone = goneLines(old, now, distinctive);
  const isAllGone = gone === distinctive.length;
  if (isAllGone && isJustThat([...old.slice(0, start), ...old.slice(end)], now, start)) return 'same';
  const isTakenOut = changes.some(
    one => one.oldStart < end && one.oldEnd > start && one.newStart === one.newEnd,
  );
  return isTakenOut && 2 * gone >= distinctive.length ? 'like' : null;
}

/** True where a change takes out anything of that: whether it is the place, can be asked then. */
export function takesOut({ now: kept }: RejectedPlace, { old, now }: Compared): boolean {
  return goneLines(old, now, kept.map(bare).filter(isDistinctive)) > 0;
}

/** How many of these lines the new text has less often than the old one. */
function goneLines(old: readonly string[], now: readonly string[], lines: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of old) counts.set(bare(line), (counts.get(bare(line)) ?? 0) + 1);
  for (const line of now) counts.set(bare(line), (counts.get(bare(line)) ?? 0) - 1);
  return lines.filter(line => {
    const left = counts.get(line) ?? 0;
    counts.set(line, left - 1);
    return left > 0;
  }).length;
}

/** True where the new text is the old one without the lines, as far as the lines beside them: others may be others. */
function isJustThat(without: readonly string[], now: readonly string[], at: number): boolean {
  const texts = [without, now].map(lines => lines.map(line => `${bare(line)}\n`).join(''));
  const { changes } = lineDiff(texts[0]!, texts[1]!, '\n');
  return !changes.some(({ oldStart, oldEnd }) => oldStart <= at && oldEnd >= at);
}

/** True where this text lacks the lines between their neighbours: what was rejected stands there. */
export function lacks(lines: readonly string[], { above, below }: RejectedPlace): boolean {
  const beside = [above, below].map(line => (line === null ? null : bare(line)));
  const own: Array<string | null> = [null, ...lines.map(bare), null];
  return own.some((line, at) => at > 0 && own[at - 1] === beside[0] && line === beside[1]);
}
