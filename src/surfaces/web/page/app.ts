/** Holds the story, one state of what is seen, and the ways through them. It draws nothing. */

import type { Timeline } from '../../../queries/timeline/timeline.ts';
import { readAddress, writeAddress } from './address.ts';
import type { Going, State, ViewName } from './contract.ts';
import { carry, isOther } from './model/grown.ts';
import { matching } from './model/search.ts';
import { Story } from './model/story.ts';

/** Milliseconds for which one step of a file is shown while it plays. */
const STEP_MS = 900;

const START: State = {
  view: 'overview',
  chosen: null,
  file: null,
  step: 0,
  onlyFile: null,
  onlyGroup: null,
  words: '',
  pane: 'list',
};

export class App {
  story: Story;
  state: State = START;
  /** The entries of the list, newest first. */
  shown: readonly number[];
  /** Counts what was gone to: where it grows, another thing is seen, from its beginning. */
  visit = 0;
  readonly hasAddress: boolean;
  /** Draws all of it, now. */
  onChange: () => void = () => {};
  /** Told that the list is narrowed: what fits may be among older entries that are not here. */
  onNarrow: () => void = () => {};
  onReviewMove: (by: number) => void = () => {};
  #timer: ReturnType<typeof setInterval> | undefined;

  /** `hasAddress`: false in a host's frame, whose address nobody sees, and whose history is the host's. */
  constructor(timeline: Timeline, hasAddress: boolean) {
    this.story = new Story(timeline);
    this.shown = matching(this.story, this.state);
    this.hasAddress = hasAddress;
  }

  /** Goes where the address says, and follows it from now on. */
  start(): void {
    const read = (kept: unknown): void => this.go(readAddress(this.story, kept));
    addEventListener('popstate', event => read(event.state));
    read(null);
  }

  /**
   * Shows what is there by now. What is chosen stays chosen. `goesOn`: the newest edit stays open where it was open.
   */
  update(timeline: Timeline, goesOn: boolean): void {
    const [old, before] = [this.story, this.state];
    this.story = new Story(timeline);
    this.state = carry(before, old, this.story, goesOn);
    this.shown = matching(this.story, this.state);
    if (isOther(before, old, this.state, this.story)) this.visit++;
    this.#changed();
  }

  /** True where one pane at a time is shown. */
  get isNarrow(): boolean {
    return matchMedia('(max-width: 760px)').matches;
  }

  /** Chooses an entry, and shows its changes unless it is looked at otherwise already. */
  choose(chosen: number, view: ViewName = this.#viewOfEntries): void {
    this.#set({ ...this.#placeOf(chosen), chosen, view, pane: 'detail' });
  }

  /** Chooses an entry by its commit, as what was drawn before knows it. */
  chooseCommit(commit: string, view?: ViewName): void {
    const index = this.story.find(commit);
    if (index !== null) this.choose(index, view);
  }

  get #viewOfEntries(): ViewName {
    const { view } = this.state;
    return view === 'overview' || view === 'review' ? 'changes' : view;
  }

  /** Shows the chosen entry, or the first of the list where none of it is chosen. */
  open(): void {
    const { chosen } = this.state;
    const index = chosen !== null && this.shown.includes(chosen) ? chosen : this.shown[0];
    if (index !== undefined) this.choose(index);
  }

  go({ chosen, view, pane }: Pick<State, 'chosen' | 'view' | 'pane'>): void {
    const place = chosen === null ? {} : this.#placeOf(chosen);
    this.#set({ ...place, chosen, view, pane }, 'back');
  }

  /** Chooses the entry so many rows down the list; with an infinite number, the last or first. */
  move(by: number): void {
    if (this.state.view === 'review') this.onReviewMove(by);
    if (this.state.view === 'review' || this.shown.length === 0) return;
    const { chosen, pane } = this.state;
    const at = chosen === null ? -1 : this.shown.findIndex(index => index >= chosen);
    const from = chosen === null || at >= 0 ? at : this.shown.length;
    const next = this.shown[Math.min(Math.max(from + by, 0), this.shown.length - 1)]!;
    this.#set({ ...this.#placeOf(next), chosen: next, view: this.#viewOfEntries, pane }, 'passes');
  }

  step(by: number): void {
    this.toStep(this.state.step + by);
  }

  /** The file as it was when so many of its edits were done. */
  toStep(wanted: number): void {
    const { file, view, chosen } = this.state;
    if (file === null) return;
    const { steps } = this.story.files[file]!;
    const step = Math.min(Math.max(wanted, view === 'changes' ? 1 : 0), steps.length);
    this.#set({ step, chosen: step === 0 ? chosen : steps[step - 1]!.entry }, 'passes');
  }

  /** Replays a file: from the chosen entry if that is about it, else from its newest edit. */
  replay(name: string): void {
    const file = this.story.files.findIndex(one => one.name === name);
    if (file < 0) return;
    this.#set({ view: 'replay', pane: 'detail' });
    this.openFile(file);
  }

  /** Another file, at the moment of the chosen entry. */
  openFile(file: number): void {
    const { chosen } = this.state;
    const { steps } = this.story.files[file]!;
    const done = chosen === null ? steps.length : steps.filter(step => step.entry >= chosen).length;
    this.#set({ file, step: done, chosen: done === 0 ? chosen : steps[done - 1]!.entry });
  }

  show(view: ViewName): void {
    if (view !== 'overview' && view !== 'review' && this.state.chosen === null) {
      this.state = { ...this.state, view: 'changes' };
      this.move(1);
    }
    this.#set({ view, pane: 'detail' });
  }

  showList(): void {
    this.#set({ pane: 'list' });
  }

  get isPlaying(): boolean {
    return this.#timer !== undefined;
  }

  /** Plays the file from where it is, from the start when it is at the end; or stops that. */
  play(): void {
    if (!isReplayed(this.state.view)) this.show('replay');
    if (this.#timer !== undefined || this.state.file === null) {
      this.stop();
      return;
    }
    if (this.state.step === this.#last()) this.toStep(0);
    this.#timer = setInterval(() => {
      if (this.state.step < this.#last()) this.toStep(this.state.step + 1);
      else this.stop();
    }, STEP_MS);
    this.#changed();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#changed();
  }

  #last(): number {
    return this.state.file === null ? 0 : this.story.files[this.state.file]!.steps.length;
  }

  narrow(filter: Partial<Pick<State, 'onlyFile' | 'onlyGroup' | 'words'>>): void {
    this.#set({ ...filter, pane: this.state.view === 'review' ? this.state.pane : 'list' }, 'passes');
    const { chosen, onlyFile, onlyGroup, words } = this.state;
    if (onlyFile !== null || onlyGroup !== null || words !== '') this.onNarrow();
    const [first] = this.shown;
    if (chosen === null || this.shown.includes(chosen) || first === undefined) return;
    this.#set({ ...this.#placeOf(first), chosen: first }, 'passes');
  }

  #placeOf(chosen: number): Pick<State, 'file' | 'step'> {
    return this.story.placeOf(chosen, this.state);
  }

  #set(change: Partial<State>, how: Going = 'goes'): void {
    const before = this.state;
    const state = { ...before, ...change };
    this.state = state;
    const isIn = (...keys: Array<keyof State>): boolean => keys.some(key => state[key] !== before[key]);
    if (isIn('onlyFile', 'onlyGroup', 'words')) this.shown = matching(this.story, state);
    if (isIn('view', 'chosen', 'file', 'step', 'onlyFile')) this.visit++;
    if (!isReplayed(state.view)) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    if (how !== 'back' && this.hasAddress) writeAddress(this.story, state, how, this.isNarrow);
    this.#changed();
  }

  #changed(): void {
    this.onChange();
  }
}

export function isReplayed(view: ViewName): boolean {
  return view === 'replay' || view === 'blame';
}
