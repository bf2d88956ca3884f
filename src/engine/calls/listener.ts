/**
 * Keeps a workspace's listener apart from its work: what it throws fails no call, and is not lost. It goes
 * to `onEventError`; where there is none, into the warnings of the next answer.
 */

import { thrownWords } from '../../errors.ts';
import type { Answer } from '../answer.ts';
import type { WorkspaceEvent } from './events.ts';

/** The result is not awaited; a rejection is noticed. */
export type Listen = (event: WorkspaceEvent) => unknown;

/** Receives what a listener threw, or what its promise was rejected with. */
export type ListenError = (error: unknown, event: WorkspaceEvent) => void;

/** The most failures that wait to be told; those after them are likely the same. */
const WAITING = 10;

export class Listener {
  readonly #listen: Listen | undefined;
  readonly #onError: ListenError | undefined;
  #waiting: string[] = [];

  /** False where nobody listens: then no event is made, and the host's clock not asked for one. */
  readonly listens: boolean;

  constructor(listen: Listen | undefined, onError: ListenError | undefined) {
    this.#listen = listen;
    this.#onError = onError;
    this.listens = listen !== undefined;
  }

  /** Tells of the event that `make` makes, if anybody listens. Never throws. */
  emit(make: () => WorkspaceEvent): void {
    if (!this.#listen) return;
    const event = make();
    try {
      const returned = this.#listen(event);
      if (returned instanceof Promise) returned.catch(error => this.#failed(error, event));
    } catch (error) {
      this.#failed(error, event);
    }
  }

  /** The answer with the failures that nobody was told of yet. */
  warned<A extends Answer<unknown>>(answer: A): A {
    const failures = this.#waiting;
    if (failures.length === 0) return answer;
    this.#waiting = [];
    const data = answer.data as { warnings?: readonly string[] };
    return { ...answer, data: { ...data, warnings: [...(data.warnings ?? []), ...failures] } };
  }

  #failed(error: unknown, event: WorkspaceEvent): void {
    try {
      if (this.#onError) this.#onError(error, event);
      else this.warn(`The listener of events (onEvent) failed at ${event.kind}: ${thrownWords(error)}`);
    } catch (second) {
      this.warn(`onEventError failed: ${thrownWords(second)}`);
    }
  }

  /** Puts words into the warnings of the next answer. */
  warn(words: string): void {
    if (this.#waiting.length < WAITING) this.#waiting.push(words);
  }
}
