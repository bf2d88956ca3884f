/** Random numbers that are the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2654435761) % 2 ** 32;
  }

  /** A whole number from 0 to below `n`. */
  below(n: number): number {
    this.#state = (this.#state * 1664525 + 1013904223) % 2 ** 32;
    return Math.floor((this.#state / 2 ** 32) * n);
  }

  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}

/** Changes a text in one place: up to two lines go, and up to two that `line` makes come. */
export function changed(random: Random, text: readonly string[], line: () => string): string[] {
  const at = random.below(text.length + 1);
  const gone = Math.min(random.below(3), text.length - at);
  const count = gone === 0 ? 1 + random.below(2) : random.below(3);
  return text.toSpliced(at, gone, ...Array.from({ length: count }, line));
}
