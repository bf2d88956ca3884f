/** Taken once: a test may have the clock stand still. */
const { setImmediate: soon } = globalThis as { setImmediate?: (resolve: () => void) => unknown };

/** Resolves when what was begun in this turn of the event loop is on its way; at once where only Node could tell. */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => (soon ? soon(resolve) : resolve()));
}

/** Resolves after so many milliseconds. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds));
}
