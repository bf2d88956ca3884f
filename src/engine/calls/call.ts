/**
 * The one way in which a session makes a call. What it was given is checked at once and refused in its turn; it waits for
 * the calls made before it, can be cancelled until it changes something, and is answered in the words of its caller. Its
 * outcome is an event for those who listen, and brings what people rejected, which the agent has to know.
 */

import { EditError } from '../../errors.ts';
import { render, type Vocabulary } from '../../wording.ts';
import type { Answer } from '../answer.ts';
import type { Approve } from '../change/approval.ts';
import { callIds } from '../change/edit-input.ts';
import type { Context } from '../context.ts';
import type { Snapshot } from '../files/snapshot.ts';
import type { RejectionNotifier, Told } from '../rejections/notices.ts';
import type { Booked } from '../rejections/rejection-book.ts';
import type { Moment, Views } from '../views.ts';
import type { CheckOptions } from './call-options.ts';
import { atCallSite, type CallSite, callSite } from './call-site.ts';
import { type CallOptions, type Cancellation, cancellation, checkCall } from './cancel.ts';
import type { By, CallIds } from './events.ts';
import { asEditError } from './failure.ts';
import type { Notifier } from './notifier.ts';
import type { SerialQueue } from './queue.ts';
import type { Scope } from './scope.ts';

/** The state that all calls of a session share, in whichever scope they are made. */
export interface SessionState {
  context: Context;
  by: By;
  beforeCommit: Approve | undefined;
  views: Views;
  /** Loads what tells the session of rejections; called only where somebody rejected anything. */
  rejections: () => Promise<RejectionNotifier>;
  notifier: Notifier;
  /** True where the same call may be made again: its id tells of no repetition. */
  repeats: boolean;
  /** Commits by the names that the session gave them; `null`: there was none. */
  marks: Map<string, string | null>;
}

/** The arguments of a call: its own input or options, and the options that every call has. */
export interface Given {
  own: unknown;
  call: CallOptions;
}

/** A call that waits for its turn, with what its check answered or threw. */
interface Call<Checked> {
  op: string;
  own: unknown;
  cancel: Cancellation;
  checked: () => Checked;
  site: CallSite;
  /** Absent where a program reads: the answers that the agent knew when it made the call, and what it said of the call. */
  agents?: { known: Moment; ids: Partial<CallIds> };
}

export class SessionCalls {
  readonly session: SessionState;
  readonly scope: Scope;
  readonly queue: SerialQueue;

  constructor(session: SessionState, queue: SerialQueue, scope: Scope) {
    this.session = session;
    this.scope = scope;
    this.queue = queue;
  }

  /** See Session.moment. */
  moment(): Moment {
    const { known, began } = this.scope;
    return [...known, [began, this.session.views.answers]];
  }

  /** Makes a call that shows the agent something or changes files. Rejects with an EditError, or the signal's reason. */
  make<Checked, A extends Answer<unknown>>(
    op: string,
    given: Given,
    check: CheckOptions<Checked>,
    work: (checked: Checked, cancel: Cancellation) => Promise<A>,
  ): Promise<A> {
    const begun = { ...this.#begin(op, given, check), agents: this.#agents(given.own) };
    const { cancel } = begun;
    return this.queue.next(() => this.#outcome(begun, checked => work(checked, cancel)), cancel);
  }

  /** Makes a call that reads for a program, or for the agent whose tool it is. It is an event only where the workspace tells of reads. */
  read<Checked, T>(
    op: string,
    given: Given,
    check: CheckOptions<Checked>,
    work: (context: Context, checked: Checked) => Promise<T>,
  ): Promise<T> {
    const agents = this.scope.cut && this.#agents(given.own);
    const begun = { ...this.#begin(op, given, check), ...(agents && { agents }) };
    const reading = readingContext(this.session.context, begun.cancel);
    return this.queue.next(() => this.#outcome(begun, checked => work(reading, checked)), begun.cancel);
  }

  /** Makes a call that reads one item at a time. */
  each<Checked, T>(
    op: string,
    given: Given,
    check: CheckOptions<Checked>,
    work: (context: Context, checked: Checked) => AsyncGenerator<T>,
  ): AsyncGenerator<T> {
    const { checked, cancel } = this.#begin(op, given, check);
    const reading = readingContext(this.session.context, cancel);
    return this.queue.each(() => work(reading, checked()), cancel);
  }

  /** Does `work` in its turn, as a call that is no event and is answered as it is. */
  next<T>(op: string, given: Given, work: (cancel: Cancellation) => Promise<T>): Promise<T> {
    const { checked, cancel, site } = this.#begin(op, given, () => {});
    const called = async (): Promise<T> => {
      checked();
      return work(cancel);
    };
    const at = (error: unknown): never => {
      throw atCallSite(error, site);
    };
    return this.queue.next(called, cancel).catch(at);
  }

  /** Does `work` as `next`, as a turn in which other calls of these are refused. */
  turn<T>(op: string, given: Given, work: (cancel: Cancellation) => Promise<T>): Promise<T> {
    return this.next(op, given, cancel => this.queue.inTurn(() => work(cancel)));
  }

  /** Returns what people said of what the session, or the files of `data`, hold; `null` where others tell it. */
  async rejections(
    { known, ids }: NonNullable<Call<unknown>['agents']>,
    data: unknown,
    vocabulary: Vocabulary = this.scope.vocabulary,
  ): Promise<Told | null> {
    const { by, context } = this.session;
    // A person is told nothing. That it is told is worth less than the answer itself.
    if (!this.scope.tells || by.person) return null;
    const { rejections: all, comments } = await context.rejections.read().catch(() => NOTHING_SAID);
    if (all.length + comments.length === 0) return null;
    const rejections = await this.session.rejections();
    const told = await rejections.tell({ known, id: ids.call ?? ids.edit_id, data });
    return told && { ...told, message: render(told.message, vocabulary) };
  }

  #agents(own: unknown): NonNullable<Call<unknown>['agents']> {
    return { known: this.moment(), ids: callIds(this.scope.input ?? own) };
  }

  /**
   * Tells of a call that was refused before it got here, or elsewhere, unless a call of this session did. Answers what to throw;
   * throws the reason where a signal stopped it.
   */
  async refused(op: string, thrown: unknown, input: unknown): Promise<EditError> {
    if (told.has(thrown as object)) return thrown as EditError;
    const cancel = cancellation(this.scope.signal, {});
    if (cancel.isReason(thrown)) throw thrown;
    return this.#told({ op, cancel, agents: this.#agents(input) }, thrown, 0);
  }

  /** Checks at once, for the caller may change what they gave; what is wrong is thrown by `checked`, in the call's turn. */
  #begin<Checked>(op: string, { own, call }: Given, check: CheckOptions<Checked>): Call<Checked> {
    const begun = { op, own, site: callSite(), cancel: cancellation(this.scope.signal, call) };
    try {
      checkCall(`session.${op}`, call);
      const checked = check(`session.${op}`, own);
      return { ...begun, checked: () => checked };
    } catch (error) {
      const checked = (): never => {
        throw error;
      };
      return { ...begun, checked };
    }
  }

  /** Does the work of a call in the caller's words, and tells of it. */
  async #outcome<Checked, T>(call: Call<Checked>, work: (checked: Checked) => Promise<T>): Promise<T> {
    const { op, own, agents } = call;
    const { notifier } = this.session;
    const { vocabulary, shown } = this.scope;
    const start = Date.now();
    try {
      const answer = localizeAnswer(await work(call.checked()), vocabulary);
      if (!agents) {
        notifier.read(op, (Object(own) as { path?: string }).path, Date.now() - start);
        return answer;
      }
      const done = notifier.done(op, answer as T & Answer<unknown>, agents.ids, Date.now() - start);
      // Where an agent is shown no messages but refusals, there is nothing else to tell it by.
      if (!shown) return done;
      return withRejections(this.#cut(true, done), await this.rejections(agents, done.data));
    } catch (error) {
      if (call.cancel.isReason(error)) throw atCallSite(error, call.site);
      const { tells } = this.scope;
      throw atCallSite(
        tells ? await this.#told(call, error, Date.now() - start) : asEditError(error),
        call.site,
      );
    }
  }

  #cut<Part extends Answer<unknown>>(ok: boolean, part: Part): Part {
    const { message, data } = this.scope.cut?.(part, ok) ?? part;
    return { ...part, message, data };
  }

  /** Tells of a refusal, and it tells an agent of rejections too: it is an answer as any other. Returns what the call rejects with. */
  async #told(
    { op, agents }: Pick<Call<unknown>, 'op' | 'cancel' | 'agents'>,
    thrown: unknown,
    milliseconds: number,
  ): Promise<EditError> {
    const { context, notifier } = this.session;
    const error = await localizeError(context, this.scope.vocabulary, thrown);
    if (!(agents || context.tellsReads)) return asEditError(error);
    const refusal = await notifier.refused(this.scope.op ?? op, error, milliseconds, agents?.ids);
    const { code, cause } = refusal;
    const part = this.#cut(false, { message: refusal.message, data: refusal.data as object });
    const { message, data } = withRejections(
      part,
      agents ? await this.rejections(agents, refusal.data) : null,
    );
    const answer =
      message === refusal.message && data === refusal.data
        ? refusal
        : new EditError(code, message, data as never, { cause: cause ?? refusal });
    told.add(answer);
    return answer;
  }
}

/** The refusals that were told of. */
const told = new WeakSet<object>();

const NOTHING_SAID: Booked = { rejections: [], comments: [] };

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

/** Returns an error in the caller's words; that of a path which leads out of the workspace, with the file that was meant. */
export async function localizeError(
  context: Context,
  vocabulary: Vocabulary,
  thrown: unknown,
): Promise<unknown> {
  const error = await completed(context, thrown);
  return error instanceof EditError ? EditError.render(error, vocabulary) : error;
}

/** A path that leads out of the workspace may name a file in it all the same. */
async function completed(context: Context, error: unknown): Promise<unknown> {
  const snapshot = async (): Promise<Snapshot> => {
    const [{ Snapshot }, { openTrail }] = await Promise.all([
      import('../files/snapshot.ts'),
      import('../trails/open-trail.ts'),
    ]);
    return new Snapshot(context, await openTrail(context));
  };
  const { withInside } = await import('../files/missing.ts');
  return withInside(snapshot, error).catch(() => error);
}

/** Returns the answer with its message, and with what of it stands in the data too, in the caller's words. */
export function localizeAnswer<T>(answer: T, vocabulary: Vocabulary): T {
  const { message, data } = Object(answer) as Partial<Answer<{ notes?: string[]; warnings?: string[] }>>;
  if (typeof message !== 'string') return answer;
  const say = (words: string): string => render(words, vocabulary);
  const { notes, warnings } = Object(data) as { notes?: string[]; warnings?: string[] };
  const said = {
    ...(Array.isArray(notes) ? { notes: notes.map(say) } : {}),
    ...(Array.isArray(warnings) ? { warnings: warnings.map(say) } : {}),
  };
  return { ...answer, message: say(message), data: { ...data, ...said } };
}

/** Adds what people rejected, or said, to an answer or a refusal. */
export function withRejections<P extends { message: string; data: unknown }>(part: P, told: Told | null): P {
  if (!told) return part;
  const { rejections, comments } = told;
  const said = {
    ...(rejections.length > 0 ? { rejections } : {}),
    ...(comments.length > 0 ? { comments } : {}),
  };
  const data = { ...(part.data as object), ...said };
  return { ...part, message: `${part.message}\n${told.message}`, data };
}
