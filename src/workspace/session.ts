/**
 * A session: who is editing, and what they have been shown. All work on a workspace goes through one. Its calls are done
 * one after the other, in the order in which they were made, each with the options that it was given then.
 */

import { editNamed } from '../edits/index.ts';
import type { EditError } from '../errors.ts';
import type { UndoScope } from '../trail/undo.ts';
import type { Vocabulary } from '../wording.ts';
import type { Answer, DoneData } from './answer.ts';
import { checkText, checkTexts, type OneOrMore } from './call-options.ts';
import type { Calls } from './calls.ts';
import type { Approve } from './change/approval.ts';
import { planClaimed } from './change/back-claim.ts';
import {
  type BackOptions,
  checkBack,
  checkRollback,
  checkWayBack,
  type RollbackOptions,
  type WayBackOptions,
} from './change/back-fields.ts';
import { type ChangeRequest, makeChange } from './change/change.ts';
import type { Planned } from './change/draft.ts';
import { parseCalls, unknownEdit } from './change/edit-calls.ts';
import { type CommonInput, checkCommon, parseEditInput } from './change/edit-input.ts';
import { asked, type EditCall, planEdits } from './change/edit-plan.ts';
import { checkRecord, planRecord, type RecordOptions, recordedOp } from './change/record.ts';
import { requestHash } from './change/repeated.ts';
import { planBack } from './change/rolling-back.ts';
import type { SinceBase } from './change/since-base.ts';
import { namingElsewhere, planRedo, planRestore, planRevert, planUndo } from './change/taking-back.ts';
import type { Context } from './context.ts';
import type { By } from './events.ts';
import { withWay } from './missing.ts';
import { checkView, type ViewInput, view } from './reading/view.ts';
import { asInput, attempted, SessionReads } from './reads.ts';
import type { Snapshot } from './snapshot.ts';
import { checkTurn, type TurnOptions, Turns } from './turns.ts';
import { type Moment, type Viewer, Views } from './views.ts';
import { Watch } from './watch.ts';

/** What a session has in common with those that its turns are given. */
interface Shared {
  context: Context;
  by: By;
  beforeCommit: Approve | undefined;
  views: Views;
  watch: Watch;
}

/** What the calls of a session, or of one of its turns, have in common. */
interface Turn extends Pick<TurnOptions, 'asked'> {
  vocabulary: Vocabulary;
  /** Whether the agent is shown the messages of edits. */
  shown: boolean;
  /** Answers that were known when the turn was asked for, and the number of them when it began. */
  known: Moment;
  began: number;
}

/** What a way back is called in history, and the commits that it was given by name. */
interface Named {
  op?: string | undefined;
  names?: readonly string[] | undefined;
}

const FIRST: Turn = { vocabulary: {}, shown: true, known: [], began: -1 };

/** A session of its own; `calls` is told of its calls. */
export function newSession(
  context: Context,
  by: By,
  beforeCommit: Approve | undefined,
  calls: Calls,
): Session {
  const watch = new Watch(context, by);
  return new Session({ context, by, beforeCommit, views: new Views(), watch }, new Turns(calls));
}

export class Session extends SessionReads {
  readonly id: string;
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly #shared: Shared;
  readonly #turn: Turn;

  constructor(shared: Shared, turns: Turns, turn: Turn = FIRST) {
    super(shared.context, turns, turn.vocabulary);
    this.#shared = shared;
    this.#turn = turn;
    this.id = shared.by.session;
    this.agent = shared.by.agent;
    this.model = shared.by.model;
  }

  /**
   * Runs `work` as one call of this session: no other call of it comes in between. `work` makes its calls with the
   * session that it is given; a call of the outer one would wait for it, and it for that call.
   */
  async inTurn<T>(work: (session: Session) => Promise<T>, options: TurnOptions = {}): Promise<T> {
    const { signal, known = this.moment(), ...own } = checkTurn('session.inTurn', options);
    return this.turns.next(() => work(this.#within(known, own)), signal);
  }

  /**
   * What the caller knows by now: the lines that answers to edits have shown. Without it, a call knows what there was
   * when it was made; who passes calls on that were asked for earlier says when that was.
   */
  moment(): Moment {
    const { known, began } = this.#turn;
    return [...known, [began, this.#shared.views.answers]];
  }

  /** A file as numbered lines, or a folder's listing. Afterwards the session may give line numbers of that file. */
  view(input: ViewInput | string): Promise<Answer> {
    const check = (): ViewInput => checkView('session.view', asInput(input));
    return this.#told('view', check, given => view(this.context, given, this.#shared.views));
  }

  /** One edit by its name. Throws EditError with the codes of design; nothing is changed then. */
  edit(name: string, raw: unknown): Promise<Answer<DoneData>> {
    const check = (): { call: EditCall; common: CommonInput } => {
      const edit = editNamed(name);
      if (!edit) throw unknownEdit(name);
      const { own, common } = parseEditInput(edit, raw);
      const { base, version, onStale } = common;
      return { call: { edit, input: own, base, version, onStale }, common };
    };
    const viewer = this.#viewer();
    return this.#told(name, check, ({ call, common }) =>
      this.#publish(
        { op: name, ...this.#request(common), plan: this.#planOf([call], viewer) },
        name,
        asked(call),
      ),
    );
  }

  /** Several edits, planned in order on the growing texts, as one commit or not at all. */
  change(list: readonly unknown[], options: CommonInput = {}): Promise<Answer<DoneData>> {
    const check = (): ReturnType<typeof parseCalls> =>
      parseCalls(list, checkCommon('session.change', options));
    const viewer = this.#viewer();
    return this.#told('change', check, ({ calls, common }) => {
      const ops = new Set(calls.map(call => call.edit.name));
      const op = ops.size === 1 ? [...ops][0]! : 'change';
      const names = calls.map(call => call.base);
      const request = { op, ...this.#request(common), names, plan: this.#planOf(calls, viewer) };
      return this.#publish(request, 'change', { calls: calls.map(asked) });
    });
  }

  /** Takes back the newest edits that are not undone. */
  undo(options: BackOptions = {}): Promise<Answer<DoneData>> {
    const check = (call: string): BackOptions => checkBack(call, options);
    return this.#back('undo', check, (snapshot, given, since) =>
      namingElsewhere(snapshot, () => planUndo(snapshot, given.count ?? 1, this.#scope(given), since)),
    );
  }

  /** Puts back what was undone last. */
  redo(options: BackOptions = {}): Promise<Answer<DoneData>> {
    const check = (call: string): BackOptions => checkBack(call, options);
    return this.#back('redo', check, (snapshot, given, since) =>
      planRedo(snapshot, given.count ?? 1, this.#scope(given), since),
    );
  }

  /** The paths that the engine touched since `commit` become what they were then. */
  rollback(commit: string, options: RollbackOptions = {}): Promise<Answer<DoneData>> {
    const check = (call: string): RollbackOptions & Named & { to: string } => {
      const to = checkText(call, 'commit', commit);
      return { ...checkRollback(call, options), to, names: [to] };
    };
    return this.#back('rollback', check, (snapshot, { to, paths, withOthers }) =>
      planBack(snapshot, to, { paths, session: withOthers ? undefined : this.id }),
    );
  }

  /** Takes one edit out of the middle of history, keeping all later ones. */
  revert(commit: string, options: WayBackOptions = {}): Promise<Answer<DoneData>> {
    const check = (call: string): WayBackOptions & Named & { of: string } => {
      const of = checkText(call, 'commit', commit);
      return { ...checkWayBack(call, options), of, names: [of] };
    };
    return this.#back('revert', check, (snapshot, { of }) => planRevert(snapshot, of));
  }

  /** One file, or each of several, becomes what it was in `commit`: all of them or none. */
  restore(paths: OneOrMore, commit: string, options: WayBackOptions = {}): Promise<Answer<DoneData>> {
    const check = (call: string): WayBackOptions & Named & { files: readonly string[]; from: string } => {
      const files = [...checkTexts(call, 'path', typeof paths === 'string' ? [paths] : paths)];
      const from = checkText(call, 'commit', commit);
      return { ...checkWayBack(call, options), files, from, names: [from] };
    };
    return this.#back('restore', check, (snapshot, given) => planRestore(snapshot, given.files, given.from));
  }

  /**
   * What the files hold already becomes an edit of this session, or with `outside` a change that is not its work: for edits
   * that other tools made. No file is touched. Throws NO_CHANGE when the files are as recorded.
   */
  record(paths: readonly string[], options: RecordOptions = {}): Promise<Answer<DoneData>> {
    const check = (call: string): RecordOptions & { op: string; files: readonly string[] } => {
      const given = checkRecord(call, options);
      return { ...given, op: recordedOp(given), files: [...checkTexts(call, 'paths', paths)] };
    };
    return this.#back('record', check, (snapshot, { files, outside }) =>
      planRecord(snapshot, files, outside ? 'outside' : 'edit'),
    );
  }

  /** Tells those who listen to show a file: an editor pane opens it, or shows its present content. */
  open(path: string): void {
    const shown = checkText('session.open', 'path', path);
    this.context.listener.emit({ kind: 'open', path: shown, ...this.#shared.by });
  }

  /** Tells of a call that was refused before it got here, or elsewhere; once for each error. Answers what to throw. */
  refused(op: string, thrown: unknown): Promise<EditError> {
    return this.#shared.watch.refused(op, this.wordedError(thrown), 0);
  }

  /** The same session for what is done within a call of this one, which was made when `known` was known. */
  #within(known: Moment, own: Pick<TurnOptions, 'vocabulary' | 'shown' | 'asked'> = {}): Session {
    const { vocabulary = this.vocabulary, shown = this.#turn.shown, asked = this.#turn.asked } = own;
    const turn = { vocabulary, shown, asked, known, began: this.#shared.views.answers };
    return new Session(this.#shared, new Turns(), turn);
  }

  #viewer(): Viewer {
    return this.#shared.views.viewer(this.moment());
  }

  #scope({ scope, path }: BackOptions): UndoScope {
    return { path, session: scope === 'trail' ? undefined : this.id };
  }

  #back<Given extends WayBackOptions & Named>(
    method: string,
    check: (call: string) => Given,
    plan: (snapshot: Snapshot, given: Given, since: SinceBase | null) => Promise<Planned>,
  ): Promise<Answer<DoneData>> {
    const checked = (): Given => check(`session.${method}`);
    const views = this.#viewer();
    return this.#told(method, checked, given => {
      const { op = method, base, version, names = [] } = given;
      const claim = { op, base, version, names, session: this.id, views };
      const planned: ChangeRequest['plan'] = snapshot =>
        planClaimed(snapshot, claim, since => plan(snapshot, given, since));
      const request = { op, ...this.#request(given), names, plansOnHistory: true, plan: planned };
      return this.#publish(request, method, given);
    });
  }

  /** A call in its turn, whose outcome is told to those who listen; what is wrong with what it was given, too. */
  #told<Given, A extends Answer<unknown>>(
    op: string,
    check: () => Given,
    work: (given: Given) => Promise<A>,
  ): Promise<A> {
    const given = attempted(check);
    return this.turns.next(() => this.#shared.watch.call(op, () => this.worded(async () => work(given()))));
  }

  #planOf(calls: readonly EditCall[], viewer: Viewer): ChangeRequest['plan'] {
    return async snapshot => {
      try {
        return await planEdits(snapshot, calls, viewer, this.id);
      } catch (error) {
        throw await withWay(snapshot, error);
      }
    };
  }

  #request(common: CommonInput): Omit<ChangeRequest, 'op' | 'plan'> {
    const { base, reason, callId: call, editId, dryRun = false } = common;
    const { by: editor, beforeCommit } = this.#shared;
    return { editor, base, reason, call, editId, beforeCommit, dryRun, session: this.#within(this.moment()) };
  }

  /** Makes the change that was asked for by this input of this tool. What the answer shows, the session has seen. */
  async #publish(change: ChangeRequest, tool: string, input: object): Promise<Answer<DoneData>> {
    const what = this.#turn.asked ?? { tool, input };
    const editHash = change.editId && (await requestHash(this.context, what.tool, what.input));
    const request = { ...change, editHash };
    const { message, data, deltas, known } = await makeChange(this.context, request);
    const told = this.#turn.shown ? known : new Map([...known].filter(([, lines]) => lines === 'all'));
    if (data.repeated) this.#shared.views.repeated(deltas, told);
    else if (data.commit && request.op !== 'outside') this.#shared.views.answer(deltas, data.commit, told);
    return { message, data };
  }
}
