/** One queue for each work tree, shared by all workspaces of the process: one writer at a time. */

const tails = new Map<string, Promise<unknown>>();

/** Runs `action` after everything queued before it under `key` has come to its end. */
export function enqueue<T>(key: string, action: () => Promise<T>): Promise<T> {
  const before = tails.get(key) ?? Promise.resolve();
  const result = before.then(action, action);
  const tail = result
    .catch(() => {})
    .finally(() => {
      if (tails.get(key) === tail) tails.delete(key);
    });
  tails.set(key, tail);
  return result;
}
