/**
 * Leaving a turn to others. A host that has just pushed has nothing to fetch and nothing to merge, so where it goes on at
 * once it is first again, and one that has to merge, or is slower, may lose each race. So a host that was first several
 * times in a row lets some time pass, in which another one can fetch, merge and push. Where nobody came, it is left alone
 * for longer.
 */

/** The result of a sync. */
export interface Turn {
  /** True when commits of others came in. */
  hasPulled: boolean;
  /** The number of rounds in which it fetched, merged and pushed. */
  rounds: number;
  /** Milliseconds. */
  took: number;
}

/** Pushes in a row, at first and at most, and how many rounds are left to others then. */
const FIRST = 4;
const LAST = 64;
const ROUNDS = 3;
/** Milliseconds: one sync that a bad network kept long must not keep every later one. */
const LONGEST = 10_000;

export class Turns {
  /** Pushes until a turn is left, and how many it began with. */
  #left = FIRST;
  #run = FIRST;
  /** Milliseconds of a round in which something is merged. */
  #round = 0;

  note({ hasPulled, rounds, took }: Turn): void {
    // To merge what others did takes about as long again as to push.
    this.#round = hasPulled ? took / rounds : Math.max(this.#round, 2 * took);
    if (hasPulled) this.#left = this.#run = FIRST;
    else this.#left--;
  }

  /** Milliseconds to wait before the next sync. `random` is from 0 to 1. */
  pause(random: number): number {
    if (this.#left > 0) return 0;
    this.#left = this.#run = Math.min(2 * this.#run, LAST);
    return Math.min(this.#round * ROUNDS * (0.5 + random), LONGEST);
  }
}
