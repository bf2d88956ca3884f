/** A cache with a budget in bytes; what was not used for the longest time goes first. */

/** `cost` gives the bytes that a value counts for. A value over a quarter of the budget is not kept at all. */
export class LruCache<K, V> {
  /** The entries in the order of their use, the one used last at the end. */
  readonly #entries = new Map<K, { value: V; cost: number }>();
  readonly #budget: number;
  readonly #cost: (value: V) => number;
  #bytes = 0;

  constructor(budget: number, cost: (value: V) => number) {
    this.#budget = budget;
    this.#cost = cost;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: K, value: V): void {
    this.delete(key);
    const cost = this.#cost(value);
    if (cost > this.#budget / 4) return;
    this.#entries.set(key, { value, cost });
    this.#bytes += cost;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#budget) return;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    this.#bytes -= this.#entries.get(key)?.cost ?? 0;
    this.#entries.delete(key);
  }
}
