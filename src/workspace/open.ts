/** An open workspace: what people and programs ask of a repository, and the sessions that edit it. */

import type { ClientNow, ClientOptions } from '../agents/clients.ts';
import { settling } from '../agents/recording.ts';
import type { HookTaken } from '../agents/take-files.ts';
import type { HookOptions } from '../agents/take-hook.ts';
import type { Answer, DoneData } from '../engine/answer.ts';
import { localizeAnswer, localizeError } from '../engine/calls/call.ts';
import { checkText } from '../engine/calls/call-options.ts';
import { atCallSite, callSite } from '../engine/calls/call-site.ts';
import {
  type CallOptions,
  type Cancellation,
  cancellation,
  checkCall,
  splitOptions,
} from '../engine/calls/cancel.ts';
import { asEditError } from '../engine/calls/failure.ts';
import { OpenFiles } from '../engine/calls/open-files.ts';
import { Calls } from '../engine/calls/queue.ts';
import type { Context } from '../engine/context.ts';
import type { AgentSignal, PromptsKept } from '../engine/origins/agent-events.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import type { SessionsData } from '../engine/trails/sessions.ts';
import { writerOf } from '../engine/transaction/writer.ts';
import type { EventsOptions } from '../events/events.ts';
import type { TrailEvent } from '../events/trail-event.ts';
import { randomToken } from '../fs/lock/processes.ts';
import type { LandData, LandOptions } from '../land/land.ts';
import type { DoctorData, DoctorOptions } from '../maintenance/doctor.ts';
import type { GcData, GcOptions } from '../maintenance/gc.ts';
import type { PurgeData, PurgeOptions } from '../purge/options.ts';
import type { AuditRecord } from '../queries/audit.ts';
import type { PolicyData, PolicyOptions } from '../queries/policy.ts';
import { checkVerify, type VerifyOptions } from '../queries/read-options.ts';
import type { VerifyData } from '../queries/verify.ts';
import type { WhyData, WhyOptions } from '../queries/why.ts';
import type { AcceptData } from '../review/accept.ts';
import type { ReviewCalls } from '../review/calls.ts';
import type { CommentData } from '../review/comment.ts';
import type { ReviewData } from '../review/listing.ts';
import type {
  AcceptOptions,
  CommentOptions,
  RejectOptions,
  ReviewOptions,
  UnreviewOptions,
} from '../review/options.ts';
import type { UnreviewData } from '../review/unreview.ts';
import type { SignData } from '../signing/sign.ts';
import type { FetchData, FetchOptions } from '../sync/fetch/fetch.ts';
import type { PeersData } from '../sync/fetch/mirrors.ts';
import type { PushData, PushOptions } from '../sync/push/options.ts';
import { newSession } from './new-session.ts';
import { openContext } from './opening/open-context.ts';
import { type Platform, platformFor } from './opening/platform.ts';
import {
  checkSession,
  checkWorkspace,
  type SessionOptions,
  type WorkspaceOptions,
} from './opening/workspace-options.ts';
import type { Session } from './session.ts';

export { interpretSchemas } from '../edits/input.ts';

/** An open workspace. Sessions do the work; closing it closes files that are kept open for reading. */
export class Workspace {
  readonly #context: Context;
  readonly #calls: Calls;
  readonly #files: OpenFiles;
  #closing: Promise<void> | null = null;
  /** Aborted when the workspace is closed: nobody follows any more. */
  readonly #ending = new AbortController();

  constructor(context: Context) {
    this.#context = context;
    this.#files = new OpenFiles(context);
    this.#calls = new Calls(settling(context), context.fs.volatile ? undefined : this.#files, context.turns);
  }

  /** Opens a session of this workspace. Throws INVALID_INPUT. */
  session(options: SessionOptions = {}): Session {
    const site = callSite();
    try {
      return this.#newSession(options);
    } catch (error) {
      throw atCallSite(error, site);
    }
  }

  #newSession(options: SessionOptions): Session {
    this.#calls.assertOpen();
    const given = checkSession('workspace.session', options);
    const { agent, model, id, beforeCommit, repeatCalls: repeats = false, ...named } = given;
    const by = { session: id ?? randomToken().slice(0, 12), agent, model, ...named };
    this.#context.sessions.add(by.session);
    return newSession(this.#context, by, beforeCommit, this.#calls, { comesBack: id !== undefined, repeats });
  }

  /** Checks the trail and the files it touched. What is wrong is in the answer; see FAULT_KINDS. Changes nothing. */
  verify(options: VerifyOptions & CallOptions = {}): Promise<Answer<VerifyData>> {
    return this.#call('verify', options, async (method, own) => {
      const { verify } = await import('../queries/verify.ts');
      return verify(this.#context, checkVerify(method, own));
    });
  }

  /** Signs the newest commit of the trail as the user's git signs: a statement on a ref of its own, which verify checks. */
  sign(options: CallOptions = {}): Promise<Answer<SignData>> {
    return this.#call('sign', options, async () =>
      (await import('../signing/sign.ts')).signHead(this.#context),
    );
  }

  /** Yields the history for an auditor, one record after another; docs/trust.md has the schema. */
  async *audit(options: CallOptions = {}): AsyncGenerator<AuditRecord> {
    const { auditRecords } = await import('../queries/audit.ts');
    const records = await this.#call('audit', options, async () => auditRecords(this.#context));
    yield* records;
  }

  /** Says whether the policies let a file change, and which rule does not. */
  policy(options: PolicyOptions & CallOptions): Promise<Answer<PolicyData>> {
    return this.#call('policy', options, async (method, own) => {
      const { checkPolicy, policy } = await import('../queries/policy.ts');
      return policy(this.#context, checkPolicy(method, own));
    });
  }

  /** Lists every session of the trail, the one that edited last first. */
  sessions(options: CallOptions = {}): Promise<Answer<SessionsData>> {
    return this.#call('sessions', options, async () =>
      (await import('../engine/trails/sessions.ts')).sessions(this.#context),
    );
  }

  /** Tells why a line of a file is as it is: who wrote it, in which turn, what was asked, and what became of it. */
  why(options: WhyOptions & CallOptions): Promise<Answer<WhyData>> {
    return this.#call('why', options, async (method, own) => {
      const { checkWhy, why } = await import('../queries/why.ts');
      return why(this.#context, checkWhy(method, own));
    });
  }

  /** Returns the id of the session whose id is `given`, or alone begins with it. Throws INVALID_INPUT, which names the sessions. */
  findSession(given: string, options: CallOptions = {}): Promise<string> {
    return this.#call('findSession', options, async method => {
      const start = checkText(method, 'given', given);
      return (await import('../engine/trails/sessions.ts')).findSession(this.#context, start);
    });
  }

  /**
   * Returns the full id of the commit that `given` names: an id or its start, a branch, a tag, `@`, `~N`. Throws
   * INVALID_INPUT.
   */
  findCommit(given: string, options: CallOptions = {}): Promise<string> {
    return this.#call('findCommit', options, async method => {
      const spec = checkText(method, 'given', given);
      const { findCommit } = await import('../engine/revision.ts');
      return findCommit(this.#context, await openTrail(this.#context), spec);
    });
  }

  /**
   * Yields what happens on the trails of the repository, whichever process does it: every change that is a commit
   * exactly once, parents first within a ref, from the cursor on; see EventsOptions and TrailEvent. The next event is
   * read when it is asked for. An aborted signal ends the iteration. Reading throws INVALID_INPUT, CORRUPT,
   * STORE_FAILED, NOT_A_REPOSITORY.
   */
  async *events(options: EventsOptions & CallOptions = {}): AsyncIterableIterator<TrailEvent> {
    const { own, call } = splitOptions<EventsOptions>(options);
    const { signal } = cancellation(undefined, call);
    const ends = AbortSignal.any([this.#ending.signal, ...(signal ? [signal] : [])]);
    let reading: AsyncGenerator<TrailEvent> | null = null;
    try {
      checkCall('workspace.events', call);
      const { checkEvents, readEvents } = await import('../events/events.ts');
      const events = readEvents(this.#context, checkEvents('workspace.events', own), ends);
      reading = events;
      while (!ends.aborted) {
        // Each is a call of its own, so that closing the workspace waits for what is being read.
        const { done, value } = await this.#calls.run(() => events.next());
        if (done) return;
        yield value;
      }
    } catch (error) {
      throw asEditError(error);
    } finally {
      await reading?.return(undefined);
    }
  }

  /** Takes a text out of the histories for good, and proves that it is gone; see PurgeOptions. A signal is heard until it begins. */
  purge(options: PurgeOptions & CallOptions): Promise<Answer<PurgeData>> {
    return this.#call('purge', options, async (method, own, cancel) =>
      (await import('../purge/purge.ts')).purge(this.#context, method, own, cancel),
    );
  }

  /** Packs what is loose, and deletes old trails if asked to; see GcOptions. A signal is heard until it begins. */
  gc(options: GcOptions & CallOptions = {}): Promise<Answer<GcData>> {
    return this.#call('gc', options, async (method, own, cancel) => {
      const { checkGc, gc } = await import('../maintenance/gc.ts');
      const given = checkGc(method, own);
      cancel.begin();
      return gc(this.#context, given);
    });
  }

  /** Tells who holds the lock of the repository, and how that is known; see DoctorOptions for taking it from somebody. */
  doctor(options: DoctorOptions & CallOptions = {}): Promise<Answer<DoctorData>> {
    return this.#call('doctor', options, async (method, own, cancel) => {
      const { checkDoctor, doctor } = await import('../maintenance/doctor.ts');
      const given = checkDoctor(method, own);
      if (given.unlock !== undefined) cancel.begin();
      return doctor(this.#context, given);
    });
  }

  /**
   * Makes what the agents did a commit of the user's on a branch. Files stay as they are; see LandOptions. A signal is
   * heard until git is asked to commit.
   */
  land(options: LandOptions & CallOptions = {}): Promise<Answer<LandData>> {
    return this.#call('land', options, async (method, own, cancel) => {
      const { checkLand, land } = await import('../land/land.ts');
      const given = checkLand(method, own);
      const answer = await land(this.#context, given, cancel);
      if (given.outside && !given.asAgent && !given.dryRun) {
        const { claimCommitted } = await import('../review/committed.ts');
        await claimCommitted(this.#context, { landed: true }).catch(() => {});
      }
      return (await import('../signing/sign.ts')).signedAfter(this.#context, answer, given.dryRun);
    });
  }

  /** Lists what the reviewer has not accepted of what agents wrote, as hunks of the present text against the accepted one. */
  review(options: ReviewOptions & CallOptions = {}): Promise<Answer<ReviewData>> {
    return this.#reviewing('review', options);
  }

  /** Takes hunks of a review for good: they become part of the reviewer's accepted text. No file changes. */
  accept(options: AcceptOptions & CallOptions): Promise<Answer<AcceptData>> {
    return this.#reviewing('accept', options);
  }

  /**
   * Takes hunks of a review out of a file: the accepted text stands there again, and the agent is told why. CONFLICT where
   * later text builds on them.
   */
  reject(options: RejectOptions & CallOptions): Promise<Answer<DoneData>> {
    return this.#reviewing('reject', options);
  }

  /**
   * Says something of a hunk, or of any lines, to the agents that wrote them: it is told with their next answers, and accepts
   * nothing. What they reply stands on the hunk (`comments`).
   */
  comment(options: CommentOptions & CallOptions): Promise<Answer<CommentData>> {
    return this.#reviewing('comment', options);
  }

  /** Takes back the last thing that the reviewer accepted or rejected. */
  unreview(options: UnreviewOptions & CallOptions = {}): Promise<Answer<UnreviewData>> {
    return this.#reviewing('unreview', options);
  }

  /**
   * Notes what an agent's client told: by that it is decided later whose a change from outside is. Answers what is known of
   * the client then, its turn too.
   */
  noteAgent(signal: AgentSignal & CallOptions): Promise<ClientNow | null> {
    return this.#call('noteAgent', signal, async (method, own) => {
      const { checkSignal, noteAgent } = await import('../agents/clients.ts');
      return noteAgent(this.#context, checkSignal(method, own));
    });
  }

  /** Returns the client that started this process, as its hook told of it; or that of a session. `null`: none is known. */
  agentClient(options: ClientOptions & CallOptions = {}): Promise<ClientNow | null> {
    return this.#call('agentClient', options, async (method, own) => {
      const { checkClient, clientOfSession, ownClient } = await import('../agents/clients.ts');
      const { session } = checkClient(method, own);
      return session === undefined ? ownClient(this.#context) : clientOfSession(this.#context, session);
    });
  }

  /** Sets `vedit.prompts` of this repository: how much of what agents are asked, and run, is kept here; in no commit. */
  keepPrompts(kept: PromptsKept, options: CallOptions = {}): Promise<void> {
    return this.#call('keepPrompts', options, async method => {
      const { checkPrompts, keepPrompts } = await import('../agents/prompts.ts');
      return keepPrompts(this.#context, checkPrompts(method, kept));
    });
  }

  /**
   * Takes in what an agent wrote to its hook: edits of its tools are recorded, turns and calls are noted. Answers what became
   * of it, and what the hook is to print. Throws an Error for what is no event, else as Session.record.
   */
  takeHook(event: Uint8Array, options: HookOptions & CallOptions): Promise<HookTaken> {
    return this.#call('takeHook', options, async (_, asked: HookOptions) => {
      const { takeHook } = await import('../agents/take-hook.ts');
      const taker = { context: this.#context, session: (own: SessionOptions) => this.session(own) };
      return takeHook(taker, event, asked);
    });
  }

  /**
   * Publishes the trails of this clone on the remote, under its own name. Only what was asked for: where people's unsaved
   * text or commits of HEAD would be seen too, INVALID_INPUT says which; see PushOptions.
   */
  push(options: PushOptions & CallOptions = {}): Promise<Answer<PushData>> {
    return this.#call('push', options, async (method, own, cancel) => {
      const { checkPush } = await import('../sync/push/options.ts');
      const given = checkPush(method, own);
      return (await import('../sync/push/push.ts')).push(this.#context, given, cancel);
    });
  }

  /** Brings the trails of other clones: their mirrors can be read then; see FetchOptions. No file changes. */
  fetch(options: FetchOptions & CallOptions = {}): Promise<Answer<FetchData>> {
    return this.#call('fetch', options, async (method, own, cancel) => {
      const { checkFetch, fetch } = await import('../sync/fetch/fetch.ts');
      return fetch(this.#context, checkFetch(method, own), cancel);
    });
  }

  /** Lists the trails of other clones that are here. */
  peers(options: CallOptions = {}): Promise<Answer<PeersData>> {
    return this.#call('peers', options, async () =>
      (await import('../sync/fetch/mirrors.ts')).peers(this.#context),
    );
  }

  /** Closes the workspace at the end of `await using workspace = await openWorkspace(...)`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Waits for the calls that were made, and closes the files that are open. Later calls throw INVALID_INPUT. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#ending.abort();
    await this.#calls.close();
    await this.#context.signing?.close();
    await writerOf(this.#context).drained(this.#context);
    await this.#files.close();
  }

  #reviewing<Name extends keyof ReviewCalls>(
    name: Name,
    options: CallOptions,
  ): ReturnType<ReviewCalls[Name]> {
    const answer = this.#call(name, options, async (method, own: object, cancel) => {
      const { reviewCalls } = await import('../review/calls.ts');
      return reviewCalls[name]({ context: this.#context, calls: this.#calls, method, cancel }, own);
    });
    return answer as ReturnType<ReviewCalls[Name]>;
  }

  /** Makes a call, in the words of people. What goes wrong inside is one kind of error outside. */
  async #call<Options extends object, T>(
    name: string,
    options: Options & CallOptions,
    work: (method: string, own: Options, cancel: Cancellation) => Promise<T>,
  ): Promise<T> {
    const site = callSite();
    const { own, call } = splitOptions<Options>(options);
    const cancel = cancellation(undefined, call);
    const run = async (): Promise<T> => {
      try {
        checkCall(`workspace.${name}`, call);
        return localizeAnswer(await work(`workspace.${name}`, own, cancel), this.#context.vocabulary);
      } catch (error) {
        throw await localizeError(this.#context, this.#context.vocabulary, error);
      }
    };
    try {
      return await cancel.race(this.#calls.next(run, cancel));
    } catch (error) {
      throw cancel.isReason(error) ? error : atCallSite(asEditError(error), site);
    }
  }
}

/**
 * Opens the workspace at `root`. Throws INVALID_INPUT, NOT_A_REPOSITORY, UNSUPPORTED_REPOSITORY, CORRUPT, STORE_FAILED. Nothing is written, but
 * for the repair of what a power cut took.
 */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  return openChecked(checkWorkspace('openWorkspace', options));
}

/** Opens with options that need no check, as those that the command line has made. Throws as openWorkspace. */
export async function openChecked(options: WorkspaceOptions): Promise<Workspace> {
  return openOn(await platformFor(options), options);
}

/** Opens on given parts: how a test puts a failing file system under everything. */
export async function openOn(platform: Platform, options: WorkspaceOptions): Promise<Workspace> {
  try {
    return new Workspace(await openContext(platform, options));
  } catch (error) {
    throw asEditError(error);
  }
}
