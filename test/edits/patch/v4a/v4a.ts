/** Prints the difference of two texts as hunks of the `*** Begin Patch` format. */

import { diffArrays } from 'diff';

interface Piece {
  mark: ' ' | '-' | '+';
  text: string;
}

/** Stands for what is behind the final newline, which the format shows as an empty line. */
const END = '\u0000end';

/** Hunks with at least `context` lines around every change, each of them at one place only. */
export function v4aHunks(before: string, after: string, context: number): string {
  const pieces = diffOf(segments(before), segments(after));
  const ranges = grouped(pieces, context);
  const hunks = joinedUntilUnique(pieces, ranges, segments(before));
  return hunks.map(([from, to]) => `@@\n${pieces.slice(from, to).map(printed).join('')}`).join('');
}

/** Lines without their ends; the last one is what no line end follows. */
function segments(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines[lines.length - 1] = END;
  return lines;
}

function diffOf(old: string[], fresh: string[]): Piece[] {
  return diffArrays(old, fresh).flatMap(({ added, removed, value }) => {
    return value.map((text): Piece => ({ mark: added ? '+' : removed ? '-' : ' ', text }));
  });
}

type Range = [from: number, to: number];

function grouped(pieces: readonly Piece[], context: number): Range[] {
  const ranges: Range[] = [];
  for (const [i, { mark }] of pieces.entries()) {
    if (mark === ' ') continue;
    const last = ranges.at(-1);
    const [from, to] = [Math.max(0, i - context), Math.min(pieces.length, i + context + 1)];
    if (last && from <= last[1]) last[1] = to;
    else ranges.push([from, to]);
  }
  return ranges;
}

/** A hunk that would fit at several places goes on to the next, and the last one takes all lines around it. */
function joinedUntilUnique(pieces: readonly Piece[], ranges: Range[], old: readonly string[]): Range[] {
  const hunks: Range[] = [];
  for (const range of ranges) {
    const open = hunks.at(-1);
    if (open && !isUnique(pieces, open, old)) open[1] = range[1];
    else hunks.push([...range]);
  }
  const last = hunks.at(-1)!;
  return isUnique(pieces, last, old)
    ? hunks
    : [...hunks.slice(0, -1), [last[0], pieces.length]].every(one => isUnique(pieces, one as Range, old))
      ? [...hunks.slice(0, -1), [last[0], pieces.length]]
      : [[0, pieces.length]];
}

function isUnique(pieces: readonly Piece[], [from, to]: Range, old: readonly string[]): boolean {
  const block = pieces
    .slice(from, to)
    .filter(({ mark }) => mark !== '+')
    .map(({ text }) => plain(text));
  let places = 0;
  for (let start = 0; start + block.length <= old.length; start++) {
    if (block.every((text, i) => plain(old[start + i]!) === text)) places++;
  }
  return block.length > 0 && places === 1;
}

function plain(text: string): string {
  return text === END ? '' : text;
}

function printed({ mark, text }: Piece): string {
  return `${mark}${plain(text)}\n`;
}
