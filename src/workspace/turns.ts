/** The calls of a session, one after the other in the order in which they were made, reads too. */

import * as z from 'zod';
import { type CheckOptions, objectWith, optionsCheck } from './call-options.ts';
import type { Advice, Moment } from './views.ts';

export class Turns {
  readonly #running: Set<Promise<unknown>>;
  #last: Promise<unknown> = Promise.resolve();

  /** `running` holds every call that has not come to its end. */
  constructor(running: Set<Promise<unknown>> = new Set()) {
    this.#running = running;
  }

  /**
   * Runs `action` when every call made before it has ended; rejects without running it when `signal` is aborted by then.
   * An action that waits for a later call of the same turns waits for ever.
   */
  next<T>(action: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const mine = this.#last.then(() => {
      signal?.throwIfAborted();
      return action();
    });
    const ended: Promise<unknown> = mine.catch(() => {}).finally(() => this.#running.delete(ended));
    this.#last = ended;
    this.#running.add(ended);
    return mine;
  }

  /**
   * The items that `make` gives. Only reading up to the first of them is a call in its turn: whoever reads on may make
   * calls of the same session in between, and may stop.
   */
  async *each<T>(make: () => AsyncGenerator<T>): AsyncGenerator<T> {
    const items = make();
    const first = await this.next(() => items.next());
    if (first.done) return;
    try {
      yield first.value;
      yield* items;
    } finally {
      await items.return(undefined);
    }
  }
}

/** Options of a turn. */
export interface TurnOptions {
  /** Aborted before its turn comes, the call is not begun. */
  signal?: AbortSignal | undefined;
  /** How refusals tell the caller to look again; default: by `view`, or by citing a version. */
  advice?: Advice | undefined;
  /** The request that the one edit of this turn is for: sent again with the same `edit_id`, it is the same one. */
  asked?: { tool: string; input: object } | undefined;
  /** When this was asked for; default: now. */
  known?: Moment | undefined;
  /** False when the agent is not shown the messages of these edits; default true. */
  shown?: boolean | undefined;
}

export const checkTurn: CheckOptions<TurnOptions> = optionsCheck(
  {
    signal: objectWith<AbortSignal>('throwIfAborted').optional(),
    advice: z.strictObject({ view: z.string().nullable(), version: z.boolean() }).optional(),
    asked: z.strictObject({ tool: z.string(), input: z.custom<object>() }).optional(),
    known: z.custom<Moment>(Array.isArray, 'what session.moment() answered').optional(),
    shown: z.boolean().optional(),
  },
  {},
);
