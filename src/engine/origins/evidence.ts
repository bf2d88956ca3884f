/** Decides whose a change is that nothing recorded: the person's where no agent can have made it, else nobody's yet. Pure. */

import type { Activity, CallWindow, Span } from './activity.ts';

/**
 * `person`: no agent can have made it. `during`: it was made while these calls ran; `isLate`: or after that. `unclaimed`: while
 * these agents were at work; who is not told.
 */
export type Evidence =
  | { by: 'person' }
  | { by: 'during'; calls: CallWindow[]; isLate?: boolean }
  | { by: 'unclaimed'; agents: string[] };

/** A change of one path. */
export interface Change {
  /** As the trail records it. */
  path: string;
  /** The ctime of the file; `null` where that is not known: it is gone, or elsewhere than on a disk. */
  changed: bigint | null;
  /** Everything from before this moment is recorded. */
  since: bigint;
  /** It was made later than this; where that is not known, the last of those who changed the file stands for all. */
  after?: bigint | undefined;
  /** A call that is known not to have made it. */
  except?: string | undefined;
}

export function evidenceFor(activity: Activity, { path, changed, since, after, except }: Change): Evidence {
  if (changed === null) return withoutMoment(activity, path, since);
  const isThen = (span: Span): boolean =>
    after === undefined || after >= changed
      ? overlaps(span, changed, changed)
      : span.from <= changed && (span.until === null || span.until > after);
  const calls = activity.calls.filter(call => call.call !== except && isThen(call) && mayChange(call, path));
  const isLate = calls.some(({ until }) => until !== null && until < changed);
  if (calls.length > 0) return { by: 'during', calls, ...(isLate ? { isLate } : {}) };
  const left = activity.calls.filter(
    one => isOver(one, changed) && mayChange(one, path) && activity.outlives(one),
  );
  if (left.length > 0) return { by: 'during', calls: left, isLate: true };
  const turns = activity.turns.filter(turn => isThen(turn) && !turn.announced);
  const clients = activity.clients.filter(client => isThen(client) && !client.hooked);
  return ofAgents([...turns, ...clients]);
}

/** Lists whose a change can be that was made at any moment since. */
function withoutMoment({ turns, calls, clients }: Activity, path: string, since: bigint): Evidence {
  const isThen = (span: Span): boolean => overlaps(span, since, null);
  const isFree = clients.filter(client => isThen(client) && !client.hooked);
  return ofAgents([
    ...turns.filter(isThen),
    ...calls.filter(one => isThen(one) && mayChange(one, path)),
    ...isFree,
  ]);
}

function ofAgents(found: ReadonlyArray<{ agent: string }>): Evidence {
  if (found.length === 0) return { by: 'person' };
  const names = found.map(({ agent }) => agent).filter(agent => agent !== '');
  return { by: 'unclaimed', agents: [...new Set(names)].sort() };
}

function isOver({ from, until }: Span, at: bigint): boolean {
  return from <= at && until !== null && until < at;
}

function mayChange(call: CallWindow, path: string): boolean {
  return call.path === undefined || call.path === path;
}

function overlaps(span: Span, from: bigint, until: bigint | null): boolean {
  return (span.until === null || span.until >= from) && (until === null || span.from <= until);
}
