/** Makes the fields that the events of a sync have in common. */

import type { EventStart } from '../../engine/calls/events.ts';
import type { Context } from '../../engine/context.ts';

/** The session that merges of hosts are made in; no edit is. */
export const SYNC_SESSION = 'sync';

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
