/** The change that is being made now, to which work in the background gives way: beside it, each would slow the other down. */

import { sleep } from '../../fs/sleep.ts';

/** Work in the background waits no longer than this, in milliseconds: a change may wait for a hook of a person. */
const LONGEST = 50;

export class PresentChange {
  #ended: Promise<void> | null = null;

  /** Until `made` has come to its end, it is the present one. */
  begin(made: Promise<unknown>): void {
    const end = (): void => {
      if (this.#ended === ended) this.#ended = null;
    };
    const ended: Promise<void> = made.then(end, end);
    this.#ended = ended;
  }

  /** Resolves when it has ended, or has taken long; at once where there is none. */
  async ended(): Promise<void> {
    if (!this.#ended) return;
    const stop = new AbortController();
    await Promise.race([this.#ended, sleep(LONGEST, stop.signal)]);
    stop.abort();
  }
}
