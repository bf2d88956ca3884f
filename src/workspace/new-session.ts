/** A session with what its turns have in common. */

import type { By } from './calls/events.ts';
import { type Calls, SerialQueue } from './calls/turns.ts';
import { Watch } from './calls/watch.ts';
import type { Approve } from './change/approval.ts';
import type { Context } from './context.ts';
import { Telling } from './review/rejections/telling.ts';
import { Session } from './session.ts';
import { Views } from './views.ts';

/** A session of its own; `calls` is told of its calls. `comesBack`: it was given its id, so that later processes go on with it. */
export function newSession(
  context: Context,
  by: By,
  beforeCommit: Approve | undefined,
  calls: Calls,
  comesBack = false,
): Session {
  const watch = new Watch(context, by);
  const views = new Views();
  const telling = new Telling(context, by, views, comesBack);
  const shared = { context, by, beforeCommit, views, telling, watch, marks: new Map() };
  return new Session(shared, new SerialQueue(calls));
}
