/** A session: who is editing, and what he has been shown. All work on a workspace goes through one. */

import { editNamed } from '../edits/index.ts';
import type { EditError } from '../errors.ts';
import type { UndoScope } from '../trail/undo.ts';
import type { Answer, DoneData } from './answer.ts';
import type { BeforeCommit } from './change/approval.ts';
import { planClaimed } from './change/back-claim.ts';
import { type ChangeRequest, makeChange } from './change/change.ts';
import type { Planned } from './change/draft.ts';
import { parseCalls, unknownEdit } from './change/edit-calls.ts';
import { type CommonInput, parseEditInput } from './change/edit-input.ts';
import { type EditCall, planEdits } from './change/edit-plan.ts';
import { planRecord, type RecordOptions, recordedOp } from './change/record.ts';
import { type RefusalOptions, type RefusalRecord, readRefusals } from './change/refusals.ts';
import type { SinceBase } from './change/since-base.ts';
import {
  namingElsewhere,
  planBack,
  planRedo,
  planRestore,
  planRevert,
  planUndo,
} from './change/taking-back.ts';
import type { Context } from './context.ts';
import type { Editor } from './editor.ts';
import { type KnownElsewhere, knownElsewhere } from './elsewhere.ts';
import type { By } from './events.ts';
import { withWay } from './missing.ts';
import { openTrail } from './open-trail.ts';
import type { AgentTraceOptions, TraceRecord } from './reading/agent-trace.ts';
import { type BlameData, type BlameInput, blameFile } from './reading/blame.ts';
import { type DiffData, type DiffOptions, diff } from './reading/compare.ts';
import type { ExportEntry } from './reading/export.ts';
import { type LogEntry, type LogOptions, log, logEntries, type ShowData, show } from './reading/history.ts';
import { type LaneEntry, laneEntries } from './reading/lanes.ts';
import { type StatusData, status } from './reading/status.ts';
import { type Timeline, type TimelineOptions, timeline } from './reading/timeline.ts';
import type { TrailInfo } from './reading/trails.ts';
import type { VerifyData, VerifyOptions } from './reading/verify.ts';
import { type ViewInput, view } from './reading/view.ts';
import type { Snapshot } from './snapshot.ts';
import { Views } from './views.ts';
import { Watch } from './watch.ts';

/** Options of undo, redo and rollback, as tools and programs give them. */
export interface BackOptions {
  /** How many edits; default 1. */
  count?: number | undefined;
  /** Whose edits: this session's, or anybody's on the trail. Default: the session's. */
  scope?: 'session' | 'trail' | undefined;
  /** Only edits of this file; those that changed other files too are taken back whole. */
  path?: string | undefined;
  /** The commit that was the newest when this was decided. Refused as STALE if what it would do changed since. */
  base?: string | undefined;
  /** The version of a file that this changes. Refused as STALE if it is another now. */
  version?: string | undefined;
  dry_run?: boolean | undefined;
  /** The caller's own id: sent again, it is answered, not done again. */
  edit_id?: string | undefined;
  call_id?: string | undefined;
  reason?: string | undefined;
}

/** Options of a rollback. */
export interface RollbackOptions extends BackOptions {
  /** Only these files and folders. */
  paths?: readonly string[] | undefined;
  /** Also where that takes back edits of other sessions and the commit is given as `~N`: refused otherwise. */
  withOthers?: boolean | undefined;
}

export class Session {
  readonly id: string;
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly #context: Context;
  readonly #beforeCommit: BeforeCommit | undefined;
  readonly #views = new Views();
  readonly #watch: Watch;

  constructor(context: Context, editor: Editor, beforeCommit?: BeforeCommit) {
    this.#context = context;
    this.#beforeCommit = beforeCommit;
    this.id = editor.session;
    this.agent = editor.agent;
    this.model = editor.model;
    this.#watch = new Watch(context, this.#by());
  }

  /** A file as numbered lines, or a folder's listing. Afterwards the session may give line numbers of that file. */
  view(input: ViewInput | string): Promise<Answer> {
    const wanted = typeof input === 'string' ? { path: input } : input;
    return this.#watch.call('view', () => view(this.#context, wanted, this.#views));
  }

  /** What view answers, for a program: the session has not been shown the file by it. */
  read(input: ViewInput): Promise<Answer> {
    return view(this.#context, input, new Views());
  }

  /** One edit by its name. Throws EditError with the codes of design; nothing is changed then. */
  edit(name: string, raw: unknown): Promise<Answer<DoneData>> {
    return this.#watch.call(name, async () => {
      const edit = editNamed(name);
      if (!edit) throw unknownEdit(name);
      const { own, common } = parseEditInput(edit, raw);
      const { base, version, on_stale: onStale } = common;
      const call: EditCall = { edit, input: own, base, version, onStale };
      return this.#publish({ op: name, ...this.#request(common), plan: this.#planOf([call]) });
    });
  }

  /** Several edits, planned in order on the growing texts, as one commit or not at all. */
  change(list: readonly unknown[], given: CommonInput = {}): Promise<Answer<DoneData>> {
    return this.#watch.call('change', async () => {
      const { calls, common } = parseCalls(list, given);
      const ops = new Set(calls.map(call => call.edit.name));
      const op = ops.size === 1 ? [...ops][0]! : 'change';
      const names = calls.map(call => call.base);
      return this.#publish({ op, ...this.#request(common), names, plan: this.#planOf(calls) });
    });
  }

  /** Takes back the newest edits that are not undone. */
  undo(options: BackOptions = {}): Promise<Answer<DoneData>> {
    return this.#back('undo', options, (snapshot, since) =>
      namingElsewhere(snapshot, () => planUndo(snapshot, options.count ?? 1, this.#scope(options), since)),
    );
  }

  /** Puts back what was undone last. */
  redo(options: BackOptions = {}): Promise<Answer<DoneData>> {
    return this.#back('redo', options, (snapshot, since) =>
      planRedo(snapshot, options.count ?? 1, this.#scope(options), since),
    );
  }

  /** The paths that the engine touched since `commit` become what they were then. */
  rollback(commit: string, options: RollbackOptions = {}): Promise<Answer<DoneData>> {
    const scope = { paths: options.paths, session: options.withOthers ? undefined : this.id };
    return this.#back('rollback', options, snapshot => planBack(snapshot, commit, scope), [commit]);
  }

  /** Takes one edit out of the middle of history, keeping all later ones. */
  revert(commit: string, options: BackOptions = {}): Promise<Answer<DoneData>> {
    return this.#back('revert', options, snapshot => planRevert(snapshot, commit), [commit]);
  }

  /** One file becomes what it was in `commit`. */
  restore(path: string, commit: string, options: BackOptions = {}): Promise<Answer<DoneData>> {
    return this.#back('restore', options, snapshot => planRestore(snapshot, path, commit), [commit]);
  }

  /**
   * What the files hold already becomes an edit of this session, or with `outside` a change that is not its work: for edits
   * that other tools made. No file is touched. Throws NO_CHANGE when the files are as recorded.
   */
  async record(paths: readonly string[], options: RecordOptions = {}): Promise<Answer<DoneData>> {
    const op = recordedOp(options);
    return this.#back(op, options, snapshot =>
      planRecord(snapshot, paths, options.outside ? 'outside' : 'edit'),
    );
  }

  log(options: LogOptions = {}): Promise<Answer> {
    return log(this.#context, options);
  }

  /** Work in the files that this trail knows nothing of, and the trails that do. */
  async elsewhere(): Promise<KnownElsewhere[]> {
    return knownElsewhere(this.#context, await openTrail(this.#context));
  }

  /** The log one entry at a time, newest first, reading no further than is asked for. */
  entries(options: LogOptions = {}): AsyncGenerator<LogEntry> {
    return logEntries(this.#context, options);
  }

  /** The log with all that a program needs to know of each change: files, blob ids, lines, diffs. */
  async *export(options: LogOptions = {}): AsyncGenerator<ExportEntry> {
    yield* (await import('./reading/export.ts')).exportEntries(this.#context, options);
  }

  /** The log in the words of Agent Trace (https://agent-trace.dev), one record a commit. */
  async *agentTrace(options: AgentTraceOptions = {}): AsyncGenerator<TraceRecord> {
    yield* (await import('./reading/agent-trace.ts')).agentTrace(this.#context, options);
  }

  /** The newest entries with all that they changed, and what replays the files: for pictures and reports. */
  timeline(options: TimelineOptions = {}): Promise<Timeline> {
    return timeline(this.#context, options);
  }

  /** The same with the lanes that a picture of it has. */
  lanes(options: LogOptions = {}): AsyncGenerator<LaneEntry> {
    return laneEntries(this.#context, options);
  }

  show(commit: string): Promise<Answer<ShowData>> {
    return show(this.#context, commit);
  }

  /** Each line of a file with the edit behind it. */
  blame(input: BlameInput): Promise<Answer<BlameData>> {
    return blameFile(this.#context, input);
  }

  diff(options: DiffOptions = {}): Promise<Answer<DiffData>> {
    return diff(this.#context, options);
  }

  /** The refusals that were kept (`recordRefusals`), newest first: anybody's, unless a session is named. */
  refusals(options: RefusalOptions = {}): Promise<RefusalRecord[]> {
    return readRefusals(this.#context, options);
  }

  /** Tells those who listen to show a file: an editor pane opens it, or shows its present content. */
  open(path: string): void {
    this.#context.listener.emit({ kind: 'open', path, ...this.#by() });
  }

  /** Tells of a call that was refused before it got here, or elsewhere; once for each error. Answers what to throw. */
  refused(op: string, thrown: unknown): Promise<EditError> {
    return this.#watch.refused(op, thrown, 0);
  }

  status(): Promise<Answer<StatusData>> {
    return status(this.#context);
  }

  /** Checks the trail and the files it touched; see Workspace. */
  async verify(options: VerifyOptions = {}): Promise<Answer<VerifyData>> {
    return (await import('./reading/verify.ts')).verify(this.#context, options);
  }

  /** Every trail of the repository; see Workspace. */
  async trails(): Promise<Answer<{ trails: TrailInfo[] }>> {
    return (await import('./reading/trails.ts')).trails(this.#context);
  }

  #scope({ scope, path }: BackOptions): UndoScope {
    return { path, session: scope === 'trail' ? undefined : this.id };
  }

  #back(
    op: string,
    options: Pick<BackOptions, 'base' | 'version' | 'dry_run' | 'edit_id' | 'call_id' | 'reason'>,
    plan: (snapshot: Snapshot, since: SinceBase | null) => Promise<Planned>,
    names: readonly string[] = [],
  ): Promise<Answer<DoneData>> {
    const { base, version, dry_run, edit_id, call_id, reason } = options;
    const common = { base, dry_run, edit_id, call_id, reason };
    const claim = { op, base, version, names, session: this.id, views: this.#views };
    const planned: ChangeRequest['plan'] = snapshot =>
      planClaimed(snapshot, claim, since => plan(snapshot, since));
    const request = { op, ...this.#request(common), names, plansOnHistory: true, plan: planned };
    return this.#watch.call(op, () => this.#publish(request));
  }

  #planOf(calls: readonly EditCall[]): ChangeRequest['plan'] {
    return async snapshot => {
      try {
        return await planEdits(snapshot, calls, this.#views, this.id);
      } catch (error) {
        throw await withWay(snapshot, error);
      }
    };
  }

  #request(common: CommonInput): Omit<ChangeRequest, 'op' | 'plan'> {
    const { base, reason, call_id: call, edit_id: editId, dry_run } = common;
    const beforeCommit = this.#beforeCommit;
    return { editor: this.#by(), base, reason, call, editId, beforeCommit, dryRun: dry_run ?? false };
  }

  /** Carries the session's own knowledge of line numbers over its own edit, where no line moved. */
  async #publish(request: ChangeRequest): Promise<Answer<DoneData>> {
    const { message, data, deltas } = await makeChange(this.#context, request);
    if (data.commit && !data.repeated && request.op !== 'outside') {
      for (const delta of deltas) this.#views.follow(delta, data.commit);
    }
    return { message, data };
  }

  #by(): By {
    return { session: this.id, agent: this.agent, model: this.model };
  }
}
