/** A history that has grown: the newest entries, read anew, join those that are there. Pure. */

import type { Timeline, TimelineEntry } from '../../../../queries/timeline/timeline.ts';

/** Returns the newest entries on top of those that are there; `null` where they do not meet. */
export function joined({ entries, more }: Timeline, newest: Timeline): Timeline | null {
  const last = newest.entries.at(-1)?.commit;
  const at = entries.findIndex(({ commit }) => commit === last);
  if (at < 0) return null;
  const older = entries.slice(at + 1).map(entry => withNews(entry, newest));
  return { ...newest, entries: [...newest.entries, ...older], more };
}

/** Returns an older entry with what became of it by the newer ones. */
function withNews(entry: TimelineEntry, { entries }: Timeline): TimelineEntry {
  const by = entries.find(one => one.undoes.includes(entry.commit) || one.redoes.includes(entry.commit));
  if (!by) return entry;
  const isBack = by.undoes.includes(entry.commit);
  const status = { ...entry.status, now: isBack ? ('taken back' as const) : ('open' as const), by: null };
  return { ...entry, status, became: isBack ? 'taken back' : '' };
}
