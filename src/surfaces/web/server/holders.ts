/** Finds who holds the lines that are in the way of what a person asked for: the edits to take back first. */

import { type EditError, isEditError } from '../../../errors.ts';
import type { BlameLine } from '../../../queries/blame.ts';
import type { Session } from '../../../workspace/session.ts';

export type Holder = Pick<BlameLine, 'commit' | 'agent' | 'author' | 'session'> & { path: string };

/** Places that are looked at: a person reads no more. */
const PLACES = 5;

/** Returns those whom a conflict names, or else the newest edits of the lines in the way; for other errors nobody. Never throws. */
export async function holdersOf(session: Session, error: EditError): Promise<Holder[]> {
  if (!isEditError(error, 'CONFLICT')) return [];
  const regions = (error.data.conflicts ?? []).flatMap(({ path, regions }) =>
    regions.map(region => ({ path, ...region })),
  );
  const { builds_on: named } = error.data;
  const path = error.data.conflicts?.[0]?.path ?? '';
  if (named)
    return named.flatMap(({ commit, ...who }) => (commit === null ? [] : [{ ...who, path, commit }]));
  const found = new Map<string, Holder>();
  for (const { path, start_line: start, end_line: end } of regions.slice(0, PLACES)) {
    // Where lines were taken out, those beside the gap are held.
    const viewRange = end < start ? [Math.max(1, start - 1), Math.max(1, start - 1)] : [start, end];
    const lines = await session.blame({ path, viewRange }).catch(() => null);
    for (const { commit, agent, author, session: whose } of lines?.data.lines ?? [])
      found.set(commit, { path, commit, agent, author, session: whose });
  }
  return [...found.values()];
}
