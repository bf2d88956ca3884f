/** How many inputs were tried and what was lost: what a fuzz comes to, and what the long run prints. */

export interface Tally {
  name: string;
  tried: number;
  /** One line for each input that broke a promise; none is the aim. */
  lost: string[];
  /** Further figures for the reader. */
  notes?: string;
}

/** A source of numbers that gives the same ones again for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** 0 up to, without, `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * limit);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** True once in `n`. */
  once(n: number): boolean {
    return this.below(n) === 0;
  }
}

/** The seed of this run: another one each time, or the one that is to be run again. */
export const SEED: number = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** What a failure says, so that it can be seen again. */
export const SEEDED: string = `FUZZ_SEED=${SEED}`;
