/** The syncs that a workspace makes by itself, each an event where it did something or failed. */

import type { EventStart } from '../../engine/calls/events.ts';
import type { SyncData } from '../../engine/calls/sync-data.ts';
import type { AfterEdit, Context } from '../../engine/context.ts';
import type { EditError } from '../../errors.ts';
import { SyncLoop, type SyncOutcome, syncOptions } from './loop.ts';
import type { SyncOptions, WorkspaceSync } from './options.ts';

/** Starts the syncs of the workspace; `sync` makes one. Where edits wait for the server, so do those of the context from now on. */
export function startOwnSyncs(
  context: Context,
  options: WorkspaceSync,
  sync: (options: SyncOptions & { signal: AbortSignal }) => Promise<{ data: SyncData }>,
): SyncLoop {
  const run = async (signal: AbortSignal): Promise<SyncData> =>
    (await sync({ ...syncOptions(options), signal })).data;
  const told = ({ data, error }: SyncOutcome): void => {
    if (data && data.pulled + data.pushed + data.merges.length === 0) return;
    context.listener.emit(() => ({ kind: 'sync', data, error, ...syncStart(context) }));
  };
  const loop = new SyncLoop({ options, run, told });
  if (loop.waits) context.afterEdit = async () => afterEdit((await loop.next()).error);
  return loop;
}

function afterEdit(error: EditError | null): AfterEdit {
  if (error === null) return { sync: 'done' };
  const { code, message, retryable } = error;
  return { sync: 'pending', sync_error: { code, message, retryable } };
}

/** The session that merges of hosts are made in; no edit is. */
export const SYNC_SESSION = 'sync';

/** Makes the fields that the events of a sync have in common. */
export function syncStart({ now }: Context): EventStart {
  const nobody = {
    agent: undefined,
    model: undefined,
    call: undefined,
    edit_id: undefined,
    reason: undefined,
  };
  return { time: now().toISOString(), session: SYNC_SESSION, ...nobody };
}
