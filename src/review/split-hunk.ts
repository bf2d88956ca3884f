/** Hunks as they are asked about: a file that was renamed once; and one in pieces, for whoever says something else to each. */

import type { ReviewHunk } from './listing.ts';

/**
 * Leaves out the old half of each file that was renamed: what is said of the new one is said of both. `more`: that may be in
 * a file which is not listed yet.
 */
export function withoutOldHalves(hunks: readonly ReviewHunk[], more = false): ReviewHunk[] {
  const paths = new Set(hunks.map(({ path }) => path));
  const isOld = ({ kind, renamed }: ReviewHunk): boolean =>
    kind === 'delete' && renamed !== undefined && (more || paths.has(renamed.path));
  return hunks.filter(hunk => !isOld(hunk));
}

/**
 * Returns the pieces of a hunk: each begins after an empty line, or where there is none each is a line. The hunk alone
 * where its new lines do not stand for as many old ones, or were not only put in.
 */
export function splitHunk(hunk: ReviewHunk): ReviewHunk[] {
  const { kind, before, after } = hunk;
  const { length } = after.lines;
  if (kind !== 'lines' || ![0, length].includes(before.lines.length)) return [hunk];
  const isEmpty = (at: number): boolean => after.lines[at]!.trim() === '';
  const all = [...after.lines.keys()];
  const begins = all.filter(at => at === 0 || (isEmpty(at - 1) && !isEmpty(at)));
  const starts = begins.length > 1 ? begins : all;
  return starts.length < 2 ? [hunk] : starts.map((start, n) => piece(hunk, start, starts[n + 1] ?? length));
}

function piece(hunk: ReviewHunk, start: number, end: number): ReviewHunk {
  const { before, after, lines, context } = hunk;
  return {
    ...hunk,
    lines: { start_line: lines.start_line + start, end_line: lines.start_line + end - 1 },
    before:
      before.lines.length === 0
        ? before
        : { line: before.line + start, lines: before.lines.slice(start, end) },
    after: { line: after.line + start, lines: after.lines.slice(start, end) },
    // Other pieces are no lines that both texts have.
    context: {
      above: start === 0 ? context.above : [],
      below: end === after.lines.length ? context.below : [],
    },
  };
}
