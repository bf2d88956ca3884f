/** Carries what is seen over to a story that has grown: the same entry, file, step and filter, by their names. Pure. */

import type { State } from '../contract.ts';
import type { Story } from './story.ts';

export class Carry {
  readonly #old: Story;
  readonly #story: Story;

  constructor(old: Story, story: Story) {
    this.#old = old;
    this.#story = story;
  }

  /** `goesOn`: the newest entry is chosen in place of the one that was it. */
  state(state: State, goesOn: boolean): State {
    const chosen = goesOn && this.#story.entries.length > 0 ? 0 : this.#entry(state.chosen);
    const moved: State = {
      ...state,
      chosen,
      view: chosen === null && state.view !== 'review' ? 'overview' : state.view,
      onlyFile: this.#file(state.onlyFile),
      onlyGroup: this.#group(state.onlyGroup),
      file: this.#file(state.file),
    };
    return { ...moved, ...this.#place(state, moved) };
  }

  /** True when another entry is chosen than before. */
  isOther(before: State, after: State): boolean {
    const commit = (story: Story, index: number | null): string | null =>
      index === null ? null : (story.entries[index]?.commit ?? null);
    return commit(this.#old, before.chosen) !== commit(this.#story, after.chosen);
  }

  #place(before: State, after: State): Pick<State, 'file' | 'step'> {
    const { file, chosen } = after;
    if (chosen === null) return { file: null, step: 0 };
    const steps = before.file === null ? [] : this.#old.files[before.file]!.steps;
    const entry = this.#entry(steps[Math.max(0, before.step - 1)]?.entry ?? null);
    if (file === null || entry === null || this.isOther(before, after))
      return this.#story.placeOf(chosen, after);
    return { file, step: this.#story.files[file]!.stepOf(entry) + (before.step === 0 ? 0 : 1) };
  }

  #entry(index: number | null): number | null {
    return index === null ? null : this.#story.find(this.#old.entries[index]!.commit);
  }

  #file(index: number | null): number | null {
    if (index === null) return null;
    const { name } = this.#old.files[index]!;
    const found = this.#story.files.findIndex(one => one.name === name);
    return found < 0 ? null : found;
  }

  #group(index: number | null): number | null {
    if (index === null) return null;
    const { session, name } = this.#old.groups[index]!;
    const found = this.#story.groups.findIndex(one => one.session === session && one.name === name);
    return found < 0 ? null : found;
  }
}
