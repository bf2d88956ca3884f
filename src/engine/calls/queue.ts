/**
 * The calls of a workspace that are under way, and those of a session, one after the other in the order in which they were
 * made, reads too.
 */

import { EditError } from '../../errors.ts';
import { Cancellation } from './cancel.ts';
import type { OpenFiles } from './open-files.ts';

export class SerialQueue {
  readonly #calls: Calls;
  #last: Promise<unknown> = Promise.resolve();

  /** `calls` are those of the whole workspace; calls within another one are its business alone. */
  constructor(calls: Calls = new Calls()) {
    this.#calls = calls;
  }

  /**
   * Runs `action` when every call made before it has ended. Rejects at once when the call is cancelled, and the action
   * is then not begun; one that is under way ends before the next one begins. An action that waits for a later call of
   * the same turns waits for ever. Rejects with INVALID_INPUT in a workspace that was closed before the call was made.
   */
  next<T>(action: () => Promise<T>, cancel: Cancellation = new Cancellation()): Promise<T> {
    const call = this.#calls.next(action, cancel, this.#last);
    this.#last = call.catch(() => {});
    return cancel.race(call);
  }

  /**
   * The items that `make` gives. Only reading up to the first of them is a call in its turn: whoever reads on may make
   * calls of the same session in between, and may stop.
   */
  async *each<T>(make: () => AsyncGenerator<T>, cancel: Cancellation): AsyncGenerator<T> {
    let items: AsyncGenerator<T> | undefined;
    const first = async (): Promise<IteratorResult<T>> => {
      items = make();
      return items.next();
    };
    let item = await this.next(first, cancel);
    if (!items) return;
    try {
      while (!item.done) {
        yield item.value;
        cancel.check();
        item = await cancel.race(items.next());
      }
    } finally {
      await items.return(undefined);
    }
  }
}

export class Calls {
  #running = 0;
  #ended: (() => void) | null = null;
  readonly #before: (() => Promise<void>) | undefined;
  readonly #files: OpenFiles | undefined;
  #closed = false;

  /** `before`: done before each of them, when there are `files` for it. Where it fails, the call goes on without it. */
  constructor(before?: () => Promise<void>, files?: OpenFiles) {
    this.#before = before;
    this.#files = files;
  }

  /** Throws INVALID_INPUT when the workspace is closed. */
  assertOpen(): void {
    if (this.#closed) throw closedWorkspace();
  }

  /** Runs `action` as a call when `before`, which does not fail, has ended; not where the call is cancelled by then. */
  async next<T>(action: () => Promise<T>, cancel: Cancellation, before?: Promise<unknown>): Promise<T> {
    this.#begin();
    try {
      await before;
      cancel.check();
      await this.#files?.begin();
      try {
        await this.#before?.().catch(() => {});
        cancel.check();
        return await action();
      } finally {
        this.#files?.end();
      }
    } finally {
      this.#end();
    }
  }

  /** Runs a call, unless the workspace is closed: then it rejects with INVALID_INPUT. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    this.#begin();
    try {
      return await call();
    } finally {
      this.#end();
    }
  }

  #begin(): void {
    this.assertOpen();
    this.#running++;
  }

  #end(): void {
    this.#running--;
    if (this.#running === 0) this.#ended?.();
  }

  /** Resolves when every call that was made before has come to its end. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#running === 0) return;
    const others = this.#ended;
    await new Promise<void>(resolve => {
      this.#ended = () => {
        others?.();
        resolve();
      };
    });
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
