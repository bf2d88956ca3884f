/** Notifies of the calls of a session: events to those who listen, refusals to those who keep them. */

import type { EditError } from '../../errors.ts';
import { late } from '../../lazy.ts';
import { isOutside, isUndo } from '../../operations.ts';
import type { Answer, DoneData } from '../answer.ts';
import type { Context } from '../context.ts';
import type { By, CallIds, EventStart } from './events.ts';
import { asEditError } from './failure.ts';

const keepRefusal = late(() => import('../change/refusals.ts'), 'keepRefusal');

export class Notifier {
  readonly #context: Context;
  readonly #by: By;

  constructor(context: Context, by: By) {
    this.#context = context;
    this.#by = by;
  }

  /** Returns the fields of every event. */
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

  /** Tells of the answer of a call, by its data. Returns it with the failures of listeners that nobody was told of yet. */
  done<A extends Answer<unknown>>(op: string, answer: A, ids: Partial<CallIds>, milliseconds: number): A {
    const data = Object(answer.data) as Partial<DoneData> & { path?: string };
    const { listener } = this.#context;
    if (data.op === undefined) this.read(op, data.path, milliseconds);
    else if (listener.listens) this.#changed(data, ids, milliseconds);
    return listener.warned(answer);
  }

  /** Tells of a read, where the workspace tells of reads. */
  read(op: string, path: string | undefined, milliseconds: number): void {
    if (!this.#context.tellsReads) return;
    this.#context.listener.emit(() => ({ kind: 'read', op, path, milliseconds, ...this.start() }));
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

  /** Tells of a change of the files that is none of a session: what a person rejected. */
  reviewed(op: string, data: DoneData, reason?: string): void {
    const { commit, paths: files, subject } = data;
    const { listener } = this.#context;
    if (!commit || !listener.listens) return;
    const start = this.start({ reason });
    this.#outside(data, start);
    const paths = files.map(one => one.path);
    listener.emit(() => ({ kind: 'review', op, commit, subject, paths, files, ...start }));
  }

  /** Tells of what was recorded before the change. */
  #outside({ outside }: Partial<DoneData>, start: EventStart): void {
    const { commit, paths = [] } = outside ?? {};
    if (commit) this.#context.listener.emit(() => ({ kind: 'outside', commit, paths, ...start }));
  }

  #changed(data: Partial<DoneData>, ids: Partial<CallIds>, milliseconds: number): void {
    const { op, commit, paths: files, subject = '', repeated } = data;
    if (!op || !commit || !files || repeated) return;
    const { listener } = this.#context;
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

/** Returns the time of an event. A clock of the host that fails must not turn an edit, or its refusal, into another error. */
function timeOf(context: Context): string {
  try {
    return context.now().toISOString();
  } catch {
    return new Date().toISOString();
  }
}
