/** Pieces of a hunk: at its empty lines, or else line by line. Pure. */

import type { ReviewHunk } from '../../../../workspace/review/listing.ts';

/** Returns the pieces; the hunk alone where its lines do not stand for each other one by one, or are none. */
export function partsOf(hunk: ReviewHunk): ReviewHunk[] {
  const { kind, before, after } = hunk;
  const { length } = after.lines;
  const canSplit = kind === 'lines' && (before.lines.length === 0 || before.lines.length === length);
  if (!canSplit || length < 2) return [hunk];
  const ends = [...after.lines.keys()].filter(at => after.lines[at]!.trim() === '' && at + 1 < length);
  const cuts = ends.length > 0 ? ends.map(at => at + 1) : [...after.lines.keys()].slice(1);
  return [0, ...cuts].map((from, at) => piece(hunk, from, cuts[at] ?? length));
}

function piece(hunk: ReviewHunk, from: number, to: number): ReviewHunk {
  const { before, after, context } = hunk;
  const isPut = before.lines.length === 0;
  const old = isPut ? before : { line: before.line + from, lines: before.lines.slice(from, to) };
  const above = after.lines.slice(0, from).slice(-3);
  const below = after.lines.slice(to).slice(0, 3);
  return {
    ...hunk,
    lines: { start_line: after.line + from, end_line: after.line + to - 1 },
    before: old,
    after: { line: after.line + from, lines: after.lines.slice(from, to) },
    context: {
      above: isPut && from > 0 ? above : from === 0 ? context.above : [],
      below: isPut && to < after.lines.length ? below : to === after.lines.length ? context.below : [],
    },
  };
}
