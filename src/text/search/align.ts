/** Lays the lines of an old text beside the lines of a file from a given line on, and finds where they part. */

import type { LooseText } from './loose.ts';
import { likenessTo, weight } from './similar.ts';

/** Where the two part: lines of the old text (0-based) and of the file (1-based), ends exclusive. */
export interface Gap {
  oldStart: number;
  oldEnd: number;
  fileStart: number;
  fileEnd: number;
}

export interface Alignment {
  /** The file's lines, 1-based and inclusive, that the old text covers. */
  start: number;
  end: number;
  gaps: Gap[];
  /** Line pairs that are the same to a reader: index in the old text and line of the file. */
  same: [oldLine: number, fileLine: number][];
}

/** The alignment that leaves least apart, and the first lines of others that leave as little. */
export interface Closest {
  alignment: Alignment;
  others: number[];
}

/** Returns the likeliest alignment from these starts; `null` where there is none. */
export function closestAlignment(
  oldKeys: readonly string[],
  loose: LooseText,
  starts: readonly number[],
): Closest | null {
  const all = starts.map(start => align(oldKeys, loose, start));
  const scored = all.map(alignment => ({ alignment, score: likeness(alignment, oldKeys, loose) }));
  const best = Math.max(...scored.map(({ score }) => score));
  const [first, ...rest] = scored.filter(({ score }) => score > best - SAME).map(one => one.alignment);
  if (first === undefined) return null;
  const apart = rest.filter(({ start, end }) => end < first.start || start > first.end);
  return { alignment: first, others: [...new Set(apart.map(({ start }) => start))] };
}

/** Scores that differ by less are the same: one line skipped counts ten times as much. */
const SAME = 1e-3;
const SKIPPED_LINE = 1e-2;

/**
 * Scores how much of the old text stands there; lines that are only like each other count in part, and lines between
 * them against it.
 */
function likeness({ same, gaps }: Alignment, oldKeys: readonly string[], loose: LooseText): number {
  let score = same.reduce((sum, [old]) => sum + weight(oldKeys[old]!), 0);
  for (const { oldStart, oldEnd, fileStart, fileEnd } of gaps) {
    score -= SKIPPED_LINE * (fileEnd - fileStart);
    for (let i = 0; i < Math.min(oldEnd - oldStart, fileEnd - fileStart); i++) {
      const key = oldKeys[oldStart + i]!;
      score += weight(key) * likenessTo(key)(loose.key(fileStart + i), 0) * IN_PART;
    }
  }
  return score;
}

/** A line that is only like another is worth less than the same line. */
const IN_PART = 0.9;

/** The number of lines that both are searched ahead for the next common one. */
const LOOK_AHEAD = 20;

/** Aligns from file line `start`, which may be below 1 where the old text begins with lines of its own; `oldKeys` are the loose keys of the old text's lines. Linear in their number. */
export function align(oldKeys: readonly string[], loose: LooseText, start: number): Alignment {
  const found: Alignment = { start: Math.max(1, start), end: 0, gaps: [], same: [] };
  let old = Math.max(0, 1 - start);
  let file = found.start;
  if (old > 0) found.gaps.push({ oldStart: 0, oldEnd: old, fileStart: 1, fileEnd: 1 });
  while (old < oldKeys.length && file <= loose.count) {
    if (sameLine(oldKeys, old, loose, file)) {
      found.same.push([old++, file++]);
      continue;
    }
    const [skipOld, skipFile] = nextCommon(oldKeys, old, loose, file);
    found.gaps.push({ oldStart: old, oldEnd: old + skipOld, fileStart: file, fileEnd: file + skipFile });
    old += skipOld;
    file += skipFile;
  }
  if (old < oldKeys.length && oldKeys.slice(old).some(key => key !== '')) {
    found.gaps.push({ oldStart: old, oldEnd: oldKeys.length, fileStart: file, fileEnd: file });
  }
  found.end = Math.max(found.start, file - 1);
  return found;
}

/** Returns how many lines of each to skip to the next line that both have; where there is none ahead, one of each. */
function nextCommon(
  oldKeys: readonly string[],
  old: number,
  loose: LooseText,
  file: number,
): [number, number] {
  for (let ahead = 1; ahead <= LOOK_AHEAD; ahead++) {
    if (meets(oldKeys, old, loose, file + ahead)) return [0, ahead];
    if (meets(oldKeys, old + ahead, loose, file)) return [ahead, 0];
    if (meets(oldKeys, old + ahead, loose, file + ahead)) return [ahead, ahead];
  }
  return [
    Math.min(LOOK_AHEAD, oldKeys.length - old),
    Math.min(LOOK_AHEAD, oldKeys.length - old, loose.count - file + 1),
  ];
}

function meets(oldKeys: readonly string[], old: number, loose: LooseText, file: number): boolean {
  const inside = old < oldKeys.length && file <= loose.count && oldKeys[old] !== '';
  return inside && sameLine(oldKeys, old, loose, file);
}

/** True where the two lines are the same to a reader; the first and the last of the old text may be parts of a line. */
function sameLine(oldKeys: readonly string[], old: number, loose: LooseText, file: number): boolean {
  const key = oldKeys[old]!;
  const there = loose.key(file);
  if (key === there) return true;
  if (key === '') return false;
  return (old === 0 && there.endsWith(key)) || (old === oldKeys.length - 1 && there.startsWith(key));
}

/** The lines of a text without their ends, whichever kind; what is behind a final line end is no line. */
export function linesGiven(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}
