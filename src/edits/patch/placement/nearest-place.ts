/** Where a hunk that fits nowhere was probably meant. It only explains. */

import { lineDifference } from '../../../text/search/divergence.ts';
import { differences } from '../../../text/search/explain.ts';
import { type Nearest, nearestText } from '../../../text/search/nearest.ts';
import { type Hunk, type HunkLine, oldLines } from '../patch.ts';
import type { Limits, PatchedFile, PatchedHunk } from './patched-file.ts';

export type NearestPlace = Omit<Nearest, 'exactOnce' | 'places'>;

/**
 * The lines that are the same but for blanks around them, or else to a reader; else those that are most like the hunk.
 * Behind the anchor first, and of several as good the ones that are nearest to it, or to the line in the header.
 */
export function nearestPlace({ file, hunk, number }: PatchedHunk, { anchor }: Limits): NearestPlace | null {
  const name = `${file.format.word} ${number}`;
  const old = oldLines(hunk).map(({ text }) => text);
  const near = anchor > 0 ? anchor + 1 : (hunk.hint ?? undefined);
  const search = { share: 0, ...(near === undefined ? {} : { near }) };
  const found = (from: number): NearestPlace | null => {
    const indented = indentedPlace(file, hunk, name, from);
    if (indented) return indented;
    const { nearest } = nearestText(file.lines, old.join('\n'), name, { ...search, from });
    if (nearest === null || nearest.difference !== '') return nearest;
    return placeAt(file, oldLines(hunk), nearest.startLine, name);
  };
  const behind = anchor > 0 ? found(anchor + 1) : null;
  const place = behind !== null && behind.startLine > anchor ? behind : found(1);
  // What the anchor or the header is nearest to is the one that is meant.
  return place && (near === undefined ? place : { ...place, others: [] });
}

/**
 * Finds the hunk's old lines where they differ only in the blanks around them: the first such place from the line in
 * its header on, or else from line `from`.
 */
function indentedPlace(file: PatchedFile, hunk: Hunk, name: string, from: number): NearestPlace | null {
  const old = oldLines(hunk).map(({ text }) => text);
  const index = file.around;
  const places = index.find(old, from, MOST_PLACES);
  const [start = 0] = [...index.find(old, Math.max(from, hunk.hint ?? 1), 1), ...places];
  if (start === 0 || start > file.lines.count) return null;
  const place = placeAt(file, oldLines(hunk), start, name);
  const found = differences(`${old.join('\n')}\n`, `${place.text}\n`, start, '', name);
  const kinds = found.map(({ kind }) => kind);
  const others = places.filter(one => one !== start && one <= file.lines.count);
  return { ...place, gap: null, difference: found.map(({ words }) => words).join('; '), kinds, others };
}

/** The most places to look for that differ only in the blanks around their lines. */
const MOST_PLACES = 100;

function placeAt(file: PatchedFile, old: readonly HunkLine[], start: number, name: string): NearestPlace {
  const { lines } = file;
  const endLine = Math.min(lines.count, start + old.length - 1);
  const differs = old.findIndex(
    ({ text }, i) => start + i > lines.count || text !== lines.content(start + i),
  );
  const at = start + differs;
  const difference =
    at > lines.count
      ? `the file ends before line ${at}`
      : lineWords(lines.content(at), old[differs]!.text, at, name);
  const text = lines.slice(start, endLine);
  return {
    startLine: start,
    endLine,
    text,
    difference,
    kinds: ['text'],
    differsAt: Math.min(at, lines.count),
    gap: { oldStart: differs, oldEnd: differs + 1, fileStart: at, fileEnd: Math.min(at, lines.count) + 1 },
    others: [],
  };
}

/** Says in words what sets two lines apart, the blanks around them too. */
function lineWords(there: string, old: string, at: number, name: string): string {
  const blanks = there.trim() === old.trim() ? differences(`${old}\n`, `${there}\n`, at, '', name) : [];
  return blanks.map(({ words }) => words).join('; ') || lineDifference(there, old, at, name);
}
