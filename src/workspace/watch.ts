/** What a session tells of its calls: events to those who listen, refusals to those who keep them. */

import type { EditError } from '../errors.ts';
import type { Answer, DoneData } from './answer.ts';
import { keepRefusal } from './change/refusals.ts';
import type { Context } from './context.ts';
import type { By } from './events.ts';
import { asEditError } from './failure.ts';

export class Watch {
  readonly #context: Context;
  readonly #by: By;
  /** Refusals that pass several hands are told of once. */
  readonly #told = new WeakSet<EditError>();

  constructor(context: Context, by: By) {
    this.#context = context;
    this.#by = by;
  }

  async call<A extends Answer<unknown>>(op: string, work: () => Promise<A>): Promise<A> {
    const start = Date.now();
    try {
      const answer = await work();
      this.#done(answer.data as Partial<DoneData>, Date.now() - start);
      return this.#context.listener.warned(answer);
    } catch (error) {
      throw await this.refused(op, error, Date.now() - start);
    }
  }

  /** The error as callers get it. */
  async refused(op: string, thrown: unknown, milliseconds: number): Promise<EditError> {
    const error = asEditError(thrown);
    if (this.#told.has(error)) return error;
    this.#told.add(error);
    this.#context.listener.emit({ kind: 'refusal', op, error, milliseconds, ...this.#by });
    if (this.#context.keepsRefusals) await keepRefusal(this.#context, this.#by, { op, error, milliseconds });
    return error;
  }

  #done(data: Partial<DoneData>, milliseconds: number): void {
    const { op, commit, paths: files, outside, subject = '', repeated } = data;
    if (!op || !commit || !files || repeated) return;
    if (outside?.commit)
      this.#context.listener.emit({
        kind: 'outside',
        commit: outside.commit,
        paths: outside.paths,
        ...this.#by,
      });
    const paths = files.map(one => one.path);
    const kind = op === 'undo' ? 'undo' : 'edit';
    if (op === 'outside') this.#context.listener.emit({ kind: op, commit, paths, ...this.#by });
    else this.#context.listener.emit({ kind, op, commit, subject, paths, files, milliseconds, ...this.#by });
  }
}
