/** Compares a change with what a person rejected, by its lines alone: what gets a note. Pure. */

import { bare, type LineSpan, saysSomething } from '../../../trail/history/rejected.ts';
import type { Compared } from '../accepted/compare.ts';
import type { RejectedLines } from './rejection-book.ts';

type Lines = Pick<RejectedLines, 'added' | 'now'>;

/** True where nothing was put in that could be put back: lines were taken out. */
export function isDeletion({ added }: Pick<Lines, 'added'>): boolean {
  return added.length === 0;
}

/** True where a change may return it: half of the lines that say something are in the new text, or are gone from it. */
export function mayReturn({ added, now: kept }: Lines, { old, now }: Compared): boolean {
  if (added.length === 0) return goneLines(old, now, kept.map(bare).filter(saysSomething)) > 0;
  const texts = new Set(now.map(squeezed));
  return isHalf(added.filter(saysSomething), line => texts.has(squeezed(line)));
}

/** True where a change puts in half of the lines that say something, whatever the blanks in them. */
export function putsInLike({ added }: Lines, { now, changes }: Compared): boolean {
  const put = changes.flatMap(({ newStart, newEnd }) => now.slice(newStart, newEnd));
  const texts = new Set(put.map(squeezed));
  return isHalf(added.filter(saysSomething), line => texts.has(squeezed(line)));
}

/** True where a change takes out half of the lines that say something, and not by writing others in their place. */
export function takesOutLike(
  { now: kept }: Lines,
  { old, now, changes }: Compared,
  standing: readonly LineSpan[],
): boolean {
  const lines = kept.map(bare).filter(saysSomething);
  const isCut = standing.some(({ start, end }) =>
    changes.some(one => one.oldStart < end && one.oldEnd > start && one.newStart === one.newEnd),
  );
  return isCut && lines.length > 0 && 2 * goneLines(old, now, lines) >= lines.length;
}

function isHalf(lines: readonly string[], fits: (line: string) => boolean): boolean {
  return lines.length > 0 && 2 * lines.filter(fits).length >= lines.length;
}

function squeezed(line: string): string {
  return line.replace(/\s+/g, '');
}

/** Counts the lines that the new text has less often than the old one. */
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
