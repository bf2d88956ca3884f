/** A session with what its turns have in common. */

import type { By } from '../engine/calls/events.ts';
import { Notifier } from '../engine/calls/notifier.ts';
import { type Calls, SerialQueue } from '../engine/calls/queue.ts';
import { OUTERMOST } from '../engine/calls/scope.ts';
import type { Approve } from '../engine/change/approval.ts';
import type { Context } from '../engine/context.ts';
import { Views } from '../engine/views.ts';
import { lazy } from '../lazy.ts';
import { Session } from './session.ts';

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
      const { RejectionNotifier } = await import('../engine/rejections/notices.ts');
      return new RejectionNotifier(context, by, views, comesBack);
    }),
    notifier: new Notifier(context, by),
    repeats,
    marks: new Map(),
  };
  return new Session(state, new SerialQueue(calls), { ...OUTERMOST, vocabulary: context.vocabulary });
}
