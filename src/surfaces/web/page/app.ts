/** The page: one state, and the parts that show it. */

import type { Address } from './address.ts';
import type { Going, Parts, State, Timeline, ViewName } from './contract.ts';
import type { Code } from './elements/code.ts';
import type { Dom } from './elements/dom.ts';
import type { Words } from './elements/words.ts';
import type { Keys } from './keys.ts';
import type { Filters } from './list/filters.ts';
import type { Lane } from './list/lane.ts';
import type { Live } from './live/live.ts';
import type { Diff } from './model/diff.ts';
import type { Story } from './model/story.ts';
import type { Theme } from './theme.ts';
import type { Blame } from './views/blame.ts';
import type { Changes } from './views/changes.ts';
import type { Details } from './views/details.ts';
import type { Overview } from './views/overview.ts';
import type { Player } from './views/player.ts';
import type { Replay } from './views/replay.ts';
import type { Review } from './views/review.ts';
import type { Tabs } from './views/tabs.ts';

export class App {
  readonly dom: Dom;
  readonly words: Words;
  readonly code: Code;
  story: Story;
  readonly review: Review;
  /** Called when anything is shown. */
  onRender: (() => void) | null = null;
  readonly filters: Filters;
  readonly theme: Theme;
  readonly #lane: Lane;
  readonly #tabs: Tabs;
  readonly #details: Details;
  readonly #player: Player;
  readonly #address: Address;
  readonly #views: { overview: Overview; changes: Changes; replay: Replay; blame: Blame; review: Review };
  readonly keys: Keys;
  readonly #parts: Parts;
  readonly #diff: Diff;
  readonly #live: Live | null;
  #shown: readonly number[] = [];
  /** Those that the list shows by now. */
  #drawn: readonly number[] = [];
  #state: State = {
    view: 'overview',
    chosen: null,
    file: null,
    step: 0,
    onlyFile: null,
    onlyGroup: null,
    words: '',
    pane: 'list',
  };

  /** `live`: where the history comes from, and goes on. */
  constructor(timeline: Timeline, parts: Parts, live: Live | null = null) {
    const diff = new parts.Diff();
    this.#parts = parts;
    this.#diff = diff;
    this.#live = live;
    this.dom = new parts.Dom(document);
    this.words = new parts.Words(this.dom);
    this.code = new parts.Code(this.dom, this.words);
    this.story = new parts.Story(timeline, parts, diff);
    this.theme = new parts.Theme(this.dom, document.documentElement);
    this.filters = new parts.Filters(this);
    this.#lane = new parts.Lane(this, parts);
    this.#tabs = new parts.Tabs(this);
    this.#details = new parts.Details(this);
    this.#player = new parts.Player(this);
    this.#address = new parts.Address(this, live?.net.isTab ?? true);
    this.review = new parts.Review(this, live, diff);
    this.#views = {
      overview: new parts.Overview(this, parts),
      changes: new parts.Changes(this, diff),
      replay: new parts.Replay(this, diff),
      blame: new parts.Blame(this),
      review: this.review,
    };
    this.keys = new parts.Keys(this);
    this.#listen();
    this.#title();
    this.#render(null, 'back');
    this.#address.read();
  }

  get state(): State {
    return this.#state;
  }

  /** Where the entries end that came since the reader last looked. */
  get boundary(): number | null {
    return this.#live?.boundary ?? null;
  }

  /** The hunks to review are others by now. */
  showReview(): void {
    if (this.#state.view === 'review') this.dom.patch(this.dom.get('body'), this.review.render());
    this.onRender?.();
  }

  /**
   * Shows what is there by now. What is chosen stays chosen, what is read stays where it is, and the focus stays; the newest
   * edit stays open where it was open and nobody reads in it.
   */
  update(timeline: Timeline): void {
    const [old, previous, panel] = [this.story, this.#state, this.dom.get('panel')];
    const goesOn = this.#live?.goesOn(previous, panel) ?? false;
    this.story = new this.#parts.Story(timeline, this.#parts, this.#diff);
    const carry = new this.#parts.Carry(old, this.story);
    this.#state = carry.state(previous, goesOn);
    this.filters.offer();
    this.#player.offer();
    this.#title();
    const body = this.dom.get('body');
    const top = body.getBoundingClientRect().top;
    this.#shown = this.filters.entries(this.#state);
    const isOther = carry.isOther(previous, this.#state);
    const isKept = !isOther && !['overview', 'review'].includes(previous.view);
    this.#render({ ...this.#state, chosen: isOther ? null : this.#state.chosen }, 'back', isKept);
    // What stands above the text may have grown by a line.
    if (!isOther) panel.scrollTop += body.getBoundingClientRect().top - top;
  }

  /** True where one pane at a time is shown. */
  get isNarrow(): boolean {
    return matchMedia('(max-width: 760px)').matches;
  }

  /** Chooses an entry, and shows its changes unless it is looked at otherwise already. */
  choose(chosen: number, view: ViewName = this.#viewOfEntries): void {
    this.#set({ ...this.#placeOf(chosen), chosen, view, pane: 'detail' });
  }

  /** The same by its commit, as what was drawn before knows it. */
  chooseCommit(commit: string, view: ViewName = this.#viewOfEntries): void {
    const index = this.story.find(commit);
    if (index !== null) this.choose(index, view);
  }

  /** How an entry is looked at that is chosen now. */
  get #viewOfEntries(): ViewName {
    const { view } = this.#state;
    return view === 'overview' || view === 'review' ? 'changes' : view;
  }

  /** Shows the chosen entry, or the first of the list where none of it is chosen. */
  open(): void {
    const { chosen } = this.#state;
    const index = chosen !== null && this.#shown.includes(chosen) ? chosen : this.#shown[0];
    if (index === undefined) return;
    this.choose(index);
    this.#lane.focus();
  }

  /** Shows what was seen before. */
  go({ chosen, view, pane }: Pick<State, 'chosen' | 'view' | 'pane'>): void {
    const place = chosen === null ? {} : this.#placeOf(chosen);
    this.#set({ ...place, chosen, view, pane }, 'back');
  }

  /** Chooses the entry so many rows down the list; with an infinite number, the last or first. */
  move(by: number): void {
    if (this.#state.view === 'review') this.review.move(by);
    if (this.#state.view === 'review' || this.#shown.length === 0) return;
    const { chosen, pane } = this.#state;
    const at = chosen === null ? -1 : this.#shown.findIndex(index => index >= chosen);
    const from = chosen === null || at >= 0 ? at : this.#shown.length;
    const to = Math.min(Math.max(from + by, 0), this.#shown.length - 1);
    const next = this.#shown[to]!;
    this.#set({ ...this.#placeOf(next), chosen: next, view: this.#viewOfEntries, pane }, 'passes');
  }

  /** An earlier or later edit of the same file. */
  step(by: number): void {
    const { file, step } = this.#state;
    if (file !== null) this.toStep(step + by);
  }

  /** The file as it was when so many of its edits were done. */
  toStep(wanted: number): void {
    const { file, view, chosen } = this.#state;
    if (file === null) return;
    const { steps } = this.story.files[file]!;
    const first = view === 'changes' ? 1 : 0;
    const step = Math.min(Math.max(wanted, first), steps.length);
    this.#set({ step, chosen: step === 0 ? chosen : steps[step - 1]!.entry }, 'passes');
  }

  /** Replays a file: from the chosen entry if that is about it, else from its newest edit. */
  replay(file: number): void {
    this.#set({ view: 'replay', pane: 'detail' });
    this.openFile(file);
  }

  replayNamed(name: string): void {
    const file = this.story.files.findIndex(one => one.name === name);
    if (file >= 0) this.replay(file);
  }

  /** Another file, at the moment of the chosen entry. */
  openFile(file: number): void {
    const { chosen } = this.#state;
    const { steps } = this.story.files[file]!;
    const done = chosen === null ? steps.length : steps.filter(step => step.entry >= chosen).length;
    this.#set({ file, step: done, chosen: done === 0 ? chosen : steps[done - 1]!.entry });
  }

  show(view: ViewName): void {
    if (view !== 'overview' && view !== 'review' && this.#state.chosen === null) this.move(1);
    this.#set({ view, pane: 'detail' });
  }

  play(): void {
    if (this.#state.view !== 'replay' && this.#state.view !== 'blame') this.show('replay');
    this.#player.toggle();
  }

  narrow(filter: Partial<Pick<State, 'onlyFile' | 'onlyGroup' | 'words'>>): void {
    this.#set({ ...filter, pane: 'list' }, 'passes');
    const { chosen } = this.#state;
    if (chosen === null || this.#shown.includes(chosen) || this.#shown.length === 0) return;
    this.#set({ ...this.#placeOf(this.#shown[0]!), chosen: this.#shown[0]! }, 'passes');
  }

  #placeOf(chosen: number): Pick<State, 'file' | 'step'> {
    return this.story.placeOf(chosen, this.#state);
  }

  #set(change: Partial<State>, how: Going = 'goes'): void {
    const previous = this.#state;
    this.#state = { ...previous, ...change };
    this.#render(previous, how);
  }

  /** `isKept`: what stands in the body stays as it is. */
  #render(previous: State | null, how: Going, isKept = false): void {
    const state = this.#state;
    const before = previous && this.#drawn;
    const isSame =
      previous && (['onlyFile', 'onlyGroup', 'words'] as const).every(key => state[key] === previous[key]);
    if (!isSame) this.#shown = this.filters.entries(state);
    this.#drawn = this.#shown;
    this.dom.get('main').dataset.pane = state.pane;
    this.filters.render(state, this.#shown);
    this.#lane.render(state, previous, this.#shown, before);
    this.#tabs.render(state);
    this.#details.render(state);
    this.#player.render(state, previous);
    this.#address.render(state, how);
    if (!isKept) this.#body(state, previous);
    this.onRender?.();
  }

  #body(state: State, previous: State | null): void {
    const keys = ['view', 'chosen', 'file', 'step', 'onlyFile'] as const;
    const isSame = previous && keys.every(key => state[key] === previous[key]);
    if (isSame && state.view !== 'overview') return;
    this.dom.patch(this.dom.get('body'), this.#views[state.view].render(state));
    if (isSame) return;
    const panel = this.dom.get('panel');
    const changed = state.view === 'replay' && panel.querySelector('.plus-line, .minus-line');
    if (!changed) panel.scrollTop = 0;
    else
      panel.scrollTop +=
        changed.getBoundingClientRect().top - panel.getBoundingClientRect().top - panel.clientHeight / 3;
  }

  #listen(): void {
    this.dom.get('newer').addEventListener('click', () => this.move(-1));
    this.dom.get('older').addEventListener('click', () => this.move(1));
    this.dom.get('to-list').addEventListener('click', () => {
      this.#set({ pane: 'list' });
      this.#lane.focus();
    });
  }

  /** What is known before anything is chosen: whose history this is, and what of it is missing. */
  #title(): void {
    const { name, trail, time, more, left_out: leftOut, entries } = this.story.timeline;
    const title = this.words.plain(`${name} · ${trail}`);
    document.title = `${title} · vedit`;
    this.dom.get('name').replaceChildren(...this.words.visible(name));
    const asOf = this.#live ? [] : [' · as of ', this.words.moment(time)];
    this.dom.get('trail').replaceChildren(...this.words.visible(trail), ...asOf);
    const { length } = entries;
    const newest = length === 1 ? 'entry is' : `${this.words.number(length)} entries are`;
    const texts = this.words.count(leftOut, 'text was', 'texts were');
    const notices = [
      more && `Only the newest ${newest} in this page; there are older ones.`,
      leftOut > 0 && `${texts} too large and left out, mostly of older edits.`,
    ].filter(notice => notice !== false);
    this.dom.get('notice').textContent = notices.join(' ');
    this.dom.get('notice').hidden = notices.length === 0;
  }
}
