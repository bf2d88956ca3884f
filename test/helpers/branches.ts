/** Which branches of a random test ran: one that never does would pass for nothing. */

import { expect } from 'vitest';

export class Branches<Name extends string> {
  readonly #counts: Map<Name, number>;

  constructor(...names: readonly Name[]) {
    this.#counts = new Map(names.map(name => [name, 0]));
  }

  ran(name: Name): void {
    this.#counts.set(name, this.#counts.get(name)! + 1);
  }

  /** Fails the test, naming the branches that never ran. To be called at its end. */
  expectAll(): void {
    expect([...this.#counts].filter(([, count]) => count === 0).map(([name]) => `${name} never ran`)).toEqual(
      [],
    );
  }
}
