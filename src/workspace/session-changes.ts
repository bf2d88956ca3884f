/** The calls of a session that change files: each is planned by what the session was shown, and published as one commit. */

import type { Answer, DoneData } from '../engine/answer.ts';
import type { Given, SessionCalls } from '../engine/calls/call.ts';
import type { CheckOptions } from '../engine/calls/call-options.ts';
import type { Cancellation } from '../engine/calls/cancel.ts';
import type { SinceBase } from '../engine/change/base/since-base.ts';
import { isUniqueCall, requestHash } from '../engine/change/call-ids.ts';
import { type ChangeRequest, makeChange } from '../engine/change/change.ts';
import type { Planned } from '../engine/change/draft.ts';
import type { CommonInput } from '../engine/change/edit-input.ts';
import { type EditCall, filesNamed, planEdits } from '../engine/change/edit-plan.ts';
import type { Context } from '../engine/context.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import type { WayBackOptions } from '../engine/undo/back-fields.ts';
import type { Moment, Viewer } from '../engine/views.ts';
import { isOutside } from '../operations.ts';

/** The name of a way back in history, and the commits that it was given by name. */
export interface Named {
  op?: string | undefined;
  names?: readonly string[] | undefined;
}

const withWay: typeof import('../engine/files/missing.ts').withWay = async (...args) =>
  (await import('../engine/files/missing.ts')).withWay(...args);
const planWithPreconditions: typeof import('../engine/undo/back-precondition.ts').planWithPreconditions =
  async (...args) => (await import('../engine/undo/back-precondition.ts')).planWithPreconditions(...args);
const claimCommitted: typeof import('../review/committed.ts').claimCommitted = async (...args) =>
  (await import('../review/committed.ts')).claimCommitted(...args);

export class SessionChanges {
  readonly #calls: SessionCalls;
  /** Returns the session within a call that was made when `known` was known: for those who are asked about it. */
  readonly #within: (known: Moment) => unknown;

  constructor(calls: SessionCalls, within: (known: Moment) => unknown) {
    this.#calls = calls;
    this.#within = within;
  }

  /** Returns what the session was shown by now. */
  viewer(): Viewer {
    return this.#calls.session.views.viewer(this.#calls.moment());
  }

  /** Edits that are planned by what the session was shown when they were asked for. */
  edits(calls: readonly EditCall[], viewer: Viewer): Pick<ChangeRequest, 'plan' | 'files'> {
    const { session } = this.#calls.session.by;
    const plan = async (snapshot: Snapshot): Promise<Planned> => {
      try {
        return await planEdits(snapshot, calls, viewer, session);
      } catch (error) {
        throw await withWay(snapshot, error);
      }
    };
    return { files: filesNamed(calls), plan };
  }

  /** Goes back in history by `plan`. */
  back<Checked extends WayBackOptions & Named>(
    method: string,
    given: Given,
    check: CheckOptions<Checked>,
    plan: (snapshot: Snapshot, checked: Checked, since: SinceBase | null) => Promise<Planned>,
  ): Promise<Answer<DoneData>> {
    const views = this.viewer();
    const { session } = this.#calls.session.by;
    return this.#calls.make(method, given, check, (checked, cancel) => {
      const { op = method, base, version, names = [] } = checked;
      const claim = { op, base, version, names, session, views };
      const planned: ChangeRequest['plan'] = snapshot =>
        planWithPreconditions(snapshot, claim, since => plan(snapshot, checked, since));
      const change = { op, names, plan: planned };
      return this.publish(change, checked, cancel, { tool: method, input: checked });
    });
  }

  /** Makes the change that was asked for by this input of this tool. What the answer shows, the session has seen. */
  async publish(
    change: Pick<ChangeRequest, 'op' | 'plan' | 'names' | 'files'>,
    common: CommonInput,
    cancel: Cancellation,
    asked: { tool: string; input: object },
  ): Promise<Answer<DoneData>> {
    const { context, views, toolCalls } = this.#calls.session;
    const { asked: turnAsked, repeats, shown } = this.#calls.scope;
    const what = turnAsked ?? asked;
    const isCall = common.callId !== undefined && this.#isRepeatable(asked, common.callId, common);
    const hash = common.editId || isCall ? await requestHash(context, what.tool, what.input) : undefined;
    const times = repeats?.get(`${hash} ${common.callId}`) ?? 0;
    const editHash = isCall && times > 0 ? await requestHash(context, `${hash} ${times}`, {}) : hash;
    const isFirst = isCall && !toolCalls!.has(common.callId!);
    let hasMoved = false;
    const onSynced = (): void => {
      hasMoved = true;
    };
    const request = { ...change, ...this.#request(common), cancel, editHash, isFirst, onSynced };
    const { fileDiffs, known, ...done } = await makeChange(context, request);
    if (isCall) toolCalls!.add(common.callId!);
    if (isCall) repeats?.set(`${hash} ${common.callId}`, times + 1);
    // What the person committed is theirs; where that cannot be noted, it stays nobody's.
    if (hasMoved && !request.dryRun) await claimCommitted(context, { landed: false }).catch(() => {});
    const { message, data } = context.afterEdit === null ? done : await afterEdit(context.afterEdit, done);
    const told = shown ? known : new Map([...known].filter(([, lines]) => lines === 'all'));
    if (data.repeated) views.repeated(fileDiffs, told);
    else if (data.commit && !isOutside(request.op)) views.answer(fileDiffs, data.commit, told);
    return { message, data };
  }

  /**
   * True for an edit that its tool call, sent again, must not make again. What a record records is not in its input, and it
   * makes nothing, unless the tool told what it did.
   */
  #isRepeatable(
    { tool, input }: { tool: string; input: object },
    callId: string,
    { editId, dryRun }: CommonInput,
  ): boolean {
    if (!this.#calls.session.toolCalls || editId !== undefined || dryRun) return false;
    if (tool === 'record') return 'told' in input && input.told !== undefined;
    return this.#calls.scope.uniqueCall || isUniqueCall(callId);
  }

  #request(common: CommonInput): Omit<ChangeRequest, 'op' | 'plan' | 'cancel'> {
    const { base, reason, callId: call, editId, evenIfRejected, allowSecret, dryRun = false } = common;
    const { by, beforeCommit } = this.#calls.session;
    const { turn = by.turn, subagent = by.subagent, model = by.model } = this.#calls.scope;
    const editor = { ...by, turn, subagent, model };
    const known = this.#calls.moment();
    const session = (): unknown => this.#within(known);
    const allowed = { evenIfRejected, allowSecret };
    return { editor, base, reason, call, editId, ...allowed, beforeCommit, dryRun, session };
  }
}

/** Nothing that fails now makes a failure of the edit: it is made. */
async function afterEdit(
  wait: NonNullable<Context['afterEdit']>,
  { message, data }: Answer<DoneData>,
): Promise<Answer<DoneData>> {
  if (data.commit === null) return { message, data };
  const after = await wait();
  const why = after.sync_error;
  return { message: message + (why ? pendingWords(why) : ''), data: { ...data, ...after } };
}

function pendingWords({ code, message, retryable }: NonNullable<DoneData['sync_error']>): string {
  const next = retryable
    ? 'It is done here, and goes to the server by itself, with all later edits'
    : 'It is done here, and the first sync after that is settled brings it';
  return `\nThe server does not have it yet (${code}: ${message}). ${next}: do not send it again.`;
}
