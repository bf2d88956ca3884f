/**
 * The one way in which a session makes a call. What it was given is checked at once and refused in its turn; it waits for
 * the calls made before it, can be cancelled until it changes something, and is answered in the words of its caller. Its
 * outcome is an event for those who listen, and brings what people rejected, which the agent has to know.
 */

import { EditError } from '../../errors.ts';
import { render, type Vocabulary } from '../../wording.ts';
import type { Answer } from '../answer.ts';
import type { Approve } from '../change/approval.ts';
import type { CallIds as KnownCalls } from '../change/call-ids.ts';
import { callIds } from '../change/edit-input.ts';
import type { Context } from '../context.ts';
import type { RejectionNotifier, Told } from '../rejections/telling.ts';
import type { Moment, Views } from '../views.ts';
import type { CheckOptions } from './call-options.ts';
import { type CallOptions, type Cancellation, cancellation, checkCall } from './cancel.ts';
import type { By, CallIds } from './events.ts';
import { asEditError } from './failure.ts';
import { localize } from './localize.ts';
import type { Notifier } from './notifier.ts';
import type { SerialQueue } from './queue.ts';
import type { Scope } from './scope.ts';
import { withRejections } from './with-rejections.ts';

/** The state that all calls of a session share, in whichever scope they are made. */
export interface SessionState {
  context: Context;
  by: By;
  beforeCommit: Approve | undefined;
  views: Views;
  /** Loaded where somebody rejected anything. */
  rejections: () => Promise<RejectionNotifier>;
  notifier: Notifier;
  /** The ids of tool calls by which it is told that one is repeated; `null`: none is. */
  toolCalls: KnownCalls | null;
  /** Commits by the names that the session gave them; `null`: there was none. */
  marks: Map<string, string | null>;
}

/** The arguments of a call: its own input or options, and the options that every call has. */
export interface Given {
  own: unknown;
  call: CallOptions;
}

/** A call that was made, for its events. */
interface Made {
  op: string;
  cancel: Cancellation;
  ids: Partial<CallIds>;
  known: Moment;
}

export class SessionCalls {
  readonly session: SessionState;
  readonly scope: Scope;
  readonly #queue: SerialQueue;

  constructor(session: SessionState, queue: SerialQueue, scope: Scope) {
    this.session = session;
    this.scope = scope;
    this.#queue = queue;
  }

  /** See Session.moment. */
  moment(): Moment {
    const { known, began } = this.scope;
    return [...known, [began, this.session.views.answers]];
  }

  /** Makes a call that shows the agent something or changes files. Rejects with an EditError, or the signal's reason. */
  make<Checked, A extends Answer<unknown>>(
    op: string,
    { own, call }: Given,
    check: CheckOptions<Checked>,
    work: (checked: Checked, cancel: Cancellation) => Promise<A>,
  ): Promise<A> {
    const begun = this.#begin(op, own, call, check);
    const { cancel } = begun;
    const made: Made = { op, cancel, ids: callIds(own), known: this.moment() };
    const { context, notifier } = this.session;
    const { vocabulary, shown } = this.scope;
    return this.#queue.next(async () => {
      const start = Date.now();
      try {
        const answer = await localize(context, vocabulary, () => work(checkedOf(begun), cancel));
        const told = notifier.done(op, answer, made.ids, Date.now() - start);
        // Where an agent is shown no messages but refusals, there is nothing else to tell it by.
        return shown ? withRejections(told, await this.#rejectionsOf(made, answer.data, vocabulary)) : told;
      } catch (error) {
        throw await this.#refused(made, error, Date.now() - start);
      }
    }, cancel);
  }

  /** Makes a call that reads for a program. It is an event only where the workspace tells of reads. */
  read<Checked, T>(
    op: string,
    { own, call }: Given,
    check: CheckOptions<Checked>,
    work: (context: Context, checked: Checked) => Promise<T>,
  ): Promise<T> {
    const begun = this.#begin(op, own, call, check);
    const { cancel } = begun;
    const { context, notifier } = this.session;
    const reading = readingContext(context, cancel);
    return this.#queue.next(async () => {
      const start = Date.now();
      try {
        const answer = await localize(context, this.scope.vocabulary, () => work(reading, checkedOf(begun)));
        notifier.read(op, (Object(own) as { path?: string }).path, Date.now() - start);
        return answer;
      } catch (error) {
        if (cancel.isReason(error)) throw error;
        const isTold = this.scope.tells && context.tellsReads;
        throw isTold ? await notifier.refused(op, error, Date.now() - start) : asEditError(error);
      }
    }, cancel);
  }

  /** Makes a call that reads one item at a time. */
  each<Checked, T>(
    op: string,
    { own, call }: Given,
    check: CheckOptions<Checked>,
    work: (context: Context, checked: Checked) => AsyncGenerator<T>,
  ): AsyncGenerator<T> {
    const begun = this.#begin(op, own, call, check);
    const reading = readingContext(this.session.context, begun.cancel);
    return this.#queue.each(() => work(reading, checkedOf(begun)), begun.cancel);
  }

  /** Does `work` in its turn, as a call that is no event and is answered as it is. */
  next<T>(op: string, { own, call }: Given, work: (cancel: Cancellation) => Promise<T>): Promise<T> {
    const begun = this.#begin(op, own, call, () => {});
    return this.#queue.next(async () => {
      checkedOf(begun);
      return work(begun.cancel);
    }, begun.cancel);
  }

  /** Returns what people rejected of what the session, or the files of `data`, hold; `null` where others tell it. */
  async rejections(
    known: Moment,
    input: unknown,
    data: unknown,
    vocabulary: Vocabulary,
  ): Promise<Told | null> {
    return this.#rejectionsOf({ known, ids: callIds(input) }, data, vocabulary);
  }

  async #rejectionsOf(
    { known, ids }: Pick<Made, 'known' | 'ids'>,
    data: unknown,
    vocabulary: Vocabulary,
  ): Promise<Told | null> {
    if (!this.scope.tells || !(await isAnyRejected(this.session))) return null;
    const rejections = await this.session.rejections();
    const told = await rejections.tell({ known, id: ids.call ?? ids.edit_id, data });
    return told && { ...told, message: render(told.message, vocabulary) };
  }

  /** Checks at once, for the caller may change what they gave; what is wrong is thrown by `checkedOf`, in the call's turn. */
  #begin<Checked>(op: string, own: unknown, call: CallOptions, check: CheckOptions<Checked>): Begun<Checked> {
    const cancel = cancellation(this.scope.signal, call);
    try {
      checkCall(`session.${op}`, call);
      return { cancel, checked: check(`session.${op}`, own) };
    } catch (error) {
      return { cancel, error };
    }
  }

  /** Returns what the call rejects with. A refusal tells of rejections too: it is an answer as any other. */
  async #refused(made: Made, thrown: unknown, milliseconds: number): Promise<unknown> {
    if (made.cancel.isReason(thrown)) return thrown;
    if (!this.scope.tells) return asEditError(thrown);
    const error = await this.session.notifier.refused(made.op, thrown, milliseconds, made.ids);
    const told = await this.#rejectionsOf(made, error.data, this.scope.vocabulary);
    if (!told) return error;
    const { message, data } = withRejections({ message: error.message, data: error.data }, told);
    return new EditError(error.code, message, data as never, { cause: error.cause ?? error });
  }
}

/** A call that waits for its turn: what its check answered, or threw. */
type Begun<Checked> = { cancel: Cancellation } & ({ checked: Checked } | { error: unknown });

function checkedOf<Checked>(begun: Begun<Checked>): Checked {
  if ('error' in begun) throw begun.error;
  return begun.checked;
}

/** Without a throw: that it is told is worth less than the answer itself. A person is told nothing. */
async function isAnyRejected({ by, context }: SessionState): Promise<boolean> {
  if (by.person) return false;
  return (await context.rejections.all().catch(() => [])).length > 0;
}

/** Methods that answer no promise, or end the database. */
const AT_ONCE: readonly PropertyKey[] = ['cached', 'remember', 'forget', 'close'];

/** Returns a context that reads no further object once the call is cancelled. */
function readingContext(context: Context, cancel: Cancellation): Context {
  if (!cancel.signal) return context;
  const objects = new Proxy(context.objects, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (AT_ONCE.includes(name)) return value.bind(target);
      return async (...args: unknown[]) => {
        cancel.check();
        return value.apply(target, args);
      };
    },
  });
  return { ...context, objects };
}
