/** Tells where text stands that came to a place since rows of it went, and whether these could come back between. Pure. */

import { isLiveAfter, type WovenRow } from './weave.ts';

/** True for a row that some version had before the step. */
export function isOlder({ inBase, events }: WovenRow, step: number): boolean {
  return inBase || events[0]!.hunk.step < step;
}

/** `own`: they themselves, and what is back in place of text around them. `at`: text that was put where they are to be. */
type Side = 'before' | 'after' | 'own' | 'at';

/** Tells where rows stand against rows that are gone. */
export class Places {
  readonly #step: number;
  readonly #order: ReadonlyMap<WovenRow, number>;
  readonly #known = new Map<WovenRow, Side>();
  readonly #rows: readonly WovenRow[];

  constructor(step: number, rows: readonly WovenRow[], order: ReadonlyMap<WovenRow, number>) {
    this.#step = step;
    this.#order = order;
    this.#rows = rows;
    for (const row of rows) this.#known.set(row, 'own');
  }

  isAt(row: WovenRow): boolean {
    const side = this.#of(row);
    return side === 'at' || side === 'own';
  }

  /** True where a version had a row between them and this one, and it is known where that stands. */
  #isBeyond(row: WovenRow): boolean {
    const isBefore = this.#isBefore(row);
    const own = new Set(this.#rows);
    const next = (one: WovenRow): WovenRow | null => (isBefore ? one.next : one.previous);
    for (let at = next(row); at && !own.has(at); at = next(at))
      if (this.#isSettled(at) && !this.#standsForAll(at) && wereTogether(at, row)) return true;
    return false;
  }

  /**
   * A row that stood in a text together with them, or is older, stands as it did; another one where those stood that it
   * replaced, or between those that it was put between.
   */
  #of(row: WovenRow): Side {
    // One line may have been replaced ten thousand times: no recursion.
    for (const open = [row]; open.length > 0; ) {
      const next = open.at(-1)!;
      const unknown = this.#bearings(next).filter(one => !this.#known.has(one));
      if (unknown.length > 0) open.push(...unknown);
      else {
        if (!this.#known.has(next)) this.#known.set(next, this.#sideOf(next));
        open.pop();
      }
    }
    return this.#known.get(row)!;
  }

  #isSettled(row: WovenRow): boolean {
    const { inBase, events } = row;
    if (inBase || events[0]!.hunk.step <= this.#step) return true;
    return this.#wasWith(row);
  }

  #wasWith(row: WovenRow): boolean {
    return this.#rows.some(one => wereTogether(one, row));
  }

  #isBefore(row: WovenRow): boolean {
    return this.#order.get(row)! < this.#order.get(this.#rows[0]!)!;
  }

  /** True for a row among them that never stood in a text with one of them. */
  #isInside(row: WovenRow): boolean {
    return !this.#isBefore(row) && this.#order.get(row)! < this.#order.get(this.#rows.at(-1)!)!;
  }

  /** True for a row that is back in place of rows that stood around these. */
  #standsForAll({ events }: WovenRow): boolean {
    return events.some(({ effect, hunk: { fresh } }) => {
      const around = new Set(fresh.map(one => this.#isBefore(one)));
      return effect === 'taken out' && around.size === 2;
    });
  }

  /** The rows by which it is told where this one stands. */
  #bearings(row: WovenRow): readonly WovenRow[] {
    if (this.#known.has(row) || this.#isSettled(row)) return [];
    const { gone, left, right } = row.events[0]!.hunk;
    return gone.length > 0 ? gone : [left, right].filter(one => one !== null);
  }

  #sideOf(row: WovenRow): Side {
    if (this.#isSettled(row)) {
      const isWith = this.#wasWith(row);
      if (!isWith && this.#standsForAll(row)) return 'own';
      if (!isWith && this.#isInside(row)) return 'at';
      return this.#isBefore(row) ? 'before' : 'after';
    }
    const side = this.#derived(row);
    return side === 'at' && this.#isBeyond(row) ? (this.#isBefore(row) ? 'before' : 'after') : side;
  }

  #derived({ events }: WovenRow): Side {
    const { gone, left, right } = events[0]!.hunk;
    if (gone.length > 0) {
      const sides = new Set(gone.map(one => this.#known.get(one)!));
      const [only] = sides;
      return sides.size === 1 && only !== 'own' ? only! : 'at';
    }
    const above = left ? this.#known.get(left)! : 'before';
    const below = right ? this.#known.get(right)! : 'after';
    if (above === 'after' || (above === 'own' && below === 'after')) return 'after';
    if (below === 'before' || (below === 'own' && above === 'before')) return 'before';
    return 'at';
  }
}

/** True where one version had both. */
export function wereTogether(a: WovenRow, b: WovenRow): boolean {
  const steps = [-1, ...[...a.events, ...b.events].map(({ hunk }) => hunk.step)];
  return steps.some(step => isLiveAfter(a, step) && isLiveAfter(b, step));
}
