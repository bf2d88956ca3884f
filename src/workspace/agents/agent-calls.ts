/** The calls of a workspace by which it hears what agents do with tools that are not the engine's. */

import { orNull } from '../../fs/fs.ts';
import type { RunGit } from '../../git/run-git.ts';
import type { CallOptions } from '../calls/cancel.ts';
import { Calls } from '../calls/turns.ts';
import type { Context } from '../context.ts';
import type { SessionOptions } from '../opening/workspace-options.ts';
import type { Session } from '../session.ts';
import { type Ask, Sharing } from '../sync/sharing.ts';
import { noteSignal } from './event-folder.ts';
import { lookFolder } from './looked.ts';
import { type AgentSignal, checkSignal } from './signal.ts';
import type { HookTaken, Taker } from './take-hook.ts';

/** Whose event it is where the event does not say it, and who the editor is where it says another. */
export interface HookOptions {
  /** The agent for which the hook was configured. */
  named: string;
  /** A session of which the environment of the hook proves that it is that agent's. */
  proven?: { agent: string; session: string } | undefined;
  /** In place of what the event says. */
  by?: { agent?: string | undefined; model?: string | undefined; session?: string | undefined } | undefined;
  /** Where the agent is at work, where the event does not say it. */
  folder?: string | undefined;
  /** Lists what a command changed; without it commands are only noted. */
  git?: RunGit | undefined;
  /** What git listed already, by the front of the hook: a line for each name, quoted as git does, and a file that was made before. */
  listed?: { list: string; stamp: string } | undefined;
}

export abstract class AgentCalls extends Sharing {
  readonly #context: Context;
  readonly #ask: Ask;
  #settling: Promise<void> | null = null;

  constructor(context: Context, calls: Calls, ask: Ask) {
    super(context, calls, ask);
    this.#context = context;
    this.#ask = ask;
  }

  abstract session(options?: SessionOptions): Session;

  /** Notes what an agent's client told: by that it is decided later whose a change from outside is. */
  noteAgent(signal: AgentSignal & CallOptions): Promise<void> {
    return this.#ask('noteAgent', signal, async (method, own) =>
      noteSignal(this.#context, checkSignal(method, own)),
    );
  }

  /**
   * Takes in what an agent wrote to its hook: edits of its tools are recorded, turns and calls are noted. Answers what became
   * of it, and what the hook is to print. Throws an Error for what is no event, else as Session.record.
   */
  takeHook(event: Uint8Array, options: HookOptions & CallOptions): Promise<HookTaken> {
    return this.#ask('takeHook', options, async (_, { named, proven, by = {}, ...asked }: HookOptions) => {
      const { takeHook } = await import('./take-hook.ts');
      const taker = { context: this.#context, session: (own: SessionOptions) => this.session(own) };
      return takeHook(taker, event, { ...asked, by, told: { named, proven } });
    });
  }

  /** Takes in what hooks left here since. Every call of the workspace and its sessions does so before it begins. */
  protected async settle(): Promise<void> {
    const { fs, repo, store } = this.#context;
    if (!repo.workDir || fs.volatile || !store.separate || this.#context.prefix !== '') return;
    if ((await orNull(fs.lstat(`${lookFolder(this.#context)}/pending`))) === null) return;
    this.#settling ??= this.#settled().finally(() => {
      this.#settling = null;
    });
    await this.#settling;
  }

  async #settled(): Promise<void> {
    const [{ settle }, { newSession }] = await Promise.all([
      import('./spool.ts'),
      import('../new-session.ts'),
    ]);
    // Its own calls are no calls of the workspace: those wait for it.
    const calls = new Calls();
    const session: Taker['session'] = ({ id = 'hook', agent, model }) =>
      newSession(this.#context, { session: id, agent, model }, undefined, calls, { comesBack: true });
    await settle({ context: this.#context, session });
  }
}
