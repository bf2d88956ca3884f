/** What a session tells of its calls: events to those who listen, refusals to those who keep them. */

import type { EditError } from '../../errors.ts';
import { isOutside, isUndo } from '../../operations.ts';
import type { Answer, DoneData } from '../answer.ts';
import { keepRefusal } from '../change/refusals.ts';
import type { Context } from '../context.ts';
import type { Cancellation } from './cancel.ts';
import type { By, CallIds, EventStart } from './events.ts';
import { asEditError } from './failure.ts';

/** A call of a session. */
interface Watched {
  op: string;
  /** Known when it has begun. */
  ids: Partial<CallIds>;
  cancel: Cancellation;
  /** False where somebody else tells of its refusal. */
  tells: boolean;
}

export class Watch {
  readonly #context: Context;
  readonly #by: By;

  constructor(context: Context, by: By) {
    this.#context = context;
    this.#by = by;
  }

  /** What every event says. */
  start(ids: Partial<CallIds> = {}): EventStart {
    return {
      time: timeOf(this.#context),
      ...this.#by,
      call: undefined,
      edit_id: undefined,
      reason: undefined,
      ...ids,
    };
  }

  /** A call that may change something. Rejects with an EditError, or with the reason of the signal that stopped it. */
  async call<A extends Answer<unknown>>({ op, ids, ...call }: Watched, work: () => Promise<A>): Promise<A> {
    const start = Date.now();
    try {
      const answer = await work();
      const milliseconds = Date.now() - start;
      const data = Object(answer.data) as Partial<DoneData> & { path?: string };
      if (data.op === undefined) this.#read(op, data.path, milliseconds);
      else this.#done(data, ids, milliseconds);
      return this.#context.listener.warned(answer);
    } catch (error) {
      throw await this.#failed({ op, ids, ...call }, error, Date.now() - start);
    }
  }

  /** A call that changes nothing, given `input`: told of where that is asked for. */
  async read<T>(call: Omit<Watched, 'ids'>, input: unknown, work: () => Promise<T>): Promise<T> {
    if (!this.#context.tellsReads) return work();
    const { op } = call;
    const start = Date.now();
    try {
      const answer = await work();
      this.#read(op, (Object(input) as { path?: string }).path, Date.now() - start);
      return answer;
    } catch (error) {
      throw await this.#failed({ ids: {}, ...call }, error, Date.now() - start);
    }
  }

  /** What a call that threw `error` rejects with. */
  async #failed({ op, ids, cancel, tells }: Watched, error: unknown, milliseconds: number): Promise<unknown> {
    if (cancel.isReason(error)) return error;
    return tells ? this.refused(op, error, milliseconds, ids) : asEditError(error);
  }

  /** Tells of a refusal. Answers the error as callers get it. */
  async refused(
    op: string,
    thrown: unknown,
    milliseconds: number,
    ids: Partial<CallIds> = {},
  ): Promise<EditError> {
    const error = asEditError(thrown);
    this.#context.listener.emit(() => ({ kind: 'refusal', op, error, milliseconds, ...this.start(ids) }));
    if (this.#context.keepsRefusals) await keepRefusal(this.#context, this.#by, { op, error, milliseconds });
    return error;
  }

  /** Tells of a change of the files that is none of a session: what a person rejected, what came in. */
  changed(kind: 'review' | 'merge', op: string, data: DoneData, reason?: string): void {
    const { commit, paths: files, subject } = data;
    const { listener } = this.#context;
    if (!commit || !listener.listens) return;
    const start = this.start({ reason });
    this.#outside(data, start);
    const paths = files.map(one => one.path);
    listener.emit(() => ({ kind, op, commit, subject, paths, files, ...start }));
  }

  /** What was recorded before the change. */
  #outside({ outside }: Partial<DoneData>, start: EventStart): void {
    const { commit, paths = [] } = outside ?? {};
    if (commit) this.#context.listener.emit(() => ({ kind: 'outside', commit, paths, ...start }));
  }

  #read(op: string, path: string | undefined, milliseconds: number): void {
    if (!this.#context.tellsReads) return;
    this.#context.listener.emit(() => ({ kind: 'read', op, path, milliseconds, ...this.start() }));
  }

  #done(data: Partial<DoneData>, ids: Partial<CallIds>, milliseconds: number): void {
    const { op, commit, paths: files, subject = '', repeated } = data;
    if (!op || !commit || !files || repeated) return;
    const { listener } = this.#context;
    if (!listener.listens) return;
    const start = this.start(ids);
    this.#outside(data, start);
    const paths = files.map(one => one.path);
    const kind = isUndo(op) ? 'undo' : 'edit';
    listener.emit(() =>
      isOutside(op)
        ? { kind: 'outside', commit, paths, ...start }
        : { kind, op, commit, subject, paths, files, milliseconds, ...start },
    );
  }
}

/** A clock of the host that fails must not turn an edit that is done, or its refusal, into another error. */
function timeOf(context: Context): string {
  try {
    return context.now().toISOString();
  } catch {
    return new Date().toISOString();
  }
}
