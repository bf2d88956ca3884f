/**
 * What is to review, as it is seen: the hunks that the server listed without those that were answered here. An answered
 * hunk leaves at once; it comes back where its answer is refused, or where a listing that was asked for later still has it.
 */

import type { ReviewHunk } from '../../../../workspace/review/listing.ts';

/** A hunk, and what tells it from all others while lines move above it. */
export interface OpenHunk {
  key: string;
  hunk: ReviewHunk;
}

export type Verdict = 'accept' | 'reject';

export class ReviewQueue {
  /** False until the server has listed for the first time. */
  isListed = false;
  #hunks: readonly OpenHunk[] = [];
  /** The answered ones that may still be listed: since which listing they cannot be, once that is known. */
  readonly #answered = new Map<string, number>();
  #listings = 0;
  /** The answers of this page that were done, the newest last. */
  readonly #done: Array<{ verdict: Verdict; hunks: number }> = [];

  /** Hunks that nobody answered, in the order of the files. */
  get open(): readonly OpenHunk[] {
    return this.#hunks.filter(({ key }) => !this.#answered.has(key));
  }

  count(verdict: Verdict): number {
    return this.#done.reduce((all, one) => all + (one.verdict === verdict ? one.hunks : 0), 0);
  }

  /** Begins a listing, and returns its number for `take`. */
  begin(): number {
    return ++this.#listings;
  }

  /** Takes what the server listed. */
  take(hunks: readonly ReviewHunk[], listing: number): void {
    this.isListed = true;
    this.#hunks = keyed(hunks);
    for (const [key, since] of this.#answered) if (listing >= since) this.#answered.delete(key);
  }

  /** Takes the hunks out of sight, until `settle` tells what became of that. */
  answer(hunks: readonly OpenHunk[]): void {
    for (const { key } of hunks) this.#answered.set(key, Number.POSITIVE_INFINITY);
  }

  /** Notes that the answer to hunks was done, or shows them again. */
  settle(hunks: readonly OpenHunk[], verdict: Verdict, isDone: boolean): void {
    for (const { key } of hunks) {
      if (isDone) this.#answered.set(key, this.#listings + 1);
      else this.#answered.delete(key);
    }
    if (isDone) this.#done.push({ verdict, hunks: hunks.length });
  }

  /** Notes that the newest answer was taken back. */
  unsettle(): void {
    this.#done.pop();
  }
}

/** Equal hunks of one file are told from each other by their order. */
function keyed(hunks: readonly ReviewHunk[]): OpenHunk[] {
  const times = new Map<string, number>();
  return hunks.map(hunk => {
    const { path, kind, before, after } = hunk;
    const own = JSON.stringify([path, kind, before.lines, after.lines]);
    const time = times.get(own) ?? 0;
    times.set(own, time + 1);
    return { key: `${own}${time}`, hunk };
  });
}
