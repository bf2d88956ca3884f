/** The calls of one process that want the same thing, one after the other. */

export class LineInProcess {
  #isBusy = false;
  readonly #waiting: Array<() => void> = [];

  /** Waits for the calls before this one. False when the deadline, a monotonic time, came first: then there is nothing to leave. */
  async enter(deadline: number = Number.POSITIVE_INFINITY): Promise<boolean> {
    if (this.#isBusy) return this.#wait(deadline);
    this.#isBusy = true;
    return true;
  }

  #wait(deadline: number): Promise<boolean> {
    return new Promise(resolve => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const go = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        resolve(false);
      };
      this.#waiting.push(go);
      if (Number.isFinite(deadline)) timer = setTimeout(giveUp, Math.max(0, deadline - performance.now()));
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#isBusy = false;
  }
}
