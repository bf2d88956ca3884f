/** Tells which commits of the trail a landed commit names, and which of the trail's commits are named. */

import { isOutside } from '../../operations.ts';
import type { TrailRow } from '../walk.ts';
import type { Lands } from './lands-trailer.ts';

/**
 * As few trailers as name the `chosen` of these commits (oldest first) and none of the others. Outside changes are named
 * one by one; in a row they count for nothing.
 */
export function landsOf(chain: readonly Link[], chosen: ReadonlySet<string>): Lands[] {
  const named: Lands[] = [];
  let row: Link[] = [];
  const endRow = (): void => {
    named.push(...rowOf(row));
    row = [];
  };
  for (const entry of chain) {
    const isChosen = chosen.has(entry.commit);
    if (!isOutside(entry.op) && isChosen) row.push(entry);
    else if (isChosen) named.push({ after: null, last: entry.commit });
    else if (!isOutside(entry.op)) endRow();
  }
  endRow();
  return named;
}

type Link = Pick<TrailRow, 'commit' | 'op' | 'parent'>;

function rowOf(row: readonly Link[]): Lands[] {
  const [first, second] = row;
  if (first === undefined) return [];
  const last = row.at(-1)!.commit;
  const after = first.parent;
  if (second !== undefined && after !== null) return [{ after, last }];
  const alone = { after: null, last: first.commit };
  // Nothing is before a trail that began on a branch without a commit: its first edit is named by itself.
  return second === undefined ? [alone] : [alone, { after: first.commit, last }];
}

/** Told of a trail's commits from the newest backwards: which of them the landings known so far hold. */
export class LandedRows {
  readonly #ends = new Map<string, Array<{ after: string | null; by: string }>>();
  /** By the commit that a row ends before, the commit that says so. */
  readonly #open = new Map<string, string>();
  readonly #passed = new Set<string>();

  /** `by` is the commit that says so. Counts for commits that are still to come. */
  add(lands: readonly Lands[], by: string): void {
    for (const { after, last } of lands) {
      const ends = this.#ends.get(last) ?? [];
      this.#ends.set(last, [...ends, { after, by }]);
    }
  }

  /** True when it is known already that the next older commit has landed. */
  covers({ commit, op }: Pick<TrailRow, 'commit' | 'op'>): boolean {
    if (this.#ends.size > 0 && this.#ends.has(commit)) return true;
    return !isOutside(op) && this.#open.size > (this.#open.has(commit) ? 1 : 0);
  }

  /**
   * Takes in the next older commit; answers the commit that holds it, or `null`. A row that began below all of the trail
   * ends with it; outside changes land only by name.
   */
  note({ commit, op }: Pick<TrailRow, 'commit' | 'op'>): string | null {
    this.#passed.add(commit);
    if (this.#open.size === 0 && !this.#ends.has(commit)) return null;
    this.#open.delete(commit);
    let named: string | null = null;
    for (const { after, by } of this.#ends.get(commit) ?? []) {
      if (after === null) named ??= by;
      else if (!this.#passed.has(after)) this.#open.set(after, by);
    }
    const [row = null] = this.#open.values();
    return named ?? (isOutside(op) ? null : row);
  }
}
