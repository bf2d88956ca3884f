/**
 * The calls of a workspace that are under way, and those of a session, one after the other in the order in which they were
 * made, reads too.
 */

import { EditError } from '../../errors.ts';
import type { OpenTurn, TurnStore } from '../../fs/open-turns.ts';
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
   * the same turns waits for ever. Rejects with INVALID_INPUT in a workspace that was closed before the call was made, and
   * within a turn of these calls, which it would wait for.
   */
  next<T>(action: () => Promise<T>, cancel: Cancellation = new Cancellation()): Promise<T> {
    for (let turn = this.#calls.turns?.getStore(); turn; turn = turn.outer)
      if (turn.isOpen && turn.queue === this) return Promise.reject(withinItself());
    const call = this.#calls.next(action, cancel, this.#last);
    this.#last = call.catch(() => {});
    return cancel.race(call);
  }

  /** Runs `work` in a turn of these calls: a call of them within it is refused. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const { turns } = this.#calls;
    if (!turns) return work();
    const turn: OpenTurn = { queue: this, isOpen: true, outer: turns.getStore() };
    try {
      return await turns.run(turn, work);
    } finally {
      turn.isOpen = false;
    }
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
  readonly turns: TurnStore | undefined;

  /** `before`: done before each of them, when there are `files` for it. Where it fails, the call goes on without it. */
  constructor(before?: () => Promise<void>, files?: OpenFiles, turns?: TurnStore) {
    this.#before = before;
    this.#files = files;
    this.turns = turns;
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

/** Refuses a call that would wait for itself. */
function withinItself(): EditError {
  const words =
    'This call is made within inTurn of the same session, and would wait for the turn that it is in. Nothing was done. Make it with the session that inTurn gives to its function.';
  return new EditError('INVALID_INPUT', words, {});
}

/** Reads too: they would open files again that nobody closes any more. */
function closedWorkspace(): EditError {
  return new EditError(
    'INVALID_INPUT',
    'The workspace is closed, so nothing was read or changed. Open it again with openWorkspace, and make the call in a session of that one.',
    { closed: true },
  );
}
