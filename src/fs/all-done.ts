/** Waiting: for several actions that are issued together, for those of a turn, for a time. */

/** Waits for all, and returns the results in order; throws the error of one that failed, when all have come to their end. */
export async function allDone<T>(actions: ReadonlyArray<Promise<T>>): Promise<T[]> {
  try {
    return await Promise.all(actions);
  } catch {
    const results = await Promise.allSettled(actions);
    throw results.find(result => result.status === 'rejected')!.reason;
  }
}

/** As many at once: each may hold a file open, and a process may have only so many of them. */
const AT_ONCE = 64;

/** Runs an action on each item, a bounded number at a time, and waits for all of them, also after one has failed. */
export async function eachDone<I, T>(items: readonly I[], action: (item: I) => Promise<T>): Promise<T[]> {
  // As a rule there is one file to an edit.
  if (items.length === 1) return [await action(items[0]!)];
  if (items.length <= AT_ONCE) return allDone(items.map(action));
  const begun: Promise<T>[] = [];
  const work = async (): Promise<void> => {
    while (begun.length < items.length) {
      const one = action(items[begun.length]!);
      begun.push(one);
      await one.catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return allDone(begun);
}

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
