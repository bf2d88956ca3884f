/** A cache with a budget in bytes; what was not used for the longest time goes first. */

/** A ring of entries, from the one that was used last to the oldest; to move one costs less than to put it into a map anew. */
interface Entry<K, V> {
  key: K;
  value: V;
  cost: number;
  newer: Entry<K, V>;
  older: Entry<K, V>;
}

/** `cost` gives the bytes that a value counts for. A value over a quarter of the budget is not kept at all. */
export class LruCache<K, V> {
  readonly #entries = new Map<K, Entry<K, V>>();
  readonly #budget: number;
  readonly #cost: (value: V) => number;
  /** The newest entry, through which the ring is entered; the one newer than it is the oldest. */
  #newest: Entry<K, V> | null = null;
  #bytes = 0;

  constructor(budget: number, cost: (value: V) => number) {
    this.#budget = budget;
    this.#cost = cost;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry !== this.#newest) {
      this.#takeOut(entry);
      this.#putIn(entry);
    }
    return entry.value;
  }

  set(key: K, value: V): void {
    this.delete(key);
    const cost = this.#cost(value);
    if (cost > this.#budget / 4) return;
    const entry = { key, value, cost } as Entry<K, V>;
    this.#putIn(entry);
    this.#entries.set(key, entry);
    this.#bytes += cost;
    while (this.#bytes > this.#budget) this.delete(this.#newest!.newer.key);
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#takeOut(entry);
    this.#bytes -= entry.cost;
  }

  #putIn(entry: Entry<K, V>): void {
    const newest = this.#newest ?? entry;
    entry.older = newest;
    entry.newer = newest === entry ? entry : newest.newer;
    entry.newer.older = entry;
    newest.newer = entry;
    this.#newest = entry;
  }

  #takeOut(entry: Entry<K, V>): void {
    if (this.#newest === entry) this.#newest = entry.older === entry ? null : entry.older;
    entry.newer.older = entry.older;
    entry.older.newer = entry.newer;
  }
}
