/** Where a hunk that fits nowhere was probably meant. It only explains. */

import { type DifferenceKind, differences } from '../../text/explain.ts';
import { nearestText } from '../../text/nearest.ts';
import { lineDifference } from '../../text/parting.ts';
import { type Hunk, type HunkLine, oldLines } from './patch.ts';
import type { PatchedFile, PatchedHunk } from './patched-file.ts';

export interface NearestPlace {
  /** 1-based, inclusive. */
  startLine: number;
  endLine: number;
  /** The file's own text there. */
  text: string;
  /** One or more clauses without a final stop. */
  difference: string;
  kinds: readonly DifferenceKind[];
  /** The line of the first difference. */
  differsAt: number;
}

/**
 * The lines that are the same but for blanks around them, or else to a reader; else those that most lines of the hunk stand in, and of several the ones
 * that are nearest to the line in its header; else those that are most like it.
 */
export function nearestPlace({ file, hunk, number }: PatchedHunk): NearestPlace | null {
  const name = `${file.format.word} ${number}`;
  const old = oldLines(hunk).map(({ text }) => text);
  const indented = indentedPlace(file, hunk, name);
  if (indented) return indented;
  const { nearest } = nearestText(file.lines, old.join('\n'), name);
  if (nearest && nearest.difference !== '' && !nearest.kinds.includes('text')) return nearest;
  const start = votedStart(file, hunk) ?? (nearest?.difference === '' ? nearest.startLine : null);
  return start === null ? nearest : placeAt(file, oldLines(hunk), start, name);
}

/** The same lines but for blanks around them, from the line in the header on, or else from the top. */
function indentedPlace(file: PatchedFile, hunk: Hunk, name: string): NearestPlace | null {
  const old = oldLines(hunk).map(({ text }) => text);
  const index = file.around.index();
  const [start = 0] = [...index.find(old, hunk.hint ?? 1, 1), ...index.find(old, 1, 1)];
  if (start === 0 || start > file.lines.count) return null;
  const place = placeAt(file, oldLines(hunk), start, name);
  const found = differences(`${old.join('\n')}\n`, `${place.text}\n`, start, '', name);
  const kinds = found.map(({ kind }) => kind);
  return { ...place, difference: found.map(({ words }) => words).join('; '), kinds };
}

/** A line that the file has more often says too little of a place. */
const MOST_PLACES = 1000;
/** So many lines of a hunk are enough to find where it was meant. */
const MOST_LINES = 500;

/** The line of the file at which most old lines of the hunk are where the file has them. */
function votedStart(file: PatchedFile, hunk: Hunk): number | null {
  const votes = new Map<number, number>();
  for (const [i, { text }] of oldLines(hunk).slice(0, MOST_LINES).entries()) {
    if (text.trim() === '') continue;
    const places = file.passes[0]!.index().find([text], 1, MOST_PLACES);
    for (const place of places.length < MOST_PLACES ? places : []) {
      if (place - i >= 1) votes.set(place - i, (votes.get(place - i) ?? 0) + 1);
    }
  }
  const distance = (start: number): number => Math.abs(start - (hunk.hint ?? 1));
  const [best] = [...votes].sort((a, b) => b[1] - a[1] || distance(a[0]) - distance(b[0]));
  return best === undefined ? null : best[0];
}

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
  const text = lines.text.slice(lines.start(start), lines.contentEnd(endLine));
  return {
    startLine: start,
    endLine,
    text,
    difference,
    kinds: ['text'],
    differsAt: Math.min(at, lines.count),
  };
}

/** Blanks around the two lines, when nothing else sets them apart. */
function lineWords(there: string, old: string, at: number, name: string): string {
  const blanks = there.trim() === old.trim() ? differences(`${old}\n`, `${there}\n`, at, '', name) : [];
  return blanks.map(({ words }) => words).join('; ') || lineDifference(there, old, at, name);
}
