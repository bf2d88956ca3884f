/**
 * A session: who is editing, and what they have been shown. All work on a workspace goes through one. Its calls are done
 * one after the other, in the order in which they were made, each with the options that it was given then.
 */

import type { During, Looked, RecordAllOptions } from '../agents/look.ts';
import type { Edit } from '../edits/edit.ts';
import type { EditInputs, EditName } from '../edits/index.ts';
import type { Answer, DoneData } from '../engine/answer.ts';
import type { SessionState } from '../engine/calls/call.ts';
import { type CheckOptions, checkText, checkTexts, unchecked } from '../engine/calls/call-options.ts';
import { type CallOptions, cancellation, splitOptions } from '../engine/calls/cancel.ts';
import { Calls, SerialQueue } from '../engine/calls/queue.ts';
import { type Attempt, type RetryOptions, retry } from '../engine/calls/retry.ts';
import {
  checkTurn,
  OUTERMOST,
  type Scope,
  scopeWithin,
  type ToolScope,
  type TurnOptions,
} from '../engine/calls/scope.ts';
import { type EditStep, parseCalls } from '../engine/change/edit-calls.ts';
import {
  type CommonFields,
  type CommonInput,
  callIds,
  checkCommon,
  parseEditInput,
} from '../engine/change/edit-input.ts';
import { asked } from '../engine/change/edit-plan.ts';
import { findEdit } from '../engine/change/known-edits.ts';
import { checkRecord, type RecordOptions, recordedOp } from '../engine/change/record-options.ts';
import type { RefusalOptions, RefusalRecord } from '../engine/change/refusals.ts';
import type { Told } from '../engine/rejections/notices.ts';
import type { ReplyData, ReplyInput } from '../engine/rejections/remark.ts';
import { checkMark, setMark } from '../engine/trails/open-trail.ts';
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
} from '../engine/undo/back-fields.ts';
import type { RestoreScope } from '../engine/undo/restoring.ts';
import { type Moment, Views } from '../engine/views.ts';
import type { EditError, ErrorCode } from '../errors.ts';
import { late, lateEach } from '../lazy.ts';
import type { BlameData } from '../queries/blame.ts';
import type { DiffData } from '../queries/diff/compare.ts';
import type { ExportEntry } from '../queries/export.ts';
import type { LogData, LogEntry, ShowData } from '../queries/log/history.ts';
import {
  type BlameInput,
  checkBlame,
  checkDiff,
  checkLog,
  checkRefusals,
  checkShow,
  checkTimeline,
  checkVerify,
  checkView,
  type DiffOptions,
  type LogOptions,
  type TimelineOptions,
  type VerifyOptions,
  type ViewInput,
} from '../queries/read-options.ts';
import type { StatusData } from '../queries/status.ts';
import type { Timeline } from '../queries/timeline.ts';
import type { VerifyData } from '../queries/verify.ts';
import type { ViewData } from '../queries/view.ts';
import type { Vocabulary } from '../wording.ts';
import { type Named, SessionChanges } from './session-changes.ts';

export class Session {
  readonly id: string;
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly #state: SessionState;
  readonly #calls: SessionChanges;

  constructor(state: SessionState, queue: SerialQueue, scope: Scope = OUTERMOST) {
    this.#state = state;
    this.#calls = new SessionChanges(state, queue, scope, known => this.#within(known, { tells: true }));
    this.id = state.by.session;
    this.agent = state.by.agent;
    this.model = state.by.model;
  }

  /** Returns the edits that there are here: the engine's, and those that the workspace was opened with. */
  get edits(): readonly Edit[] {
    return [...this.#state.context.edits.values()];
  }

  /**
   * Runs `work` as one call of this session: no other call of it comes in between. `work` makes its calls with the
   * session that it is given; a call of the outer one would wait for it, and it for that call. A signal is one for all
   * of them: those that it stops reject.
   */
  async inTurn<T>(work: (session: Session) => Promise<T>, options: TurnOptions = {}): Promise<T> {
    const given = splitOptions<TurnOptions>(options);
    const { known = this.moment(), ...turn } = checkTurn('session.inTurn', given.own);
    return this.#calls.turn('inTurn', given, cancel => {
      // Its own calls hear the signal, and what they have done is not to be lost.
      cancel.begin();
      return work(this.#within(known, { ...turn, signal: cancel.signal }));
    });
  }

  /** Runs `work`, which looks and edits, again when it is refused as STALE or LOCKED, or with the codes that `options` name. */
  retry<T, Code extends ErrorCode = 'STALE' | 'LOCKED'>(
    work: (attempt: Attempt<Code>) => Promise<T>,
    options: RetryOptions<Code> = {},
  ): Promise<T> {
    return retry(work, options);
  }

  /** Returns what the caller knows by now, the lines that answers to edits have shown: for calls that were asked for earlier. */
  moment(): Moment {
    return this.#calls.moment();
  }

  /** Shows a file as numbered lines, or lists a folder. Afterwards the session may give line numbers of that file. */
  view(input: ViewInput & CallOptions): Promise<Answer<ViewData>> {
    return this.#calls.make('view', splitOptions(input), checkView, given =>
      view(this.#state.context, given, this.#state.views),
    );
  }

  /**
   * Makes one edit by its name; or one of your own, with which the workspace was opened. Rejects with an EditError, and
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
    const check = (): ReturnType<typeof parseCalls> => {
      const edit = findEdit(this.#state.context.edits, given);
      const { own, common } = parseEditInput(edit, raw);
      const { base, version, onStale } = common;
      return { calls: [{ edit, input: own, base, version, onStale }], common };
    };
    return this.#calls.edits(name, { own: raw, call: options }, check, ([call]) => {
      const { edit } = call!;
      return { op: edit.name, asked: { tool: name, input: asked(call!) } };
    });
  }

  /** Makes several edits, planned in order on the growing texts, as one commit or not at all. */
  change<const Step extends { edit: string }>(
    list: ReadonlyArray<string extends Step['edit'] ? Step : never>,
    options?: CommonInput & CallOptions,
  ): Promise<Answer<DoneData>>;
  change(list: readonly EditStep[], options?: CommonInput & CallOptions): Promise<Answer<DoneData>>;
  change(list: readonly unknown[], options: CommonInput & CallOptions = {}): Promise<Answer<DoneData>> {
    const check = (method: string, own: unknown): ReturnType<typeof parseCalls> =>
      parseCalls(this.#state.context.edits, list, checkCommon(method, own));
    return this.#calls.edits('change', splitOptions(options), check, calls => {
      const ops = new Set(calls.map(call => call.edit.name));
      const op = ops.size === 1 ? [...ops][0]! : 'change';
      const names = calls.map(call => call.base);
      return { op, names, asked: { tool: 'change', input: { calls: calls.map(asked) } } };
    });
  }

  /** Takes back the newest edits that are not undone. */
  undo(options: UndoOptions & CallOptions = {}): Promise<Answer<DoneData>> {
    return this.#newest('undo', options, checkUndo);
  }

  /** Puts back what was undone last. */
  redo(options: BackOptions & CallOptions = {}): Promise<Answer<DoneData>> {
    return this.#newest('redo', options, checkBack);
  }

  #newest(
    word: 'undo' | 'redo',
    options: UndoOptions & CallOptions,
    check: CheckOptions<UndoOptions>,
  ): Promise<Answer<DoneData>> {
    return this.#calls.back(word, splitOptions(options), check, (snapshot, { scope, ...given }, since) => {
      const session = scope === 'trail' ? undefined : this.id;
      return planUndo(snapshot, word, { ...given, session }, since);
    });
  }

  /**
   * Gives the trail's newest commit a name, for `rollback(name)` and `restore({ path, from: name })` of this session. Answers the
   * commit; `null` in a repository that has none. A name that was given before is given anew.
   */
  mark(name: string, options: CallOptions = {}): Promise<string | null> {
    const { context, marks } = this.#state;
    return this.#calls.next('mark', { own: name, call: options }, async () =>
      setMark(context, marks, checkMark(name)),
    );
  }

  /**
   * Makes the paths that the engine touched since `commit`, or since a mark of this session, what they were then. Since
   * a mark, as since `~N`, others may have edited: CONFLICT, unless `withOthers`.
   */
  rollback(commit: string, options: RollbackOptions & CallOptions = {}): Promise<Answer<DoneData>> {
    const mark = this.#state.marks.get(commit);
    const check = (method: string, own: unknown): RollbackOptions & Named & { to: string } => {
      const to = checkText(method, 'commit', commit);
      const given = checkRollback(method, own);
      // Of all edits, there is no commit to go back to that history could name.
      return mark === null ? { ...given, to, op: 'undo' } : { ...given, to, names: [mark ?? to] };
    };
    return this.#calls.back('rollback', splitOptions(options), check, async (snapshot, given) => {
      const { planBack, planUndoAll } = await import('../engine/undo/rolling-back.ts');
      const { to, paths } = given;
      const session = given.withOthers ? undefined : this.id;
      if (mark === null) return planUndoAll(snapshot, paths, session);
      return planBack(snapshot, mark ?? to, { paths, session, mark: mark === undefined ? undefined : to });
    });
  }

  /** Takes one edit out of the middle of history, keeping all later ones. */
  revert(commit: string, options: WayBackOptions & CallOptions = {}): Promise<Answer<DoneData>> {
    const check = (method: string, own: unknown): WayBackOptions & Named & { of: string } => {
      const of = checkText(method, 'commit', commit);
      return { ...checkWayBack(method, own), of, names: [of] };
    };
    return this.#calls.back('revert', splitOptions(options), check, (snapshot, { of }) =>
      planRevert(snapshot, of),
    );
  }

  /**
   * Makes files, and folders with what was edited in them, what they were in a commit, or at a mark of this session: all of
   * them or none. Without a commit what is gone, or as HEAD has it, comes back as the newest edit left it: '.' is all.
   */
  restore(options: RestoreOptions & CallOptions): Promise<Answer<DoneData>> {
    const check = (method: string, own: unknown): WayBackOptions & Named & RestoreScope => {
      const { path, from, missing = from === undefined, ...given } = checkRestore(method, own);
      const commit = (from !== undefined && this.#state.marks.get(from)) || (from ?? '@');
      return { ...given, missing, paths: [path].flat(), from: commit, names: [commit] };
    };
    return this.#calls.back('restore', splitOptions(options), check, planRestore);
  }

  /**
   * Records what the files hold already as an edit of this session, or with `outside` as a change that is not its work:
   * for edits that other tools made. No file is touched. Throws NO_CHANGE when the files are as recorded.
   */
  record(paths: readonly string[], options: RecordOptions & CallOptions = {}): Promise<Answer<DoneData>> {
    const check = (method: string, own: unknown) => {
      const given = checkRecord(method, own);
      return { ...given, op: recordedOp(given), files: [...checkTexts(method, 'paths', paths)] };
    };
    return this.#calls.back('record', splitOptions(options), check, (snapshot, given) =>
      planRecord(snapshot, given.files, given),
    );
  }

  /**
   * Answers a person's comment on what was edited, by its id or the start of it: they see it beside the lines. No file
   * changes. INVALID_INPUT where there is no such comment.
   */
  reply(comment: string, text: string, options: CallOptions = {}): Promise<Answer<ReplyData>> {
    const { context, by } = this.#state;
    const check = (method: string): ReplyInput => ({
      comment: checkText(method, 'comment', comment),
      text: checkText(method, 'text', text),
    });
    return this.#calls.make('reply', { own: {}, call: options }, check, (given, cancel) => {
      cancel.begin();
      return reply(context, by, given);
    });
  }

  /** Answers as view, for a program: the session has not been shown the file by it. */
  read(input: ViewInput & CallOptions): Promise<Answer<ViewData>> {
    return this.#calls.read('read', splitOptions(input), checkView, (context, given) =>
      view(context, given, new Views()),
    );
  }

  /** Lists the trail's commits, newest first. */
  log(options: LogOptions & CallOptions = {}): Promise<Answer<LogData>> {
    return this.#calls.read('log', splitOptions(options), checkLog, log);
  }

  /** Yields the log one entry at a time, newest first, reading no further than is asked for. */
  entries(options: LogOptions & CallOptions = {}): AsyncGenerator<LogEntry> {
    return this.#calls.each('entries', splitOptions(options), checkLog, logEntries);
  }

  /** Yields the log with all that a program needs to know of each change: files, blob ids, lines, diffs. */
  export(options: LogOptions & CallOptions = {}): AsyncGenerator<ExportEntry> {
    return this.#calls.each('export', splitOptions(options), checkLog, exportEntries);
  }

  /** Returns the newest entries with all that they changed, as the page shows them. */
  timeline(options: TimelineOptions & CallOptions = {}): Promise<Timeline> {
    return this.#calls.read('timeline', splitOptions(options), checkTimeline, timeline);
  }

  /** Shows one commit: what the log says of it, and its diff. */
  show(commit: string, options: CallOptions = {}): Promise<Answer<ShowData>> {
    return this.#calls.read('show', { own: { commit }, call: options }, checkShow, show);
  }

  /** Shows each line of a file with the edit behind it. */
  blame(input: BlameInput & CallOptions): Promise<Answer<BlameData>> {
    return this.#calls.read('blame', splitOptions(input), checkBlame, blameFile);
  }

  /** Compares two commits, or shows what changed outside the engine. */
  diff(options: DiffOptions & CallOptions = {}): Promise<Answer<DiffData>> {
    return this.#calls.read('diff', splitOptions(options), checkDiff, diff);
  }

  /** Returns the refusals that were kept (`recordRefusals`), newest first: anybody's, unless a session is named. */
  refusals(options: RefusalOptions & CallOptions = {}): Promise<RefusalRecord[]> {
    return this.#calls.read('refusals', splitOptions(options), checkRefusals, readRefusals);
  }

  /** Tells of the trail, HEAD, what changed outside the engine, and what is interrupted. */
  status(options: CallOptions = {}): Promise<Answer<StatusData>> {
    return this.#calls.read('status', { own: {}, call: options }, unchecked, status);
  }

  /** Checks the trail and the files it touched; see Workspace. */
  verify(options: VerifyOptions & CallOptions = {}): Promise<Answer<VerifyData>> {
    return this.#calls.read('verify', splitOptions(options), checkVerify, verify);
  }

  /**
   * Does `work`, which changes files by means of its own, and records as one edit of this session what changed meanwhile; what
   * others changed before is recorded first, and what somebody else may have made is nobody's. The work may make no calls
   * of this session. Rejects as the work does, once that is recorded.
   */
  during<T>(work: () => Promise<T>, options: RecordAllOptions = {}): Promise<During<T>> {
    return this.#calls.next('during', { own: options, call: {} }, async () => {
      const { checkRecordAll, recordDuring } = await import('../agents/look.ts');
      return recordDuring({ ...this.#state, session: this }, work, checkRecordAll('session.during', options));
    });
  }

  /** Records everything that changed since the last look as one edit of this session, whoever made it. */
  recordAll(options: RecordAllOptions = {}): Promise<Looked> {
    return this.#calls.next('recordAll', { own: options, call: {} }, async () => {
      const { checkRecordAll, recordAll } = await import('../agents/look.ts');
      return recordAll({ ...this.#state, session: this }, checkRecordAll('session.recordAll', options));
    });
  }

  /** Returns what an answer with this data has to tell of rejections, where `known` was known when its call was made. */
  rejections(
    known: Moment,
    input: unknown,
    data: unknown,
    vocabulary: Vocabulary = {},
  ): Promise<Told | null> {
    return this.#calls.rejections({ known, ids: callIds(input) }, data, vocabulary);
  }

  /** Tells those who listen to show a file: an editor pane opens it, or shows its present content. */
  open(path: string): void {
    const shown = checkText('session.open', 'path', path);
    this.#state.context.listener.emit(() => ({ kind: 'open', path: shown, ...this.#state.notifier.start() }));
  }

  /**
   * Tells of a call that was refused before it got here, or elsewhere, and that nobody told of. `input` is what it was
   * given. Answers what to throw; throws the reason where a signal stopped the call.
   */
  refused(op: string, thrown: unknown, input?: unknown): Promise<EditError> {
    return this.#calls.refused(op, thrown, input);
  }

  /** Returns this session for a call of a tool of this package, which takes its turn with the calls of this one. */
  scoped({ known = this.moment(), signal, ...own }: ToolScope): Session {
    const { scope, queue } = this.#calls;
    const heard = cancellation(scope.signal, { signal }).signal;
    const since = { known, began: this.#state.views.answers };
    return new Session(this.#state, queue, scopeWithin(scope, { ...own, signal: heard }, since));
  }

  /** Returns this session for what is done within one of its calls, which was made when `known` was known. */
  #within(known: Moment, own: Omit<TurnOptions, 'known'>): Session {
    const began = this.#state.views.answers;
    const queue = new SerialQueue(new Calls(undefined, undefined, this.#state.context.turns));
    return new Session(this.#state, queue, scopeWithin(this.#calls.scope, own, { known, began }));
  }
}

// Each is loaded with its first use, so that a program which only edits has none of them.
const reply = late(() => import('../engine/rejections/remark.ts'), 'reply');
const planRecord = late(() => import('../engine/change/record.ts'), 'planRecord');
const planUndo = late(() => import('../engine/undo/undo.ts'), 'planUndo');
const planRevert = late(() => import('../engine/undo/undo.ts'), 'planRevert');
const planRestore = late(() => import('../engine/undo/restoring.ts'), 'planRestore');
const view = late(() => import('../queries/view.ts'), 'view');
const log = late(() => import('../queries/log/history.ts'), 'log');
const logEntries = lateEach(() => import('../queries/log/history.ts'), 'logEntries');
const show = late(() => import('../queries/log/history.ts'), 'show');
const exportEntries = lateEach(() => import('../queries/export.ts'), 'exportEntries');
const timeline = late(() => import('../queries/timeline.ts'), 'timeline');
const blameFile = late(() => import('../queries/blame.ts'), 'blameFile');
const diff = late(() => import('../queries/diff/compare.ts'), 'diff');
const readRefusals = late(() => import('../engine/change/refusals.ts'), 'readRefusals');
const status = late(() => import('../queries/status.ts'), 'status');
const verify = late(() => import('../queries/verify.ts'), 'verify');
