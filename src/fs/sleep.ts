/** Taken once: a test may have the clock stand still. */
const { setImmediate: soon } = globalThis as { setImmediate?: (resolve: () => void) => unknown };

/** Resolves when what was begun in this turn of the event loop is on its way; at once where only Node could tell. */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => (soon ? soon(resolve) : resolve()));
}

/** Resolves after so many milliseconds, or when the signal is aborted. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
