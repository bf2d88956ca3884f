/** One queue for each work tree, shared by all workspaces of the process: one writer at a time. */

const tails = new Map<string, Promise<unknown>>();

/** What an action came to, and what is still to be done before the next one may begin. */
export interface Finished<T> {
  value: T;
  rest: Promise<unknown>;
}

/** Runs `action` after everything queued before it under `key`, the rest of it included, has come to its end. */
export function enqueue<T>(key: string, action: () => Promise<Finished<T>>): Promise<T> {
  const before = tails.get(key) ?? Promise.resolve();
  const result = before.then(action, action);
  const tail = result
    .then(finished => finished.rest)
    .catch(() => {})
    .finally(() => {
      if (tails.get(key) === tail) tails.delete(key);
    });
  tails.set(key, tail);
  return result.then(finished => finished.value);
}

/** Resolves when nothing is queued or under way under `key`. */
export async function drained(key: string): Promise<void> {
  while (tails.has(key)) await tails.get(key);
}
