/** Carries what is seen over to a story that has grown: the same entry, file, step and filter, by their names. Pure. */

import type { State } from '../contract.ts';
import type { Story } from './story.ts';

/** Returns the state for the grown story. `goesOn`: the newest entry is chosen in place of the one that was it. */
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
