/** What a session reads of its workspace and its history. Nothing here changes anything. */

import type { Vocabulary } from '../wording.ts';
import type { Answer } from './answer.ts';
import { type CheckOptions, checkText } from './calls/call-options.ts';
import { type CallOptions, type Cancellation, cancellation, checkCall, parted } from './calls/cancel.ts';
import type { SerialQueue } from './calls/turns.ts';
import type { Watch } from './calls/watch.ts';
import { checkRefusals, type RefusalOptions, type RefusalRecord, readRefusals } from './change/refusals.ts';
import type { Context } from './context.ts';
import { worded } from './files/worded.ts';
import type { AgentTraceOptions, TraceRecord } from './queries/agent-trace.ts';
import { type BlameData, type BlameInput, blameFile, checkBlame } from './queries/blame.ts';
import { checkDiff, type DiffData, type DiffOptions, diff } from './queries/diff/compare.ts';
import type { ExportEntry } from './queries/export.ts';
import {
  checkLog,
  type LogData,
  type LogEntry,
  type LogOptions,
  log,
  logEntries,
  type ShowData,
  show,
} from './queries/log/history.ts';
import { type GraphEntry, graphEntries } from './queries/log/log-graph.ts';
import { type StatusData, status } from './queries/status.ts';
import { checkTimeline, type Timeline, type TimelineOptions, timeline } from './queries/timeline/timeline.ts';
import type { TrailsData } from './queries/trails.ts';
import type { VerifyData } from './queries/verify.ts';
import { checkVerify, type VerifyOptions } from './queries/verify-options.ts';
import { checkView, type ViewData, type ViewInput, view } from './queries/view.ts';
import { type KnownElsewhere, knownElsewhere } from './trails/elsewhere.ts';
import { openTrail } from './trails/open-trail.ts';
import { Views } from './views.ts';

/** What the calls of a turn have in common. */
interface TurnWords extends CallOptions {
  /** In which words the caller is answered. */
  vocabulary: Vocabulary;
  /** Whether calls tell of their refusals. */
  tells: boolean;
}

export class SessionReads {
  protected readonly context: Context;
  protected readonly turns: SerialQueue;
  readonly #watch: Watch;
  readonly #turn: TurnWords;

  constructor(context: Context, turns: SerialQueue, watch: Watch, turn: TurnWords) {
    this.context = context;
    this.turns = turns;
    this.#watch = watch;
    this.#turn = turn;
  }

  /** What view answers, for a program: the session has not been shown the file by it. */
  read(input: ViewInput | string, options: CallOptions = {}): Promise<Answer<ViewData>> {
    return this.#call('read', checkView, asInput(input), options, (context, given) =>
      view(context, given, new Views()),
    );
  }

  /** The trail's commits, newest first. */
  log(options: LogOptions & CallOptions = {}): Promise<Answer<LogData>> {
    const { own, call } = parted<LogOptions>(options);
    return this.#call('log', checkLog, own, call, log);
  }

  /** The log one entry at a time, newest first, reading no further than is asked for. */
  entries(options: LogOptions & CallOptions = {}): AsyncGenerator<LogEntry> {
    const { own, call } = parted<LogOptions>(options);
    return this.#each('entries', checkLog, own, call, logEntries);
  }

  /** The log with all that a program needs to know of each change: files, blob ids, lines, diffs. */
  export(options: LogOptions & CallOptions = {}): AsyncGenerator<ExportEntry> {
    const { own, call } = parted<LogOptions>(options);
    return this.#each('export', checkLog, own, call, async function* (context, given) {
      yield* (await import('./queries/export.ts')).exportEntries(context, given);
    });
  }

  /** The log in the words of Agent Trace (https://agent-trace.dev), one record a commit. */
  agentTrace(options: AgentTraceOptions & CallOptions = {}): AsyncGenerator<TraceRecord> {
    const { own, call } = parted<AgentTraceOptions>(options);
    return this.#each('agentTrace', unchecked, own, call, async function* (context, given, method) {
      const { agentTrace, checkAgentTrace } = await import('./queries/agent-trace.ts');
      yield* agentTrace(context, checkAgentTrace(method, given));
    });
  }

  /** The newest entries with all that they changed, and what replays the files: for pictures and reports. */
  timeline(options: TimelineOptions & CallOptions = {}): Promise<Timeline> {
    const { own, call } = parted<TimelineOptions>(options);
    return this.#call('timeline', checkTimeline, own, call, timeline);
  }

  /** The log with the lanes that a picture of it has. */
  lanes(options: LogOptions & CallOptions = {}): AsyncGenerator<GraphEntry> {
    const { own, call } = parted<LogOptions>(options);
    return this.#each('lanes', checkLog, own, call, graphEntries);
  }

  /** Work in the files that this trail knows nothing of, and the trails that do. */
  elsewhere(options: CallOptions = {}): Promise<KnownElsewhere[]> {
    return this.#call('elsewhere', unchecked, {}, options, async context =>
      knownElsewhere(context, await openTrail(context)),
    );
  }

  /** One commit: what the log says of it, and its diff. */
  show(commit: string, options: CallOptions = {}): Promise<Answer<ShowData>> {
    const check = (method: string): string => checkText(method, 'commit', commit);
    return this.#call('show', check, commit, options, show);
  }

  /** Each line of a file with the edit behind it. */
  blame(input: BlameInput, options: CallOptions = {}): Promise<Answer<BlameData>> {
    return this.#call('blame', checkBlame, input, options, blameFile);
  }

  /** What changed between two commits, or outside the engine. */
  diff(options: DiffOptions & CallOptions = {}): Promise<Answer<DiffData>> {
    const { own, call } = parted<DiffOptions>(options);
    return this.#call('diff', checkDiff, own, call, diff);
  }

  /** The refusals that were kept (`recordRefusals`), newest first: anybody's, unless a session is named. */
  refusals(options: RefusalOptions & CallOptions = {}): Promise<RefusalRecord[]> {
    const { own, call } = parted<RefusalOptions>(options);
    return this.#call('refusals', checkRefusals, own, call, readRefusals);
  }

  /** The trail, HEAD, what changed outside the engine, and what is interrupted. */
  status(options: CallOptions = {}): Promise<Answer<StatusData>> {
    return this.#call('status', unchecked, {}, options, status);
  }

  /** Checks the trail and the files it touched; see Workspace. */
  verify(options: VerifyOptions & CallOptions = {}): Promise<Answer<VerifyData>> {
    const { own, call } = parted<VerifyOptions>(options);
    return this.#call('verify', checkVerify, own, call, async (context, given) =>
      (await import('./queries/verify.ts')).verify(context, given),
    );
  }

  /** Every trail of the repository; see Workspace. */
  trails(options: CallOptions = {}): Promise<Answer<TrailsData>> {
    return this.#call('trails', unchecked, {}, options, async context =>
      (await import('./queries/trails.ts')).trails(context),
    );
  }

  /** What is wrong with the options of a call is told when it is the call's turn. */
  #call<Given, T>(
    method: string,
    check: CheckOptions<Given>,
    options: unknown,
    call: CallOptions,
    work: (context: Context, given: Given) => Promise<T>,
  ): Promise<T> {
    const { given, cancel } = this.#asked(method, check, options, call);
    const context = readingContext(this.context, cancel);
    const read = (): Promise<T> =>
      worded(this.context, this.#turn.vocabulary, async () => work(context, given()));
    const { tells } = this.#turn;
    return this.turns.next(() => this.#watch.read({ op: method, cancel, tells }, options, read), cancel);
  }

  #each<Given, T>(
    method: string,
    check: CheckOptions<Given>,
    options: unknown,
    call: CallOptions,
    work: (context: Context, given: Given, method: string) => AsyncGenerator<T>,
  ): AsyncGenerator<T> {
    const { given, cancel } = this.#asked(method, check, options, call);
    const context = readingContext(this.context, cancel);
    return this.turns.each(() => work(context, given(), `session.${method}`), cancel);
  }

  #asked<Given>(
    method: string,
    check: CheckOptions<Given>,
    options: unknown,
    call: CallOptions,
  ): { given: () => Given; cancel: Cancellation } {
    const given = attempted(() => {
      checkCall(`session.${method}`, call);
      return check(`session.${method}`, options);
    });
    return { given, cancel: cancellation(this.#turn.signal, call) };
  }
}

/** The context for a call that may be cancelled: once it is, no further object is read. */
function readingContext(context: Context, cancel: Cancellation): Context {
  if (!cancel.signal) return context;
  const { objects } = context;
  const heard = <Args extends unknown[], T>(read: (...args: Args) => Promise<T>) => {
    return async (...args: Args): Promise<T> => {
      cancel.check();
      return read.apply(objects, args);
    };
  };
  return {
    ...context,
    objects: {
      codec: objects.codec,
      maxEntries: objects.maxEntries,
      read: heard(objects.read),
      readOrNull: heard(objects.readOrNull),
      commitInfo: heard(objects.commitInfo),
      hasGenerations: heard(objects.hasGenerations),
      has: heard(objects.has),
      sizesOf: heard(objects.sizesOf),
      isPacked: heard(objects.isPacked),
      expand: heard(objects.expand),
      isShallow: heard(objects.isShallow),
      remember: object => objects.remember(object),
      close: () => objects.close(),
    },
  };
}

/** Options that are checked by what is loaded only where it is used. */
const unchecked: CheckOptions<unknown> = (_call, options) => options;

/** What `check` answers or throws, done now and told when it is asked for: the caller may change what they gave. */
export function attempted<T>(check: () => T): () => T {
  try {
    const value = check();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** A path stands for the input that has no more. */
export function asInput(input: ViewInput | string): ViewInput {
  return typeof input === 'string' ? { path: input } : input;
}
