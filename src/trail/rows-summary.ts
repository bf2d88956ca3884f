/**
 * What is known of a batch of rows as a whole: who looks for one edit far down in a long trail passes most batches over
 * without a look at their rows. Only batches that are kept (kept-rows.ts) have it.
 */

import type { TrailRow } from './walk.ts';

export interface RowsSummary {
  /** True when every row is of a plain commit. */
  readonly isPlain: boolean;
  /** True when a trail begins with one of them. */
  readonly begins: boolean;
  /** The heads that they name; `undefined` is none. */
  readonly heads: ReadonlySet<string | undefined>;
  readonly ops: ReadonlySet<string | null>;
  /** The least of their times, in seconds since 1970. */
  readonly oldest: number;
  /** The place after the last row that comes, along the first parents, from the one at this place. */
  endOfLine(at: number): number;
  /** The places of the rows of this commit and of those that name one of these paths, in their order. */
  placesOf(commit: string, paths: ReadonlySet<string>): number[];
}

const summaries = new WeakMap<readonly TrailRow[], RowsSummary>();

export function summarize(rows: readonly TrailRow[], summary: RowsSummary): void {
  summaries.set(rows, summary);
}

/** Of these very rows: a part of them has none. */
export function summaryOf(rows: readonly TrailRow[]): RowsSummary | undefined {
  return summaries.get(rows);
}
