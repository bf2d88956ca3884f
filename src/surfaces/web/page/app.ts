/**
 * Holds the story, one state of what is seen, and the ways through them. It draws nothing. The address remembers what is seen,
 * `#1a2b3c4d5e6f/file`, so that an edit can be pointed at: what was gone to is a place that the browser goes back to; what was
 * only passed, as the steps of a file, is not.
 */

import type { Timeline, TimelineEntry } from '../../../queries/timeline.ts';
import { wordsIn } from '../listing.ts';
import type { Going, State, ViewName } from './contract.ts';
import { type FileStory, Story } from './model/story.ts';

/** The list with all entries in it. */
export const ALL_ENTRIES: Pick<State, 'onlyFile' | 'onlyGroup' | 'words'> = {
  onlyFile: null,
  onlyGroup: null,
  words: '',
};

const START: State = {
  view: 'history',
  chosen: null,
  file: null,
  ...ALL_ENTRIES,
  pane: 'list',
};

export class App {
  story: Story;
  state: State = START;
  /** The entries of the list as indexes in the story, newest first. */
  shown: readonly number[];
  /** Counts what was gone to: where it grows, another thing is seen, from its beginning. */
  visit = 0;
  readonly hasAddress: boolean;
  /** Draws the whole page now. */
  onChange: () => void = () => {};
  /** Told that the list is narrowed: what fits may be among older entries that are not here. */
  onNarrow: () => void = () => {};
  onReviewMove: (by: number) => void = () => {};
  /** Told that another view is shown, which may need more than was read. */
  onView: () => void = () => {};
  /** The folder and the branch that all of it is of. */
  name = '';
  trail = '';
  /** The hunk that the address names, `path:line`, until it is found; and the edit that is to be shown once it is read. */
  place: string | null = null;
  wanted: string | null = null;
  hasStarted = false;

  /** `hasAddress`: false in a host's frame, whose address nobody sees, and whose history is the host's. */
  constructor(timeline: Timeline, hasAddress: boolean) {
    this.story = new Story(timeline);
    this.shown = matching(this.story, this.state);
    this.hasAddress = hasAddress;
  }

  /** Goes where the address says, and follows it from now on. */
  start(): void {
    this.hasStarted = true;
    const read = (kept: unknown): void => {
      this.place = placeIn(location.hash);
      this.go(readAddress(this.story, kept));
    };
    addEventListener('popstate', event => read(event.state));
    read(null);
  }

  /** Shows a newer history; what is chosen stays chosen. `goesOn`: the newest entry is chosen in its place. */
  update(timeline: Timeline, goesOn: boolean): void {
    this.story = new Story(timeline);
    const { story, state } = this;
    const { onlyFile, onlyGroup } = state;
    this.state = {
      ...state,
      ...this.#placeIn(story, goesOn),
      onlyFile: story.fileNamed(onlyFile)?.name ?? null,
      onlyGroup: story.groups.some(({ key }) => key === onlyGroup) ? onlyGroup : null,
    };
    this.shown = matching(story, this.state);
    if (this.state.chosen !== state.chosen) this.visit++;
    const { wanted } = this;
    if (wanted !== null && story.indexOf(wanted) !== null) this.choose(wanted);
    this.onChange();
  }

  /** Returns what is chosen of a story that came in place of another one. */
  #placeIn(story: Story, goesOn: boolean): Partial<State> {
    const { chosen } = this.state;
    const [newest] = story.entries;
    if (goesOn && newest) return this.#placeOf(newest.commit);
    if (chosen !== null && this.index !== null) return this.step > 0 ? {} : this.#placeOf(chosen);
    return { chosen: null, file: null };
  }

  /** Returns the index of the chosen entry. */
  get index(): number | null {
    return this.state.chosen === null ? null : this.story.indexOf(this.state.chosen);
  }

  get entry(): TimelineEntry | null {
    return this.story.entries[this.index ?? -1] ?? null;
  }

  /** Returns the file that is shown line by line. */
  get file(): FileStory | null {
    return this.story.fileNamed(this.state.file);
  }

  /** Returns the number of the chosen edit among those of that file, from 1 on; 0 where it is none of them. */
  get step(): number {
    const { file, index } = this;
    return (file?.steps.findIndex(({ entry }) => entry === index) ?? -1) + 1;
  }

  get isNarrowed(): boolean {
    const { onlyFile, onlyGroup, words } = this.state;
    return onlyFile !== null || onlyGroup !== null || words !== '';
  }

  /** Tells whether one pane at a time is shown. */
  get isNarrow(): boolean {
    return matchMedia('(max-width: 760px)').matches;
  }

  /** Chooses an entry, where it is there, and shows its changes unless it is looked at otherwise already. */
  choose(commit: string, view: ViewName = this.#viewOfEntries): void {
    const isRead = this.story.indexOf(commit) !== null;
    this.wanted = isRead ? null : commit;
    if (isRead) this.#set({ ...this.#placeOf(commit), view, pane: 'detail' });
    else this.#set({ chosen: null, file: null, view: 'history', pane: 'detail' });
  }

  get #viewOfEntries(): ViewName {
    return this.state.view === 'file' ? 'file' : 'history';
  }

  /** Shows the chosen entry, or the first of the list where none of it is chosen. */
  open(): void {
    const index = this.shown.find(one => one === this.index) ?? this.shown[0];
    if (index !== undefined) this.choose(this.#commitAt(index));
  }

  go({ chosen, view, pane }: Pick<State, 'chosen' | 'view' | 'pane'>): void {
    const place = chosen === null ? { chosen } : this.#placeOf(chosen);
    this.#set({ ...place, view, pane }, 'back');
  }

  /** Chooses the entry so many rows down the list; with an infinite number, the last or first. */
  move(by: number): void {
    if (this.state.view === 'review') this.onReviewMove(by);
    if (this.state.view === 'review' || this.shown.length === 0) return;
    const { index, shown } = this;
    const at = index === null ? -1 : shown.findIndex(one => one >= index);
    const from = index === null || at >= 0 ? at : shown.length;
    const next = shown[Math.min(Math.max(from + by, 0), shown.length - 1)]!;
    this.#set({ ...this.#placeOf(this.#commitAt(next)), view: this.#viewOfEntries }, 'passes');
  }

  /** Shows the file as it was so many of its edits later. */
  stepBy(by: number): void {
    const { file, step } = this;
    if (file !== null) this.#set({ chosen: this.#commitOf(file, step + by) }, 'passes');
  }

  /** Shows a file line by line, at the moment of the chosen entry. */
  openFile(name: string): void {
    const { index } = this;
    const file = this.story.fileNamed(name);
    if (file === null) return;
    const done = index === null ? file.steps : file.steps.filter(({ entry }) => entry >= index);
    this.#set({ view: 'file', pane: 'detail', file: name, chosen: this.#commitOf(file, done.length) });
  }

  show(view: ViewName): void {
    const isNone = view !== 'review' && this.state.chosen === null;
    this.#set({ view, pane: 'detail' });
    if (isNone) this.move(1);
  }

  showList(): void {
    this.#set({ pane: 'list' });
  }

  narrow(filter: Partial<typeof ALL_ENTRIES>): void {
    this.#set({ ...filter, pane: this.state.view === 'review' ? this.state.pane : 'list' }, 'passes');
    if (this.isNarrowed) this.onNarrow();
    const { index, shown } = this;
    const [first] = shown;
    if (index === null || shown.includes(index) || first === undefined) return;
    this.#set(this.#placeOf(this.#commitAt(first)), 'passes');
  }

  #commitAt(index: number): string {
    return this.story.entries[index]!.commit;
  }

  #placeOf(chosen: string): Pick<State, 'chosen' | 'file'> {
    const { onlyFile, file } = this.state;
    return { chosen, file: this.story.fileFor(chosen, [onlyFile, file]) };
  }

  /** Returns the commit of an edit of a file, by its number from 1 on; beyond the first and the last, theirs. */
  #commitOf({ steps }: FileStory, step: number): string {
    return this.#commitAt(steps[Math.min(Math.max(step, 1), steps.length) - 1]!.entry);
  }

  #set(change: Partial<State>, how: Going = 'goes'): void {
    const before = this.state;
    const state = { ...before, ...change };
    this.state = state;
    const isIn = (...keys: Array<keyof State>): boolean => keys.some(key => state[key] !== before[key]);
    if (isIn('onlyFile', 'onlyGroup', 'words')) this.shown = matching(this.story, state);
    if (isIn('view', 'chosen', 'file', 'onlyFile')) this.visit++;
    if (isIn('view')) clearTimeout(writing);
    if (isIn('view')) this.onView();
    // Where the page opened has no address yet: it is a place to go back to.
    if (how === 'goes' && isIn('view') && this.hasAddress) writeAddress(before, 'passes', this.isNarrow);
    if (how !== 'back' && this.hasAddress) writeAddress(state, how, this.isNarrow);
    this.onChange();
  }
}

/** Tells whether the address may name an entry, which is not known before the history is. */
export function namesEntry(): boolean {
  return !/^(#review\b.*)?$/s.test(location.hash);
}

/** Returns what the address says, with the pane that was shown there; at first the list, or the edit that is named. */
function readAddress(story: Story, kept: unknown): Pick<State, 'chosen' | 'view' | 'pane'> {
  const [commit = '', name] = location.hash.slice(1).split('/');
  if (commit === 'review') return { chosen: null, view: 'review', pane: paneOf(kept) ?? 'detail' };
  const chosen = story.entries[story.find(commit) ?? -1]?.commit ?? null;
  const pane = paneOf(kept) ?? (chosen === null ? 'list' : 'detail');
  return { chosen, view: chosen !== null && name === 'file' ? name : 'history', pane };
}

/** Returns the hunk that an address names: `#review/src/a.ts:40`. */
function placeIn(hash: string): string | null {
  const [, place] = /^#review\/(.+:\d+)$/s.exec(hash) ?? [];
  try {
    return place === undefined ? null : decodeURIComponent(place);
  } catch {
    return null;
  }
}

/** Writes what is seen into the address. `isNarrow`: one pane at a time is seen. */
function writeAddress({ chosen, view, pane }: State, how: Going, isNarrow: boolean): void {
  const entry = chosen === null ? '' : `#${chosen.slice(0, 12)}${view === 'file' ? '/file' : ''}`;
  const hash = view === 'review' ? (location.hash.startsWith('#review/') ? location.hash : '#review') : entry;
  if (location.hash === hash && (paneOf(history.state) ?? 'list') === pane) return;
  const place = hash === '' ? location.pathname + location.search : hash;
  const isPlace = how === 'goes' && (location.hash !== hash || isNarrow);
  try {
    if (isPlace) history.pushState({ pane }, '', place);
    else history.replaceState({ pane }, '', place);
  } catch {
    // Some browsers allow no change of a file's address; the page works without.
  }
}

/** Milliseconds for which somebody stays at a hunk that they read. */
const STAY_MS = 400;
let writing: ReturnType<typeof setTimeout> | undefined;

/** Writes the hunk that is read into the address, so that the page opens at it again. Browsers allow few such changes a second. */
export function writePlace(path: string, line: number): void {
  const hash = `#review/${encodeURIComponent(path).replaceAll('%2F', '/')}:${line}`;
  const write = (): void => {
    try {
      if (/^(#review\b.*)?$/s.test(location.hash)) history.replaceState(history.state, '', hash);
    } catch {
      // As above.
    }
  };
  clearTimeout(writing);
  writing = setTimeout(write, STAY_MS);
}

function paneOf(kept: unknown): State['pane'] | null {
  const { pane } = Object(kept) as { pane?: unknown };
  return pane === 'list' || pane === 'detail' ? pane : null;
}

/** Texts that words are looked for in, by commit; made when words are first typed. */
const haystacks = new Map<string, string>();

/** Returns the entries that fit, newest first. */
function matching(story: Story, { onlyFile, onlyGroup, words }: State): number[] {
  const wanted = wordsIn(words);
  return [...story.entries.keys()].filter(
    index =>
      (onlyFile === null || story.filesOf(index).some(({ name }) => name === onlyFile)) &&
      (onlyGroup === null || story.groupOf(index).key === onlyGroup) &&
      wanted.every(word => haystack(story, index).includes(word)),
  );
}

function haystack(story: Story, index: number): string {
  const { commit, subject, reason, agent, author, session, files } = story.entries[index]!;
  const known = haystacks.get(commit);
  if (known !== undefined) return known;
  const changes = files.flatMap(file => [file.path, file.diff]);
  const text = [commit, subject, reason, agent, author, session, ...changes].join('\n').toLowerCase();
  haystacks.set(commit, text);
  return text;
}
