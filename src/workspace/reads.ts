/** What a session reads of its workspace and its history. Nothing here changes anything. */

import { EditError } from '../errors.ts';
import { phrased, type Vocabulary } from '../wording.ts';
import type { Answer } from './answer.ts';
import { type CheckOptions, checkText } from './call-options.ts';
import { checkRefusals, type RefusalOptions, type RefusalRecord, readRefusals } from './change/refusals.ts';
import type { Context } from './context.ts';
import { type KnownElsewhere, knownElsewhere } from './elsewhere.ts';
import { withInside } from './missing.ts';
import { openTrail } from './open-trail.ts';
import type { AgentTraceOptions, TraceRecord } from './reading/agent-trace.ts';
import { type BlameData, type BlameInput, blameFile, checkBlame } from './reading/blame.ts';
import { checkDiff, type DiffData, type DiffOptions, diff } from './reading/compare.ts';
import type { ExportEntry } from './reading/export.ts';
import {
  checkLog,
  type LogEntry,
  type LogOptions,
  log,
  logEntries,
  type ShowData,
  show,
} from './reading/history.ts';
import { type LaneEntry, laneEntries } from './reading/lanes.ts';
import { type StatusData, status } from './reading/status.ts';
import { checkTimeline, type Timeline, type TimelineOptions, timeline } from './reading/timeline.ts';
import type { TrailInfo } from './reading/trails.ts';
import type { VerifyData } from './reading/verify.ts';
import { checkVerify, type VerifyOptions } from './reading/verify-options.ts';
import { checkView, type ViewInput, view } from './reading/view.ts';
import { Snapshot } from './snapshot.ts';
import type { Turns } from './turns.ts';
import { Views } from './views.ts';

export class SessionReads {
  protected readonly context: Context;
  protected readonly turns: Turns;
  /** In which words the caller is answered. */
  protected readonly vocabulary: Vocabulary;

  constructor(context: Context, turns: Turns, vocabulary: Vocabulary = {}) {
    this.context = context;
    this.turns = turns;
    this.vocabulary = vocabulary;
  }

  /** What view answers, for a program: the session has not been shown the file by it. */
  read(input: ViewInput | string): Promise<Answer> {
    return this.#call('read', checkView, asInput(input), given => view(this.context, given, new Views()));
  }

  log(options: LogOptions = {}): Promise<Answer> {
    return this.#call('log', checkLog, options, given => log(this.context, given));
  }

  /** The log one entry at a time, newest first, reading no further than is asked for. */
  entries(options: LogOptions = {}): AsyncGenerator<LogEntry> {
    return this.#each('entries', checkLog, options, given => logEntries(this.context, given));
  }

  /** The log with all that a program needs to know of each change: files, blob ids, lines, diffs. */
  export(options: LogOptions = {}): AsyncGenerator<ExportEntry> {
    const { context } = this;
    return this.#each('export', checkLog, options, async function* (given) {
      yield* (await import('./reading/export.ts')).exportEntries(context, given);
    });
  }

  /** The log in the words of Agent Trace (https://agent-trace.dev), one record a commit. */
  agentTrace(options: AgentTraceOptions = {}): AsyncGenerator<TraceRecord> {
    const { context } = this;
    return this.#each('agentTrace', unchecked, options, async function* (given, call) {
      const { agentTrace, checkAgentTrace } = await import('./reading/agent-trace.ts');
      yield* agentTrace(context, checkAgentTrace(call, given));
    });
  }

  /** The newest entries with all that they changed, and what replays the files: for pictures and reports. */
  timeline(options: TimelineOptions = {}): Promise<Timeline> {
    return this.#call('timeline', checkTimeline, options, given => timeline(this.context, given));
  }

  /** The same with the lanes that a picture of it has. */
  lanes(options: LogOptions = {}): AsyncGenerator<LaneEntry> {
    return this.#each('lanes', checkLog, options, given => laneEntries(this.context, given));
  }

  /** Work in the files that this trail knows nothing of, and the trails that do. */
  elsewhere(): Promise<KnownElsewhere[]> {
    return this.turns.next(async () => knownElsewhere(this.context, await openTrail(this.context)));
  }

  show(commit: string): Promise<Answer<ShowData>> {
    const check = (call: string): string => checkText(call, 'commit', commit);
    return this.#call('show', check, commit, given => show(this.context, given));
  }

  /** Each line of a file with the edit behind it. */
  blame(input: BlameInput): Promise<Answer<BlameData>> {
    return this.#call('blame', checkBlame, input, given => blameFile(this.context, given));
  }

  diff(options: DiffOptions = {}): Promise<Answer<DiffData>> {
    return this.#call('diff', checkDiff, options, given => diff(this.context, given));
  }

  /** The refusals that were kept (`recordRefusals`), newest first: anybody's, unless a session is named. */
  refusals(options: RefusalOptions = {}): Promise<RefusalRecord[]> {
    return this.#call('refusals', checkRefusals, options, given => readRefusals(this.context, given));
  }

  status(): Promise<Answer<StatusData>> {
    return this.turns.next(() => status(this.context));
  }

  /** Checks the trail and the files it touched; see Workspace. */
  verify(options: VerifyOptions = {}): Promise<Answer<VerifyData>> {
    return this.#call('verify', checkVerify, options, async given =>
      (await import('./reading/verify.ts')).verify(this.context, given),
    );
  }

  /** Every trail of the repository; see Workspace. */
  trails(): Promise<Answer<{ trails: TrailInfo[] }>> {
    return this.turns.next(async () => (await import('./reading/trails.ts')).trails(this.context));
  }

  /** What is wrong with the options of a call is told when it is the call's turn. */
  #call<Given, T>(
    method: string,
    check: CheckOptions<Given>,
    options: unknown,
    work: (given: Given, call: string) => Promise<T>,
  ): Promise<T> {
    const call = `session.${method}`;
    const given = attempted(() => check(call, options));
    return this.turns.next(() => this.worded(async () => work(given(), call)));
  }

  /** The answer of `work`, or its refusal, in the caller's words. */
  protected async worded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return wordedAnswer(await work(), this.vocabulary);
    } catch (error) {
      throw this.wordedError(await this.#completed(error));
    }
  }

  /** A path that leads out of the workspace may name a file in it all the same. */
  async #completed(error: unknown): Promise<unknown> {
    const snapshot = async (): Promise<Snapshot> => {
      return new Snapshot(this.context, await openTrail(this.context));
    };
    return withInside(snapshot, error).catch(() => error);
  }

  protected wordedError(error: unknown): unknown {
    return error instanceof EditError ? EditError.phrased(error, this.vocabulary) : error;
  }

  #each<Given, T>(
    method: string,
    check: CheckOptions<Given>,
    options: unknown,
    work: (given: Given, call: string) => AsyncGenerator<T>,
  ): AsyncGenerator<T> {
    const call = `session.${method}`;
    const given = attempted(() => check(call, options));
    return this.turns.each(async function* () {
      yield* work(given(), call);
    });
  }
}

/** The message, and what of it stands in the data too, in the words of the caller. */
function wordedAnswer<T>(answer: T, vocabulary: Vocabulary): T {
  const { message, data } = Object(answer) as Partial<Answer<{ notes?: string[]; warnings?: string[] }>>;
  if (typeof message !== 'string') return answer;
  const say = (words: string): string => phrased(words, vocabulary);
  const { notes, warnings } = Object(data) as { notes?: string[]; warnings?: string[] };
  const said = {
    ...(Array.isArray(notes) ? { notes: notes.map(say) } : {}),
    ...(Array.isArray(warnings) ? { warnings: warnings.map(say) } : {}),
  };
  return { ...answer, message: say(message), data: { ...data, ...said } };
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
