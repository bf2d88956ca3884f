/** The calls of a session by which a program records what others than the engine's tools changed, whatever files those are. */

import * as z from 'zod';
import type { RunGit } from '../git/run-git.ts';
import { noteSignal } from './agents/event-folder.ts';
import type { Looked } from './agents/look.ts';
import { type CheckOptions, functionOf, optionsCheck } from './calls/call-options.ts';
import type { SerialQueue } from './calls/turns.ts';
import { SessionReads } from './reads.ts';
import type { Shared, Turn } from './session-calls.ts';

export interface RecordAllOptions {
  /** What it was for. */
  reason?: string | undefined;
  /** Lists what changed; without it the engine looks at every file itself. */
  git?: RunGit | undefined;
}

export interface During<T> extends Looked {
  /** What the work answered. */
  value: T;
}

const checkAll: CheckOptions<RecordAllOptions> = optionsCheck(
  { reason: z.string().optional(), git: functionOf<RunGit>().optional() },
  { reason: 'npm test' },
);

export class SessionLooks extends SessionReads {
  readonly #shared: Shared;

  constructor(shared: Shared, turns: SerialQueue, turn: Turn) {
    super(shared.context, turns, shared.watch, turn);
    this.#shared = shared;
  }

  /**
   * Does `work`, which changes files by means of its own, and records as one edit of this session what changed meanwhile; what
   * others changed before is recorded first, and what somebody else may have made is nobody's. The work may make no calls
   * of this session. Rejects as the work does, once that is recorded.
   */
  during<T>(work: () => Promise<T>, options: RecordAllOptions = {}): Promise<During<T>> {
    return this.turns.next(async () => {
      const { reason, git } = checkAll('session.during', options);
      const { context, by } = this.#shared;
      const { look } = await import('./agents/look.ts');
      const call = context.processes.newToken();
      const signal = { agent: by.agent ?? '', session: by.session, id: call, tool: 'during' };
      await look(context, { git, walks: true });
      await noteSignal(context, { ...signal, kind: 'before' });
      const done = await work().then(
        value => ({ value }),
        error => ({ error }),
      );
      await noteSignal(context, { ...signal, kind: 'after' });
      const command = { session: this, editor: by, call, reason };
      const looked = await look(context, { git, walks: true, command });
      if ('error' in done) throw done.error;
      return { ...looked, value: done.value };
    });
  }

  /** Records everything that changed since the last look as one edit of this session, whoever made it. */
  recordAll(options: RecordAllOptions = {}): Promise<Looked> {
    return this.turns.next(async () => {
      const { reason, git } = checkAll('session.recordAll', options);
      const { context, by } = this.#shared;
      const { look } = await import('./agents/look.ts');
      return look(context, { git, walks: true, command: { session: this, editor: by, call: null, reason } });
    });
  }
}
