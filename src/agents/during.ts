/** Recording what others than the engine's tools changed, whatever files those are, as the work of a session. */

import { type CheckOptions, optionsCheck } from '../engine/calls/call-options.ts';
import type { By } from '../engine/calls/events.ts';
import * as option from '../engine/calls/option.ts';
import type { Context } from '../engine/context.ts';
import { noteSignal } from '../engine/origins/event-folder.ts';
import type { RunGit } from '../git/run-git.ts';
import { type Looked, scanChanges } from './look.ts';

export interface RecordAllOptions {
  /** The purpose. */
  reason?: string | undefined;
  /** Lists what changed; without it the engine looks at every file itself. */
  git?: RunGit | undefined;
}

export interface During<T> extends Looked {
  /** The result of the work. */
  value: T;
}

export const checkRecordAll: CheckOptions<RecordAllOptions> = optionsCheck(
  { reason: option.text, git: option.callback<RunGit> },
  { reason: 'npm test' },
);

/** The session whose work it is; `session` for those who are asked about it. */
export interface Recorder {
  context: Context;
  by: By;
  session: unknown;
}

/** See Session.during. */
export async function recordDuring<T>(
  { context, by, session }: Recorder,
  work: () => Promise<T>,
  { reason, git }: RecordAllOptions,
): Promise<During<T>> {
  const call = context.processes.newToken();
  const signal = { agent: by.agent ?? '', session: by.session, id: call, tool: 'during' };
  await scanChanges(context, { git, walks: true });
  await noteSignal(context, { ...signal, kind: 'before' });
  const [done] = await Promise.allSettled([work()]);
  await noteSignal(context, { ...signal, kind: 'after' });
  const looked = await scanChanges(context, {
    git,
    walks: true,
    command: { session, editor: by, call, reason },
  });
  if (done.status === 'rejected') throw done.reason;
  return { ...looked, value: done.value };
}

/** See Session.recordAll. */
export function recordAll(
  { context, by, session }: Recorder,
  { reason, git }: RecordAllOptions,
): Promise<Looked> {
  return scanChanges(context, { git, walks: true, command: { session, editor: by, call: null, reason } });
}
