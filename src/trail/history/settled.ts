/**
 * Finds the hunks of a file's history that HEAD has: what they put in and took out is HEAD's own text since, and was
 * changed since line by line, not as one place. A hunk counts that HEAD has new lines of, and all the rest of which
 * later ones changed that it has, too.
 */

import type { Hunk, Weave, WovenRow } from './weave.ts';

export class Settled {
  readonly #head: ReadonlySet<WovenRow>;
  readonly #known = new Map<Hunk, boolean>();
  readonly #recorded: number;
  readonly #hunks: ReadonlySet<Hunk>;

  /** `recorded`: how many steps of the weave are recorded; HEAD and the file may come after them. */
  constructor({ hunks }: Weave, head: ReadonlySet<WovenRow>, recorded: number) {
    this.#head = head;
    this.#recorded = recorded;
    // The newest first: each asks of later ones alone.
    const newest = [...hunks].reverse().filter(hunk => hunk.step < recorded && this.#isLanded(hunk));
    // What was there before it all tells nothing: HEAD may never have had more.
    this.#hunks = new Set(newest.filter(({ fresh }) => fresh.some(row => head.has(row))));
  }

  has(hunk: Hunk): boolean {
    return this.#hunks.has(hunk);
  }

  /** The step of the newest of these hunks that touched one of the rows; -1 for none. What was before it is over. */
  since(rows: readonly WovenRow[]): number {
    const hunks = rows.flatMap(({ events }) => events.map(({ hunk }) => hunk));
    return hunks.reduce((newest, hunk) => (this.has(hunk) ? Math.max(newest, hunk.step) : newest), -1);
  }

  #isLanded(hunk: Hunk): boolean {
    const known = this.#known.get(hunk);
    if (known !== undefined) return known;
    const isAs = (wanted: boolean) => (row: WovenRow) =>
      this.#head.has(row) === wanted || this.#wasChangedSince(row, hunk, wanted);
    const { fresh, returned, gone } = hunk;
    const is = [...fresh, ...returned].every(isAs(true)) && gone.every(isAs(false));
    this.#known.set(hunk, is);
    return is;
  }

  #wasChangedSince({ events }: WovenRow, { step }: Hunk, wasPut: boolean): boolean {
    const later = events.filter(({ hunk }) => hunk.step > step && hunk.step < this.#recorded);
    return later.some(({ hunk, effect }) => (effect === 'taken out') === wasPut && this.#isLanded(hunk));
  }
}
