/** How the calls of a session are made: each in its turn, with what the caller knew then, told to those who listen. */

import { EditError } from '../errors.ts';
import { isOutside } from '../operations.ts';
import { phrased, type Vocabulary } from '../wording.ts';
import type { Answer, DoneData } from './answer.ts';
import { type CallOptions, type Cancellation, cancellation, checkCall } from './calls/cancel.ts';
import type { By, CallIds } from './calls/events.ts';
import type { SerialQueue, TurnOptions } from './calls/turns.ts';
import type { Watch } from './calls/watch.ts';
import type { Approve } from './change/approval.ts';
import type { SinceBase } from './change/base/since-base.ts';
import { isUniqueCall, type CallIds as KnownCalls } from './change/call-ids.ts';
import { type ChangeRequest, makeChange } from './change/change.ts';
import type { Planned } from './change/draft.ts';
import { type CommonInput, callIds } from './change/edit-input.ts';
import { type EditCall, filesNamed, planEdits } from './change/edit-plan.ts';
import { requestHash } from './change/repeated.ts';
import type { Context } from './context.ts';
import { withWay } from './files/missing.ts';
import type { Snapshot } from './files/snapshot.ts';
import { worded } from './files/worded.ts';
import type { WayBackOptions } from './history/back-fields.ts';
import { planWithPreconditions } from './history/back-precondition.ts';
import { attempted } from './reads.ts';
import type { Telling, Told } from './review/rejections/telling.ts';
import type { Moment, Viewer, Views } from './views.ts';

/** What a session has in common with those that its turns are given. */
export interface Shared {
  context: Context;
  by: By;
  beforeCommit: Approve | undefined;
  views: Views;
  telling: Telling;
  watch: Watch;
  /** The ids of tool calls by which it is told that one is repeated; `null`: none is. */
  calls: KnownCalls | null;
  /** Commits by the names that the session gave them; `null`: there was none. */
  marks: Map<string, string | null>;
}

/** What the calls of a session, or of one of its turns, have in common. */
export interface Turn
  extends Pick<TurnOptions, 'asked' | 'signal' | 'uniqueCall' | 'turn' | 'subagent' | 'model'> {
  vocabulary: Vocabulary;
  /** Whether the agent is shown the messages of edits. */
  shown: boolean;
  /** Whether calls tell of their refusals. */
  tells: boolean;
  /** Answers that were known when the turn was asked for, and the number of them when it began. */
  known: Moment;
  began: number;
  /** How often each request of a tool call was done in this turn, which may make the same edit several times. */
  done?: Map<string, number>;
}

export const FIRST: Turn = { vocabulary: {}, shown: true, tells: true, known: [], began: -1 };

/** A turn within another, in whose words and way it is run where it says no other. */
export function turnWithin(
  outer: Turn,
  { signal, ...own }: Omit<TurnOptions, 'known'>,
  since: Pick<Turn, 'known' | 'began'>,
): Turn {
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  return { ...outer, done: outer.done ?? new Map(), ...Object.fromEntries(given), signal, ...since };
}

/** What a way back is called in history, and the commits that it was given by name. */
export interface Named {
  op?: string | undefined;
  names?: readonly string[] | undefined;
}

export class SessionCalls {
  readonly turn: Turn;
  readonly #shared: Shared;
  readonly #turns: SerialQueue;
  /** The session within a call of this one that was made when `known` was known: for those who are asked about it. */
  readonly #within: (known: Moment) => unknown;

  constructor(shared: Shared, turns: SerialQueue, turn: Turn, within: (known: Moment) => unknown) {
    this.#shared = shared;
    this.#turns = turns;
    this.turn = turn;
    this.#within = within;
  }

  /** See Session.moment. */
  moment(): Moment {
    const { known, began } = this.turn;
    return [...known, [began, this.#shared.views.answers]];
  }

  /**
   * A call in its turn, whose outcome is told to those who listen; what is wrong with what it was given, too. `input` is
   * all that it was given.
   */
  told<Given, A extends Answer<unknown>>(
    op: string,
    input: unknown,
    check: () => Given,
    options: CallOptions,
    work: (given: Given, cancel: Cancellation) => Promise<A>,
  ): Promise<A> {
    const given = attempted(() => {
      checkCall(`session.${op}`, options);
      return check();
    });
    const cancel = cancellation(this.turn.signal, options);
    const run = (): Promise<A> =>
      worded(this.#shared.context, this.turn.vocabulary, async () => work(given(), cancel));
    const { tells } = this.turn;
    const ids = callIds(input);
    const known = this.moment();
    const made = (): Promise<A> => this.#shared.watch.call({ op, ids, cancel, tells }, run);
    const call = (): Promise<A> =>
      made().then(
        answer => this.#withRejections(answer, known, ids),
        async error => {
          throw await this.#refusedWithRejections(error, known, ids);
        },
      );
    return this.#turns.next(tells ? call : made, cancel);
  }

  /** What people rejected of what this session, or its files, hold; see Telling. `input`: of the call. */
  async rejections(
    known: Moment,
    input: unknown,
    data: unknown,
    vocabulary: Vocabulary,
  ): Promise<Told | null> {
    // Who runs the call that this one is a part of tells it.
    return this.turn.tells ? this.#told(known, callIds(input), data, vocabulary) : null;
  }

  async #told(
    known: Moment,
    { call, edit_id }: Partial<CallIds>,
    data: unknown,
    vocabulary: Vocabulary,
  ): Promise<Told | null> {
    const told = await this.#shared.telling.tell({ known, id: call ?? edit_id, data });
    return told && { ...told, message: phrased(told.message, vocabulary) };
  }

  async #withRejections<A extends Answer<unknown>>(
    answer: A,
    known: Moment,
    ids: Partial<CallIds>,
  ): Promise<A> {
    const told = await this.#told(known, ids, answer.data, this.turn.vocabulary);
    if (!told) return answer;
    const data = { ...(answer.data as object), rejections: told.rejections };
    return { ...answer, message: `${answer.message}\n${told.message}`, data };
  }

  /** A refusal tells of them too: it is an answer as any other. */
  async #refusedWithRejections(error: unknown, known: Moment, ids: Partial<CallIds>): Promise<unknown> {
    if (!(error instanceof EditError)) return error;
    const told = await this.#told(known, ids, error.data, this.turn.vocabulary);
    if (!told) return error;
    const data = { ...(error.data as object), rejections: told.rejections };
    return new EditError(error.code, `${error.message}\n${told.message}`, data as never, {
      cause: error.cause ?? error,
    });
  }

  /** Edits that are planned by what the session was shown when they were asked for. */
  planner(): (calls: readonly EditCall[]) => Pick<ChangeRequest, 'plan' | 'files'> {
    const viewer = this.#viewer();
    const { session } = this.#shared.by;
    return calls => ({
      files: filesNamed(calls),
      plan: async snapshot => {
        try {
          return await planEdits(snapshot, calls, viewer, session);
        } catch (error) {
          throw await withWay(snapshot, error);
        }
      },
    });
  }

  /** A way back in history, by `plan`. */
  back<Given extends WayBackOptions & Named>(
    method: string,
    input: object,
    check: (call: string) => Given,
    options: CallOptions,
    plan: (snapshot: Snapshot, given: Given, since: SinceBase | null) => Promise<Planned>,
  ): Promise<Answer<DoneData>> {
    const checked = (): Given => check(`session.${method}`);
    const views = this.#viewer();
    const { session } = this.#shared.by;
    return this.told(method, input, checked, options, (given, cancel) => {
      const { op = method, base, version, names = [] } = given;
      const claim = { op, base, version, names, session, views };
      const planned: ChangeRequest['plan'] = snapshot =>
        planWithPreconditions(snapshot, claim, since => plan(snapshot, given, since));
      const change = { op, names, plan: planned };
      return this.publish(change, given, cancel, { tool: method, input: given });
    });
  }

  /** Makes the change that was asked for by this input of this tool. What the answer shows, the session has seen. */
  async publish(
    change: Pick<ChangeRequest, 'op' | 'plan' | 'names' | 'files'>,
    common: CommonInput,
    cancel: Cancellation,
    asked: { tool: string; input: object },
  ): Promise<Answer<DoneData>> {
    const { context, views } = this.#shared;
    const what = this.turn.asked ?? asked;
    const isCall = this.#isRepeatable(asked, common);
    const hash = common.editId || isCall ? await requestHash(context, what.tool, what.input) : undefined;
    const times = this.turn.done?.get(`${hash} ${common.callId}`) ?? 0;
    const editHash = isCall && times > 0 ? await requestHash(context, `${hash} ${times}`, {}) : hash;
    const isFirst = isCall && !this.#shared.calls!.has(common.callId!);
    let hasMoved = false;
    const onSynced = (): void => {
      hasMoved = true;
    };
    const request = { ...change, ...this.#request(common), cancel, editHash, isFirst, onSynced };
    const { fileDiffs, known, ...done } = await makeChange(context, request);
    if (isCall) this.#shared.calls!.add(common.callId!);
    if (isCall) this.turn.done?.set(`${hash} ${common.callId}`, times + 1);
    // What the person committed is theirs; where that cannot be noted, it stays nobody's.
    if (hasMoved && !request.dryRun) await claimMoved(context).catch(() => {});
    const { message, data } = await afterEdit(context, done);
    const told = this.turn.shown ? known : new Map([...known].filter(([, lines]) => lines === 'all'));
    if (data.repeated) views.repeated(fileDiffs, told);
    else if (data.commit && !isOutside(request.op)) views.answer(fileDiffs, data.commit, told);
    return { message, data };
  }

  /**
   * True for an edit that its tool call, sent again, must not make again. What a record records is not in its input, and it
   * makes nothing, unless the tool told what it did.
   */
  #isRepeatable({ tool, input }: { tool: string; input: object }, common: CommonInput): boolean {
    const { callId, editId, dryRun } = common;
    if (!this.#shared.calls || callId === undefined || editId !== undefined || dryRun) return false;
    if (tool === 'record') return 'told' in input && input.told !== undefined;
    return this.turn.uniqueCall || isUniqueCall(callId);
  }

  #viewer(): Viewer {
    return this.#shared.views.viewer(this.moment());
  }

  #request(common: CommonInput): Omit<ChangeRequest, 'op' | 'plan' | 'cancel'> {
    const { base, reason, callId: call, editId, evenIfRejected, dryRun = false } = common;
    const { by, beforeCommit } = this.#shared;
    const { turn = by.turn, subagent = by.subagent, model = by.model } = this.turn;
    const editor = { ...by, turn, subagent, model };
    const session = this.#within(this.moment());
    return { editor, base, reason, call, editId, evenIfRejected, beforeCommit, dryRun, session };
  }
}

async function claimMoved(context: Context): Promise<void> {
  const { claimCommitted } = await import('./review/committed.ts');
  await claimCommitted(context, { landed: false });
}

/** Nothing that fails now makes a failure of the edit: it is made. */
async function afterEdit(
  { afterEdit }: Context,
  { message, data }: Answer<DoneData>,
): Promise<Answer<DoneData>> {
  if (afterEdit === null || data.commit === null) return { message, data };
  const after = await afterEdit();
  const why = after.sync_error;
  return { message: message + (why ? pendingWords(why) : ''), data: { ...data, ...after } };
}

function pendingWords({ code, message, retryable }: NonNullable<DoneData['sync_error']>): string {
  const next = retryable
    ? 'It is done here, and goes to the server by itself, with all later edits'
    : 'It is done here, and the first sync after that is settled brings it';
  return `\nThe server does not have it yet (${code}: ${message}). ${next}: do not send it again.`;
}
