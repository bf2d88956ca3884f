/**
 * A session: who is editing, and what they have been shown. All work on a workspace goes through one. Its calls are done
 * one after the other, in the order in which they were made, each with the options that it was given then.
 */

import type { Edit } from '../edits/edit.ts';
import type { EditInputs, EditName } from '../edits/index.ts';
import type { EditError, ErrorCode } from '../errors.ts';
import type { Vocabulary } from '../wording.ts';
import type { Answer, DoneData } from './answer.ts';
import { checkText, checkTexts, type OneOrMore } from './calls/call-options.ts';
import { type CallOptions, cancellation, checkCall, parted } from './calls/cancel.ts';
import { type Attempt, type RetryOptions, retry } from './calls/retry.ts';
import { checkTurn, SerialQueue, type TurnOptions } from './calls/turns.ts';
import { type EditStep, parseCalls } from './change/edit-calls.ts';
import {
  type CommonFields,
  type CommonInput,
  callIds,
  checkCommon,
  parseEditInput,
} from './change/edit-input.ts';
import { asked, type EditCall } from './change/edit-plan.ts';
import { findEdit } from './change/known-edits.ts';
import { checkRecord, planRecord, type RecordOptions, recordedOp } from './change/record.ts';
import { wordedError } from './files/worded.ts';
import {
  type BackOptions,
  checkBack,
  checkRestore,
  checkRollback,
  checkUndo,
  checkWayBack,
  type RestoreOptions,
  type RollbackOptions,
  type UndoOptions,
  type WayBackOptions,
} from './history/back-fields.ts';
import { planRestore, type RestoreScope } from './history/restoring.ts';
import { planBack, planUndoAll } from './history/rolling-back.ts';
import { namingElsewhere, planRevert } from './history/taking-back.ts';
import { planUndo } from './history/undo-turn.ts';
import { checkView, type ViewData, type ViewInput, view } from './queries/view.ts';
import { asInput, attempted } from './reads.ts';
import type { Told } from './review/rejections/telling.ts';
import { FIRST, type Named, SessionCalls, type Shared, type Turn, turnWithin } from './session-calls.ts';
import { SessionLooks } from './session-looks.ts';
import { checkMark, setMark } from './trails/marks.ts';
import type { Moment } from './views.ts';

export class Session extends SessionLooks {
  readonly id: string;
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly #shared: Shared;
  readonly #calls: SessionCalls;

  constructor(shared: Shared, turns: SerialQueue, turn: Turn = FIRST) {
    super(shared, turns, turn);
    this.#shared = shared;
    this.#calls = new SessionCalls(shared, turns, turn, known => this.#within(known, { tells: true }));
    this.id = shared.by.session;
    this.agent = shared.by.agent;
    this.model = shared.by.model;
  }

  /** The edits that there are here: the engine's, and those that the workspace was opened with. */
  get edits(): readonly Edit[] {
    return [...this.context.edits.values()];
  }

  /**
   * Runs `work` as one call of this session: no other call of it comes in between. `work` makes its calls with the
   * session that it is given; a call of the outer one would wait for it, and it for that call. A signal is one for all
   * of them: those that it stops reject.
   */
  async inTurn<T>(work: (session: Session) => Promise<T>, options: TurnOptions = {}): Promise<T> {
    const { call, own } = parted<TurnOptions>(options);
    checkCall('session.inTurn', call);
    const { known = this.moment(), ...turn } = checkTurn('session.inTurn', own);
    const cancel = cancellation(this.#calls.turn.signal, call);
    const run = (): Promise<T> => {
      // Its own calls hear the signal, and what they have done is not to be lost.
      cancel.begin();
      return work(this.#within(known, { ...turn, signal: cancel.signal }));
    };
    return this.turns.next(run, cancel);
  }

  /** Runs `work`, which looks and edits, again when it is refused as STALE or LOCKED, or with the codes that `options` name. */
  retry<T, Code extends ErrorCode = 'STALE' | 'LOCKED'>(
    work: (attempt: Attempt<Code>) => Promise<T>,
    options: RetryOptions<Code> = {},
  ): Promise<T> {
    return retry(work, options);
  }

  /** What the caller knows by now: the lines that answers to edits have shown. For calls that were asked for earlier. */
  moment(): Moment {
    return this.#calls.moment();
  }

  /** A file as numbered lines, or a folder's listing. Afterwards the session may give line numbers of that file. */
  view(input: ViewInput | string, options: CallOptions = {}): Promise<Answer<ViewData>> {
    const check = (): ViewInput => checkView('session.view', asInput(input));
    return this.#calls.told('view', input, check, options, given =>
      view(this.context, given, this.#shared.views),
    );
  }

  /**
   * One edit by its name; or one of your own, with which the workspace was opened. Rejects with an EditError, and
   * nothing is changed then. Of a name that only the running program knows, the input is checked when it runs.
   */
  edit<Name extends string>(
    name: string extends Name ? Name : never,
    input: unknown,
    options?: CallOptions,
  ): Promise<Answer<DoneData>>;
  edit<Input extends object>(
    edit: Edit<Input>,
    input: Input & CommonFields,
    options?: CallOptions,
  ): Promise<Answer<DoneData>>;
  edit<Name extends EditName>(
    name: Name,
    input: EditInputs[Name] & CommonFields,
    options?: CallOptions,
  ): Promise<Answer<DoneData>>;
  edit(given: string | Edit, raw: unknown, options: CallOptions = {}): Promise<Answer<DoneData>> {
    const name = typeof given === 'string' ? given : String(Object(given).name);
    const check = (): { call: EditCall; common: CommonInput } => {
      const edit = findEdit(this.context.edits, given);
      const { own, common } = parseEditInput(edit, raw);
      const { base, version, onStale } = common;
      return { call: { edit, input: own, base, version, onStale }, common };
    };
    const planOf = this.#calls.planner();
    return this.#calls.told(name, raw, check, options, ({ call, common }, cancel) => {
      const change = { op: call.edit.name, ...planOf([call]) };
      return this.#calls.publish(change, common, cancel, { tool: name, input: asked(call) });
    });
  }

  /** Several edits, planned in order on the growing texts, as one commit or not at all. */
  change<const Step extends { edit: string }>(
    list: ReadonlyArray<string extends Step['edit'] ? Step : never>,
    options?: CommonInput & CallOptions,
  ): Promise<Answer<DoneData>>;
  change(list: readonly EditStep[], options?: CommonInput & CallOptions): Promise<Answer<DoneData>>;
  change(list: readonly unknown[], options: CommonInput & CallOptions = {}): Promise<Answer<DoneData>> {
    const { call, own } = parted(options);
    const check = (): ReturnType<typeof parseCalls> =>
      parseCalls(this.context.edits, list, checkCommon('session.change', own));
    const planOf = this.#calls.planner();
    return this.#calls.told('change', own, check, call, ({ calls, common }, cancel) => {
      const ops = new Set(calls.map(call => call.edit.name));
      const op = ops.size === 1 ? [...ops][0]! : 'change';
      const names = calls.map(call => call.base);
      const input = { calls: calls.map(asked) };
      return this.#calls.publish({ op, names, ...planOf(calls) }, common, cancel, {
        tool: 'change',
        input,
      });
    });
  }

  /** Takes back the newest edits that are not undone. */
  undo(options: UndoOptions & CallOptions = {}): Promise<Answer<DoneData>> {
    return this.#newest('undo', options);
  }

  /** Puts back what was undone last. */
  redo(options: BackOptions & CallOptions = {}): Promise<Answer<DoneData>> {
    return this.#newest('redo', options);
  }

  #newest(word: 'undo' | 'redo', options: UndoOptions & CallOptions): Promise<Answer<DoneData>> {
    const { call, own } = parted(options);
    const check = (method: string): UndoOptions => (word === 'undo' ? checkUndo : checkBack)(method, own);
    return this.#calls.back(word, own, check, call, (snapshot, { scope, ...given }, since) => {
      const session = scope === 'trail' ? undefined : this.id;
      const plan = () => planUndo(snapshot, word, { ...given, session }, since);
      return word === 'undo' ? namingElsewhere(snapshot, plan) : plan();
    });
  }

  /**
   * Gives the trail's newest commit a name, for `rollback(name)` and `restore(path, name)` of this session. Answers the
   * commit; `null` in a repository that has none. A name that was given before is given anew.
   */
  mark(name: string, options: CallOptions = {}): Promise<string | null> {
    const check = attempted(() => {
      checkCall('session.mark', options);
      return checkMark(name);
    });
    const mark = async (): Promise<string | null> => setMark(this.context, this.#shared.marks, check());
    return this.turns.next(mark, cancellation(this.#calls.turn.signal, options));
  }

  /**
   * The paths that the engine touched since `commit`, or since a mark of this session, become what they were then. Since
   * a mark, as since `~N`, others may have edited: CONFLICT, unless `withOthers`.
   */
  rollback(commit: string, options: RollbackOptions & CallOptions = {}): Promise<Answer<DoneData>> {
    const { call, own } = parted(options);
    const mark = this.#shared.marks.get(commit);
    const check = (method: string): RollbackOptions & Named & { to: string } => {
      const to = checkText(method, 'commit', commit);
      const given = checkRollback(method, own);
      // Of all edits, there is no commit to go back to that history could name.
      return mark === null ? { ...given, to, op: 'undo' } : { ...given, to, names: [mark ?? to] };
    };
    return this.#calls.back('rollback', own, check, call, (snapshot, { to, paths, withOthers }) => {
      const session = withOthers ? undefined : this.id;
      if (mark === null) return planUndoAll(snapshot, paths, session);
      return planBack(snapshot, mark ?? to, { paths, session, mark: mark === undefined ? undefined : to });
    });
  }

  /** Takes one edit out of the middle of history, keeping all later ones. */
  revert(commit: string, options: WayBackOptions & CallOptions = {}): Promise<Answer<DoneData>> {
    const { call, own } = parted(options);
    const check = (method: string): WayBackOptions & Named & { of: string } => {
      const of = checkText(method, 'commit', commit);
      return { ...checkWayBack(method, own), of, names: [of] };
    };
    return this.#calls.back('revert', own, check, call, (snapshot, { of }) => planRevert(snapshot, of));
  }

  /**
   * Files, and folders with what was edited in them, become what they were in `commit`, or at a mark of this session: all
   * of them or none. Without a commit what is gone, or as HEAD has it, comes back as the newest edit left it: '.' is all.
   */
  restore(
    paths: OneOrMore,
    commit?: string,
    options: RestoreOptions & CallOptions = {},
  ): Promise<Answer<DoneData>> {
    const { call, own } = parted(options);
    const mark = commit === undefined ? undefined : this.#shared.marks.get(commit);
    const check = (method: string): RestoreOptions & Named & RestoreScope => {
      const files = [...checkTexts(method, 'path', typeof paths === 'string' ? [paths] : paths)];
      const from = mark ?? checkText(method, 'commit', commit ?? '@');
      const { missing = commit === undefined, ...given } = checkRestore(method, own);
      return { ...given, missing, paths: files, from, names: [from] };
    };
    return this.#calls.back('restore', own, check, call, planRestore);
  }

  /**
   * What the files hold already becomes an edit of this session, or with `outside` a change that is not its work: for edits
   * that other tools made. No file is touched. Throws NO_CHANGE when the files are as recorded.
   */
  record(paths: readonly string[], options: RecordOptions & CallOptions = {}): Promise<Answer<DoneData>> {
    const { call, own } = parted(options);
    const check = (method: string): RecordOptions & { op: string; files: readonly string[] } => {
      const given = checkRecord(method, own);
      return { ...given, op: recordedOp(given), files: [...checkTexts(method, 'paths', paths)] };
    };
    return this.#calls.back('record', own, check, call, (snapshot, given) =>
      planRecord(snapshot, given.files, given),
    );
  }

  /** What an answer with this data has to tell of rejections, where `known` was known when its call was made. */
  rejections(
    known: Moment,
    input: unknown,
    data: unknown,
    vocabulary: Vocabulary = {},
  ): Promise<Told | null> {
    return this.#calls.rejections(known, input, data, vocabulary);
  }

  /** Tells those who listen to show a file: an editor pane opens it, or shows its present content. */
  open(path: string): void {
    const shown = checkText('session.open', 'path', path);
    this.context.listener.emit(() => ({ kind: 'open', path: shown, ...this.#shared.watch.start() }));
  }

  /**
   * Tells of a call that was refused before it got here, or elsewhere, and that nobody told of. `input` is what it was
   * given. Answers what to throw; throws the reason where a signal stopped the call.
   */
  refused(op: string, thrown: unknown, input?: unknown): Promise<EditError> {
    const { vocabulary, signal } = this.#calls.turn;
    if (cancellation(signal, {}).isReason(thrown)) return Promise.reject(thrown);
    const error = wordedError(vocabulary, thrown);
    return this.#shared.watch.refused(op, error, 0, callIds(input));
  }

  /** This session for what is done within one of its calls, which was made when `known` was known. */
  #within(known: Moment, own: Omit<TurnOptions, 'known'>): Session {
    const began = this.#shared.views.answers;
    return new Session(this.#shared, new SerialQueue(), turnWithin(this.#calls.turn, own, { known, began }));
  }
}
