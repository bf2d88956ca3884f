/** The places in which a text differs from the present version of a weave. */

import type { WovenRow } from './woven-row.ts';

/** One place where two texts differ: the rows between two rows that both have. */
export interface Gap {
  /** The rows around it; `null` at an end. */
  left: WovenRow | null;
  right: WovenRow | null;
  gone: WovenRow[];
  /** Indexes in the new text; end exclusive. */
  start: number;
  end: number;
}

/** Finds the same rows in the present version: for each of it, the index in `rows`, or -1. */
export function placesIn(live: readonly WovenRow[], rows: readonly WovenRow[]): Int32Array {
  const places = new Map(rows.map((row, at) => [row, at]));
  return Int32Array.from(live, row => places.get(row) ?? -1);
}

/**
 * `to`: for each row of the present version its index in the text of `length` rows, or -1. Tells of the rows that stay, by
 * their index in the text, and answers the places where it differs.
 */
export function gapsTo(
  live: readonly WovenRow[],
  to: Int32Array,
  length: number,
  stays: (row: WovenRow, at: number) => void,
): Gap[] {
  const gaps: Gap[] = [];
  let [from, start] = [0, 0];
  for (let at = 0; at <= to.length; at++) {
    const end = at === to.length ? length : to[at]!;
    if (end < 0) continue;
    if (at > from || end > start)
      gaps.push({
        left: live[from - 1] ?? null,
        right: live[at] ?? null,
        gone: live.slice(from, at),
        start,
        end,
      });
    [from, start] = [at + 1, end + 1];
    if (at < to.length) stays(live[at]!, end);
  }
  return gaps;
}

/** The rows of a text that are known, by their index in it. */
export function knownIn({ start, end }: Gap, rows: readonly WovenRow[]): Map<number, WovenRow> {
  return new Map(rows.slice(start, end).map((row, at) => [start + at, row]));
}
