/** One call after the other, in the order in which they came: a view that is sent with an edit is done before it. */

/** Milliseconds. */
const A_MOMENT = 20;

export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `action` when everything before it has come to its end; not at all when `signal` is aborted by then. */
  next<T>(signal: AbortSignal, action: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(() => {
      signal.throwIfAborted();
      return action();
    });
    this.#last = mine.catch(() => {});
    return mine;
  }

  /** When all that was asked for is done: what has just been read becomes a call a moment later. */
  async idle(): Promise<void> {
    for (let seen: unknown = null; seen !== this.#last; ) {
      seen = this.#last;
      await seen;
      await new Promise(done => setTimeout(done, A_MOMENT));
    }
  }
}
