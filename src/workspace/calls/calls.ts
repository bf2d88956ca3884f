/** The calls of a workspace that are under way. When it is closed, those come to their end and no other one begins. */

import { EditError } from '../../errors.ts';

export class Calls {
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;

  /** Throws INVALID_INPUT when the workspace is closed. */
  assertOpen(): void {
    if (this.#closed) throw closedWorkspace();
  }

  /** Runs a call, unless the workspace is closed: then it rejects with INVALID_INPUT. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    this.assertOpen();
    const mine = call();
    const ended: Promise<unknown> = mine.catch(() => {}).finally(() => this.#running.delete(ended));
    this.#running.add(ended);
    return mine;
  }

  /** Resolves when every call that was made before has come to its end. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}

/** Reads too: they would open files again that nobody closes any more. */
function closedWorkspace(): EditError {
  return new EditError(
    'INVALID_INPUT',
    'The workspace is closed, so nothing was read or changed. Open it again with openWorkspace, and make the call in a session of that one.',
    { closed: true },
  );
}
