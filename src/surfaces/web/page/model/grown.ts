/** A story that has grown: what was read anew joins what is there, and what is seen is carried over. Pure. */

import type { Timeline, TimelineEntry } from '../../../../queries/timeline/timeline.ts';
import type { State } from '../contract.ts';
import type { Story } from './story.ts';

/** Returns the state for the grown story: the same entry, file, step and filter, by their names. `goesOn`: the newest entry is chosen in place of the one that was it. */
export function carry(state: State, old: Story, story: Story, goesOn: boolean): State {
  const entry = (index: number | null): number | null =>
    index === null ? null : story.find(old.entries[index]!.commit);
  const file = (index: number | null): number | null =>
    indexOf(story.files, one => one.name === old.files[index ?? -1]?.name);
  const group = (index: number | null): number | null => {
    const known = old.groups[index ?? -1];
    return indexOf(story.groups, one => one.session === known?.session && one.name === known?.name);
  };
  const chosen = goesOn && story.entries.length > 0 ? 0 : entry(state.chosen);
  const moved: State = {
    ...state,
    chosen,
    view: chosen === null && state.view !== 'review' ? 'overview' : state.view,
    onlyFile: file(state.onlyFile),
    onlyGroup: group(state.onlyGroup),
    file: file(state.file),
  };
  if (chosen === null) return { ...moved, file: null, step: 0 };
  const steps = state.file === null ? [] : old.files[state.file]!.steps;
  const replayed = entry(steps[Math.max(0, state.step - 1)]?.entry ?? null);
  if (moved.file === null || replayed === null || isOther(state, old, moved, story))
    return { ...moved, ...story.placeOf(chosen, moved) };
  return { ...moved, step: story.files[moved.file]!.stepOf(replayed) + (state.step === 0 ? 0 : 1) };
}

/** Tells whether another entry is chosen than before. */
export function isOther(before: State, old: Story, after: State, story: Story): boolean {
  return old.entries[before.chosen ?? -1]?.commit !== story.entries[after.chosen ?? -1]?.commit;
}

function indexOf<Item>(items: readonly Item[], fits: (item: Item) => boolean): number | null {
  const found = items.findIndex(fits);
  return found < 0 ? null : found;
}

/** Returns the newest entries on top of those that are there; `null` where they do not meet. */
export function joined({ entries, more }: Timeline, newest: Timeline): Timeline | null {
  const last = newest.entries.at(-1)?.commit;
  const at = entries.findIndex(({ commit }) => commit === last);
  if (at < 0) return null;
  const older = entries.slice(at + 1).map(entry => withNews(entry, newest));
  return { ...newest, entries: [...newest.entries, ...older], more };
}

/** An older entry, with what these newer ones took back or put back. */
function withNews(entry: TimelineEntry, { entries }: Timeline): TimelineEntry {
  const by = entries.find(one => one.undoes.includes(entry.commit) || one.redoes.includes(entry.commit));
  if (!by) return entry;
  const isBack = by.undoes.includes(entry.commit);
  const status = { ...entry.status, now: isBack ? ('taken back' as const) : ('open' as const), by: null };
  return { ...entry, status, became: isBack ? 'taken back' : '' };
}
