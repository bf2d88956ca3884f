/** A cache with a budget in bytes; what was not used for the longest time goes first. */

/** `cost` gives the bytes that a value counts for. A value over a quarter of the budget is not kept at all. */
export class LruCache<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #budget: number;
  readonly #cost: (value: V) => number;
  #bytes = 0;

  constructor(budget: number, cost: (value: V) => number) {
    this.#budget = budget;
    this.#cost = cost;
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.delete(key);
    if (this.#cost(value) > this.#budget / 4) return;
    this.#entries.set(key, value);
    this.#bytes += this.#cost(value);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#budget) break;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= this.#cost(value);
  }
}
