/**
 * The queue of a review, as it is seen: the hunks that the server listed without those that were answered here. An answered
 * hunk leaves at once; it comes back where its answer is refused, or where a listing that was asked for later still has it.
 */

import type { ReviewHunk } from '../../../../review/listing.ts';
import { splitHunk } from '../../../../review/split-hunk.ts';
import { wordsIn } from '../model/search.ts';

/** A hunk, and what tells it from all others while lines move above it. */
export interface OpenHunk {
  key: string;
  hunk: ReviewHunk;
}

export type Verdict = 'accept' | 'reject';

export interface ReviewFilter {
  /** A file, or a folder that ends with a slash. */
  path: string;
  who: string;
  words: string;
  /** Only what was edited since the reader last looked: the commits of that. */
  fresh: ReadonlySet<string> | null;
}

const ALL: ReviewFilter = { path: '', who: '', words: '', fresh: null };

export class ReviewQueue {
  /** False until the server has listed for the first time. */
  isListed = false;
  filter: ReviewFilter = ALL;
  #hunks: readonly OpenHunk[] = [];
  #listed: readonly ReviewHunk[] = [];
  /** The answered ones that may still be listed: since which listing they cannot be, once that is known. */
  readonly #answered = new Map<string, number>();
  readonly #split = new Set<string>();
  #listings = 0;
  /** The answers of this page that were done, the newest last. */
  readonly #done: Array<{ verdict: Verdict; hunks: number }> = [];

  /** Hunks that nobody answered, in the order of the files. */
  get all(): readonly OpenHunk[] {
    return this.#hunks.filter(({ key }) => !this.#answered.has(key));
  }

  get open(): readonly OpenHunk[] {
    return this.all.filter(one => this.fits(one.hunk, this.filter));
  }

  fits(hunk: ReviewHunk, { path, who, words, fresh }: ReviewFilter): boolean {
    const { edits } = hunk;
    const isThere = path === '' || hunk.path === path || (path.endsWith('/') && hunk.path.startsWith(path));
    if (!isThere || (who !== '' && !edits.some(edit => whoOf(edit) === who))) return false;
    if (fresh && !edits.some(({ commit }) => commit === null || fresh.has(commit))) return false;
    const reasons = edits.flatMap(({ reason, subject }) => [reason, subject]);
    const text = [hunk.path, ...reasons, ...hunk.before.lines, ...hunk.after.lines].join('\n').toLowerCase();
    return wordsIn(words).every(word => text.includes(word));
  }

  narrow(filter: Partial<ReviewFilter> | null): void {
    this.filter = filter === null ? ALL : { ...this.filter, ...filter };
  }

  get accepted(): number {
    return this.#count('accept');
  }

  get rejected(): number {
    return this.#count('reject');
  }

  #count(verdict: Verdict): number {
    return this.#done.reduce((all, one) => all + (one.verdict === verdict ? one.hunks : 0), 0);
  }

  /** Begins a listing, and returns its number for `take`. */
  begin(): number {
    return ++this.#listings;
  }

  take(hunks: readonly ReviewHunk[], listing: number): void {
    this.isListed = true;
    this.#listed = hunks;
    this.#hunks = this.#keyed();
    for (const [key, since] of this.#answered) if (listing >= since) this.#answered.delete(key);
  }

  /** Takes the hunks out of sight, until `resolve` says what became of that. */
  answer(hunks: readonly OpenHunk[]): void {
    for (const { key } of hunks) this.#answered.set(key, Number.POSITIVE_INFINITY);
  }

  /** Notes that the answer to hunks was done, or shows them again. */
  resolve(hunks: readonly OpenHunk[], verdict: Verdict, isDone: boolean): void {
    for (const { key } of hunks) {
      if (isDone) this.#answered.set(key, this.#listings + 1);
      else this.#answered.delete(key);
    }
    if (isDone) this.#done.push({ verdict, hunks: hunks.length });
  }

  /** Notes that the newest answer was taken back. */
  undoLast(): void {
    this.#done.pop();
  }

  /** Splits a hunk into pieces, and returns the first; `null` where it is one piece. */
  split({ key, hunk }: OpenHunk): OpenHunk | null {
    if (splitHunk(hunk).length < 2) return null;
    const at = this.#hunks.findIndex(one => one.key === key);
    this.#split.add(key);
    this.#hunks = this.#keyed();
    return this.#hunks[at] ?? null;
  }

  #keyed(): OpenHunk[] {
    const whole = keyed(this.#listed);
    const pieces = whole.flatMap(one => (this.#split.has(one.key) ? splitHunk(one.hunk) : [one.hunk]));
    return pieces.length === whole.length ? whole : keyed(pieces);
  }
}

/** Gives each hunk its key; equal hunks of one file are told apart by their order. */
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

/** Names the maker of an edit, as people read it. */
export function whoOf({ person, author, agent }: ReviewHunk['edits'][number]): string {
  return person ? author : (agent ?? author);
}
