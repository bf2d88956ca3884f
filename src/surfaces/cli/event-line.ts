/** An event of the workspace as one line of a log. */

import type { WorkspaceEvent } from '../../workspace/calls/events.ts';

export function eventLine(event: WorkspaceEvent): string {
  const by = event.agent ?? event.session;
  switch (event.kind) {
    case 'refusal':
      return `${by}: ${event.op} refused, ${event.error.code} (${event.milliseconds} ms)`;
    case 'outside':
      return `${by}: recorded outside changes of ${event.paths.join(', ')}`;
    case 'open':
      return `${by}: open ${event.path}`;
    case 'read':
      return `${by}: ${event.op}${event.path === undefined ? '' : ` ${event.path}`} (${event.milliseconds} ms)`;
    default:
      return `${by}: ${event.subject} ${event.commit.slice(0, 12)} (${event.milliseconds} ms)`;
  }
}
