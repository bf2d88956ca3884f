/** A session with what its turns have in common. */

import type { By } from './calls/events.ts';
import { type Calls, SerialQueue } from './calls/turns.ts';
import { Watch } from './calls/watch.ts';
import type { Approve } from './change/approval.ts';
import { CallIds } from './change/call-ids.ts';
import type { Context } from './context.ts';
import { Telling } from './review/rejections/telling.ts';
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
  const watch = new Watch(context, by);
  const views = new Views();
  const telling = new Telling(context, by, views, comesBack);
  const ids = repeats ? null : new CallIds(comesBack);
  const shared = { context, by, beforeCommit, views, telling, watch, calls: ids, marks: new Map() };
  return new Session(shared, new SerialQueue(calls));
}
