/** A caller's wish to have a call stopped, heard until its change is being made: from then on the edit is done, and said to be. */

import { EditError } from '../../errors.ts';

/** Options of every call. */
export interface CallOptions {
  /**
   * When it is aborted before a change is being made, the call rejects with the signal's reason, at once, and nothing is
   * or will be changed. Later the call goes on to its end: what is in history is answered as done.
   */
  signal?: AbortSignal | undefined;
}

export class Cancellation {
  readonly #signal: AbortSignal | undefined;
  #isHeard = true;

  constructor(outer?: AbortSignal, own?: AbortSignal) {
    this.#signal = outer && own ? AbortSignal.any([outer, own]) : (own ?? outer);
  }

  get signal(): AbortSignal | undefined {
    return this.#signal;
  }

  /** Throws the signal's reason when it is aborted. */
  check(): void {
    this.#signal?.throwIfAborted();
  }

  /** Notes that from here on the call is finished, whatever is aborted. Throws the signal's reason when it is aborted already. */
  begin(): void {
    this.check();
    this.#isHeard = false;
  }

  /** Hears the signal again, when what was begun came to nothing. */
  resume(): void {
    this.#isHeard = true;
  }

  /** True for what a cancelled call throws: not a failure of anything. */
  isReason(thrown: unknown): boolean {
    return this.#signal?.aborted === true && thrown === this.#signal.reason;
  }

  /** Answers as the promise does, but rejects at once when the signal is aborted while it is heard. */
  race<T>(call: Promise<T>): Promise<T> {
    const signal = this.#signal;
    if (!signal) return call;
    return new Promise<T>((resolve, reject) => {
      const stop = (): void => {
        if (this.#isHeard) reject(signal.reason);
      };
      const end = onAbort(signal, stop);
      if (signal.aborted) stop();
      call.then(resolve, reject).finally(end);
    });
  }
}

/** The calls that hear a signal, behind one listener. */
interface Hearing {
  stops: Set<() => void>;
  all: () => void;
}

/** By signal. Node warns of a leak where more than ten listeners hear one. */
const hearings = new WeakMap<AbortSignal, Hearing>();

/** Calls `stop` when the signal is aborted, until what this answers is called. */
function onAbort(signal: AbortSignal, stop: () => void): () => void {
  const { stops, all } = hearings.get(signal) ?? listen(signal);
  stops.add(stop);
  return () => {
    if (!stops.delete(stop) || stops.size > 0) return;
    signal.removeEventListener('abort', all);
    hearings.delete(signal);
  };
}

function listen(signal: AbortSignal): Hearing {
  const stops = new Set<() => void>();
  const all = (): void => {
    for (const stop of [...stops]) stop();
  };
  const hearing = { stops, all };
  hearings.set(signal, hearing);
  signal.addEventListener('abort', all, { once: true });
  return hearing;
}

/** Options in two parts: what every call may be given, not checked yet, and the call's own. */
export function splitOptions<T extends object>(options: T & CallOptions): { call: CallOptions; own: T } {
  if (typeof options !== 'object' || options === null || !('signal' in options))
    return { call: {}, own: options };
  const { signal, ...own } = options;
  return { call: { signal }, own: own as unknown as T };
}

/** The cancellation of a call within others that have one. What is not a signal is refused by checkCall. */
export function cancellation(outer: AbortSignal | undefined, options: CallOptions): Cancellation {
  const { signal } = Object(options) as CallOptions;
  if (!outer && !signal) return NEVER;
  return new Cancellation(outer, isSignal(signal) ? signal : undefined);
}

/** Without a signal nothing is ever cancelled. */
const NEVER = new Cancellation();

/** Throws INVALID_INPUT for what is no signal, and for other options. */
export function checkCall(call: string, options: CallOptions): void {
  if (typeof options !== 'object' || options === null)
    throw refused(call, 'options must be given as an object', 'options');
  const { signal, ...others } = options;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    const name = other.slice(0, 60);
    const words = `there is no option \`${name}\` here, only \`signal\`: what a call is to do goes into its input`;
    throw refused(call, words, name);
  }
  if (signal === undefined || signal === null || isSignal(signal)) return;
  throw refused(call, '`signal` must be an AbortSignal, as `new AbortController().signal` is', 'signal');
}

function isSignal(given: unknown): given is AbortSignal {
  const { throwIfAborted, addEventListener } = Object(given) as Partial<AbortSignal>;
  return typeof throwIfAborted === 'function' && typeof addEventListener === 'function';
}

function refused(call: string, words: string, field: string): EditError {
  return new EditError('INVALID_INPUT', `${call}: ${words}. Nothing was done.`, { fields: [field] });
}
