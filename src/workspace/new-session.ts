/** A session with what its turns have in common. */

import { lazy } from '../lazy.ts';
import type { By } from './calls/events.ts';
import { Notifier } from './calls/notifier.ts';
import { type Calls, SerialQueue } from './calls/queue.ts';
import type { Approve } from './change/approval.ts';
import { CallIds } from './change/call-ids.ts';
import type { Context } from './context.ts';
import { Session } from './session.ts';
import { Views } from './views.ts';

/** A session of its own; `calls` is told of its calls. `comesBack`: it was given its id, so that later processes go on with it. `repeats`: see SessionOptions. */
export function newSession(
  context: Context,
  by: By,
  beforeCommit: Approve | undefined,
  calls: Calls,
  { comesBack = false, repeats = false }: { comesBack?: boolean; repeats?: boolean } = {},
): Session {
  const views = new Views();
  const state = {
    context,
    by,
    beforeCommit,
    views,
    rejections: lazy(async () => {
      const { RejectionNotifier } = await import('./review/rejections/telling.ts');
      return new RejectionNotifier(context, by, views, comesBack);
    }),
    notifier: new Notifier(context, by),
    toolCalls: repeats ? null : new CallIds(comesBack),
    marks: new Map(),
  };
  return new Session(state, new SerialQueue(calls));
}
