/** Long work gives the event loop its turn every few milliseconds. */

import type { PackCodec } from '../objects/object.ts';

const MILLISECONDS = 4;

export class Pace {
  readonly #turn: () => Promise<void>;
  #since = performance.now();

  constructor({ turn }: Pick<PackCodec, 'turn'>) {
    this.#turn = turn;
  }

  /** True when it is time for `turn`. */
  get isDue(): boolean {
    return performance.now() - this.#since >= MILLISECONDS;
  }

  async turn(): Promise<void> {
    await this.#turn();
    this.#since = performance.now();
  }

  /** Runs work that is cut into steps. */
  async run<T>(steps: Generator<void, T>): Promise<T> {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      if (this.isDue) await this.turn();
    }
  }
}
