/** The surroundings of each of several equal places, grown until they tell the places apart. */

import type { Lines } from '../lines.ts';
import type { TextRange } from './match.ts';

export interface Surroundings {
  /** Line of the first unit of the place, 1-based, and of its last. */
  line: number;
  endLine: number;
  /** Position of the place in its first line, 1-based, in UTF-16 units. */
  column: number;
  /** The lines to show. */
  shown: LineRange;
  /** The fewest lines around the place whose text occurs nowhere else, if there are such lines and it is known. */
  unique: LineRange | null;
}

/** Lines `from` to `to`, 1-based and inclusive. */
export interface LineRange {
  from: number;
  to: number;
}

const LEAST_LINES_AROUND = 2;
const MOST_LINES_AROUND = 8;
/** Texts longer than this are not offered for copying. */
const LONGEST_UNIQUE = 2000;

/**
 * The first `shown` of the places with at least 2 and at most 8 lines around each, as few as show a difference between
 * any two of them; with 2 where even 8 show none. `complete` says whether `places` are all there are: only then is a unique text known to be unique.
 */
export function surroundings(
  lines: Lines,
  places: readonly TextRange[],
  shown: number,
  complete: boolean,
): Surroundings[] {
  const spots = places
    .slice(0, shown)
    .map(place => ({ place, line: lines.lineAt(place.start), endLine: lines.lineAt(place.end - 1) }));
  let around = LEAST_LINES_AROUND;
  while (around <= MOST_LINES_AROUND && !allApart(lines, spots, around)) around++;
  if (around > MOST_LINES_AROUND) around = LEAST_LINES_AROUND;
  return spots.map(({ place, line, endLine }) => {
    const unique = complete ? uniqueLines(lines, places, place, { from: line, to: endLine }) : null;
    return {
      line,
      endLine,
      column: place.start - lines.start(line) + 1,
      shown: {
        from: Math.min(Math.max(1, line - around), unique?.from ?? line),
        to: Math.max(Math.min(lines.count, endLine + around), unique?.to ?? endLine),
      },
      unique,
    };
  });
}

interface Spot {
  place: TextRange;
  line: number;
  endLine: number;
}

function allApart(lines: Lines, spots: Spot[], around: number): boolean {
  const seen = new Set<string>();
  for (const [i, { line, endLine }] of spots.entries()) {
    // Places on one line cannot be told apart by what is around it.
    if (i > 0 && line === spots[i - 1]!.line) continue;
    const text = lines.slice(Math.max(1, line - around), Math.min(lines.count, endLine + around));
    if (seen.has(text)) return false;
    seen.add(text);
  }
  return true;
}

/** Finds the fewest lines before the place, after it, or on both sides that name it; `null` where there are none. */
function uniqueLines(
  lines: Lines,
  places: readonly TextRange[],
  place: TextRange,
  own: LineRange,
): LineRange | null {
  for (let around = 0; around <= MOST_LINES_AROUND; around++) {
    const before = Math.max(1, own.from - around);
    const after = Math.min(lines.count, own.to + around);
    for (const [from, to] of [
      [before, own.to],
      [own.from, after],
      [before, after],
    ] as const) {
      const whole = { start: lines.start(from), end: Math.max(place.end, lines.contentEnd(to)) };
      if (whole.end - whole.start > LONGEST_UNIQUE) return null;
      if (occursOnce(lines, places, place, whole)) return { from, to };
    }
  }
  return null;
}

/** True where `whole` occurs once. Each occurrence of it would hold one of the places, so only these are compared. */
function occursOnce(
  lines: Lines,
  places: readonly TextRange[],
  inside: TextRange,
  whole: TextRange,
): boolean {
  const before = withLf(lines.text.slice(whole.start, inside.start));
  const after = withLf(lines.text.slice(inside.end, whole.end));
  return places.every(place => {
    if (place === inside) return true;
    const lead = withLf(lines.text.slice(Math.max(0, place.start - 2 * before.length), place.start));
    const tail = withLf(lines.text.slice(place.end, place.end + 2 * after.length));
    return !(lead.endsWith(before) && tail.startsWith(after));
  });
}

function withLf(text: string): string {
  return text.replace(/\r\n|\r/g, '\n');
}
