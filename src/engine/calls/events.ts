/**
 * Events of a workspace for those who listen: every edit, refusal, outside change and undo; reads where that is asked
 * for.
 */

import { type EditError, thrownWords } from '../../errors.ts';
import type { Answer, DonePath } from '../answer.ts';
import type { EditorFacts } from '../editor.ts';

/** The editor, in every event. */
export interface By extends EditorFacts {
  session: string;
  agent: string | undefined;
  model: string | undefined;
}

/** Ids and the reason that the caller gave with the call. */
export interface CallIds {
  /** The id of the tool call. */
  call: string | undefined;
  /** The caller's own id for the request. */
  edit_id: string | undefined;
  reason: string | undefined;
}

/** The fields of every event. */
export interface EventStart extends By, CallIds {
  /** The time of the event: ISO 8601, UTC. */
  time: string;
}

export type WorkspaceEvent = EventStart &
  (
    | {
        kind: 'edit' | 'undo';
        op: string;
        commit: string;
        subject: string;
        paths: string[];
        /** Each with the version to cite when it is saved next. */
        files: DonePath[];
        milliseconds: number;
      }
    | {
        /** A person accepted or rejected, or took that back. */
        kind: 'review';
        op: string;
        commit: string;
        subject: string;
        paths: string[];
        /** Those that hold something else now; of what was accepted none. */
        files: DonePath[];
      }
    | { kind: 'outside'; commit: string; paths: string[] }
    | { kind: 'refusal'; op: string; error: EditError; milliseconds: number }
    | { kind: 'read'; op: string; path: string | undefined; milliseconds: number }
    | { kind: 'open'; path: string }
  );

/** The result is not awaited; a rejection is noticed. */
export type Listen = (event: WorkspaceEvent) => unknown;

/** Receives what a listener threw, or what its promise was rejected with. */
export type ListenError = (error: unknown, event: WorkspaceEvent) => void;

/** The most failures that wait to be told; those after them are likely the same. */
const WAITING = 10;

/**
 * Keeps a workspace's listener apart from its work: what it throws fails no call, and is not lost. It goes to `onEventError`;
 * where there is none, into the warnings of the next answer.
 */
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
