/** Several actions issued together and awaited together. */

/** The results in order; when one fails, its error, but only after every other one has come to its end. */
export async function allDone<T>(actions: ReadonlyArray<Promise<T>>): Promise<T[]> {
  const results = await Promise.allSettled(actions);
  return results.map(result => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
