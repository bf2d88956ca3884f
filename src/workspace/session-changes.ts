/** The calls of a session that change files: each is planned by what the session was shown, and published as one commit. */

import type { Answer, DoneData } from '../engine/answer.ts';
import { type Given, SessionCalls, type SessionState } from '../engine/calls/call.ts';
import type { CheckOptions } from '../engine/calls/call-options.ts';
import type { Cancellation } from '../engine/calls/cancel.ts';
import type { SerialQueue } from '../engine/calls/queue.ts';
import type { Scope } from '../engine/calls/scope.ts';
import type { SinceBase } from '../engine/change/base/since-base.ts';
import type { Caller } from '../engine/change/base/stale.ts';
import { isUniqueCall, requestHash } from '../engine/change/call-ids.ts';
import { makeChange } from '../engine/change/change.ts';
import type { CommonInput } from '../engine/change/edit-input.ts';
import { type EditCall, planEdits } from '../engine/change/edit-plan.ts';
import type { Planned } from '../engine/change/planned.ts';
import type { ChangeRequest } from '../engine/change/request.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import type { WayBackOptions } from '../engine/undo/back-fields.ts';
import type { Moment } from '../engine/views.ts';
import { late } from '../lazy.ts';
import { isOutside } from '../operations.ts';

/** The name of a way back in history, and the commits that it was given by name. */
export interface Named {
  op?: string | undefined;
  names?: readonly string[] | undefined;
}

const planWithPreconditions = late(
  () => import('../engine/undo/back-precondition.ts'),
  'planWithPreconditions',
);
const claimCommitted = late(() => import('../review/committed.ts'), 'claimCommitted');

/** A request of the session: the tool, and the input that it was given. */
interface Asked {
  tool: string;
  input: object;
}

export class SessionChanges extends SessionCalls {
  /** Returns the session within a call that was made when `known` was known: for those who are asked about it. */
  readonly #within: (known: Moment) => unknown;

  constructor(session: SessionState, queue: SerialQueue, scope: Scope, within: (known: Moment) => unknown) {
    super(session, queue, scope);
    this.#within = within;
  }

  /** Makes edits that are planned by what the session was shown when it makes this call. */
  edits(
    method: string,
    given: Given,
    check: CheckOptions<{ calls: readonly EditCall[]; common: CommonInput }>,
    changeOf: (calls: readonly EditCall[]) => Pick<ChangeRequest, 'op' | 'names'> & { asked: Asked },
  ): Promise<Answer<DoneData>> {
    const who = this.#viewer();
    return this.make(method, given, check, ({ calls, common }, cancel) => {
      const { asked, ...change } = changeOf(calls);
      const plan = (snapshot: Snapshot): Promise<Planned> => planEdits(snapshot, calls, who);
      return this.#publish({ ...change, plan }, common, cancel, asked);
    });
  }

  /** Goes back in history by `plan`. */
  back<Checked extends WayBackOptions & Named>(
    method: string,
    given: Given,
    check: CheckOptions<Checked>,
    plan: (snapshot: Snapshot, checked: Checked, since: SinceBase | null) => Promise<Planned>,
  ): Promise<Answer<DoneData>> {
    const who = this.#viewer();
    return this.make(method, given, check, (checked, cancel) => {
      const { op = method, base, version, names = [] } = checked;
      const claim = { ...who, op, base, version, names };
      const planned: ChangeRequest['plan'] = snapshot =>
        planWithPreconditions(snapshot, claim, since => plan(snapshot, checked, since));
      return this.#publish({ op, names, plan: planned }, checked, cancel, { tool: method, input: checked });
    });
  }

  /** Returns the session, and what it was shown by now. */
  #viewer(): Caller {
    const { by, views } = this.session;
    const { mayBeBroken } = this.scope;
    return { session: by.session, viewer: views.viewer(this.moment()), mayBeBroken };
  }

  /** Makes the change that was asked for. What the answer shows, the session has seen. */
  async #publish(
    change: Pick<ChangeRequest, 'op' | 'plan' | 'names'>,
    common: CommonInput,
    cancel: Cancellation,
    asked: Asked,
  ): Promise<Answer<DoneData>> {
    const { context, views, by, beforeCommit } = this.session;
    const {
      asked: turnAsked,
      repeats,
      shown,
      turn = by.turn,
      subagent = by.subagent,
      model = by.model,
    } = this.scope;
    const { callId: call, dryRun = false, base, reason, editId, allowSecret } = common;
    const known = this.moment();
    const { tool, input } = turnAsked ?? asked;
    const isCall = this.#isRepeatable(asked, common);
    const hash = editId || isCall ? await requestHash(context, tool, input) : undefined;
    const times = repeats?.get(`${hash} ${call}`) ?? 0;
    let hasMoved = false;
    const {
      fileDiffs,
      known: lines,
      message,
      data,
    } = await makeChange(context, {
      ...change,
      ...{ cancel, dryRun, base, reason, call, editId, allowSecret, beforeCommit },
      editor: { ...by, turn, subagent, model },
      editHash: isCall && times > 0 ? await requestHash(context, `${hash} ${times}`, {}) : hash,
      session: () => this.#within(known),
      onSynced: () => {
        hasMoved = true;
      },
    });
    if (isCall) repeats?.set(`${hash} ${call}`, times + 1);
    // What the person committed is theirs; where that cannot be noted, it stays nobody's.
    if (hasMoved && !dryRun) await claimCommitted(context, { landed: false }).catch(() => {});
    const told = shown ? lines : new Map([...lines].filter(([, range]) => range === 'all'));
    if (data.repeated) views.repeated(fileDiffs, told);
    else if (data.commit && !isOutside(change.op)) views.answer(fileDiffs, data.commit, told);
    return { message, data };
  }

  /**
   * True for an edit that its tool call, sent again, must not make again. What a record records is not in its input, and it
   * makes nothing, unless the tool told what it did.
   */
  #isRepeatable({ tool, input }: Asked, { editId, callId, dryRun }: CommonInput): boolean {
    const isNone = editId !== undefined || callId === undefined || dryRun;
    if (isNone || this.session.repeats) return false;
    if (tool === 'record') return 'told' in input && input.told !== undefined;
    return this.scope.uniqueCall || isUniqueCall(callId);
  }
}
