/** The list of entries: a lane for each session, a sign for each kind of entry. */

import type { App } from '../app.ts';
import type { Group, Parts, State } from '../contract.ts';
import type { Kind } from '../model/story.ts';
import type { Item, VirtualList } from './virtual-list.ts';

/** The line of a group in the list as it is drawn: from which to which row it goes, and in which column. */
interface Track {
  first: number;
  last: number;
  column: number;
}

export class Lane {
  /** So many columns at most; beyond, lines share the last one. */
  readonly #mostColumns = 8;

  /** What is drawn into the dot of an entry, in a box of 16 by 16. */
  readonly #signs: Readonly<Record<Kind, string>> = {
    edit: '',
    create: 'M8 5.2v5.6M5.2 8h5.6',
    delete: 'M5.2 8h5.6',
    move: 'M5 8h5.6M8.4 5.6 10.8 8 8.4 10.4',
    undo: 'M7 4.8 4.8 7 7 9.2M4.8 7h4.4a1.9 1.9 0 0 1 0 3.8H7.6',
    redo: 'M9 4.8 11.2 7 9 9.2M11.2 7H6.8a1.9 1.9 0 0 0 0 3.8h1.6',
    back: 'M7.6 5.2 4.8 8l2.8 2.8M11.2 5.2 8.4 8l2.8 2.8',
    outside: '',
    sync: 'M8 4.8v6M5.6 8.4 8 10.8l2.4-2.4',
    commit: '',
  };

  /** Rows that are kept though the list is scrolled away from them. */
  readonly #mostKept = 2_000;

  readonly #app: App;
  readonly #list: HTMLElement;
  readonly #items: VirtualList;
  /** By commit. */
  readonly #rows = new Map<string, { row: HTMLElement; drawnOf: string }>();
  /** The commit that is chosen, its index, and those that have to do with it. */
  #chosen: string | null = null;
  #index: number | null = null;
  #related: ReadonlySet<number> = new Set();

  constructor(app: App, { VirtualList }: Pick<Parts, 'VirtualList'>) {
    this.#app = app;
    this.#list = app.dom.get('list');
    this.#items = new VirtualList(app.dom, this.#list, () => this.#mark());
  }

  render(
    state: State,
    previous: State | null,
    shown: readonly number[],
    before: readonly number[] | null,
  ): void {
    const commit = this.#commitOf(state.chosen);
    const isOther = commit !== this.#chosen;
    this.#chosen = commit;
    this.#index = state.chosen;
    if (shown !== before) this.#draw(shown, previous !== null);
    if (shown !== before || state.chosen !== previous?.chosen) this.#choose(state.chosen, isOther);
  }

  #commitOf(index: number | null): string | null {
    return index === null ? null : this.#app.story.entries[index]!.commit;
  }

  focus(): void {
    this.#list.focus();
  }

  /** `stays`: what is seen of the list stays where it is. */
  #draw(shown: readonly number[], stays: boolean): void {
    const { dom } = this.#app;
    const reach = this.#reach(shown);
    const columns = 1 + Math.max(0, ...[...reach.values()].map(({ column }) => column));
    this.#list.style.setProperty('--columns', String(columns));
    this.#forget();
    const nothing = (): HTMLElement =>
      dom.el('li', { class: 'empty', role: 'presentation' }, this.#nothing());
    const items = shown.length === 0 ? [{ key: '', kind: 'empty', make: nothing }] : this.#all(shown, reach);
    this.#items.show(items, stays);
  }

  /** The rows with a heading for each day, and a line where the reader looked last. */
  #all(shown: readonly number[], reach: ReadonlyMap<Group, Track>): Item[] {
    const { words, story, boundary } = this.#app;
    const items: Item[] = [];
    let day = '';
    for (const [at, index] of shown.entries()) {
      const { commit, time } = story.entries[index]!;
      const today = words.day(time);
      if (today !== day)
        items.push({ key: today, kind: 'day', isHeading: true, make: this.#once(() => this.#day(today)) });
      day = today;
      if (index === boundary)
        items.push({ key: 'looked', kind: 'looked', make: this.#once(() => this.#looked()) });
      const make = (): HTMLElement => this.#rowOf(index, { at, of: shown.length }, reach);
      items.push({ key: commit, kind: this.#why(index) === '' ? 'short' : 'row', make });
    }
    return items;
  }

  /** An element that is made when it is first seen. */
  #once(make: () => HTMLElement): () => HTMLElement {
    let made: HTMLElement | undefined;
    return () => {
      made ??= make();
      return made;
    };
  }

  #day(today: string): HTMLElement {
    return this.#app.dom.el('li', { class: 'day', role: 'presentation' }, today);
  }

  #looked(): HTMLElement {
    const { dom } = this.#app;
    return dom.el('li', { class: 'looked', role: 'presentation' }, '↑ since you last looked');
  }

  /** Most rows of a long list are never seen again. */
  #forget(): void {
    if (this.#rows.size <= this.#mostKept) return;
    for (const [commit, { row }] of this.#rows) if (!row.isConnected) this.#rows.delete(commit);
  }

  #nothing(): string {
    return this.#app.story.entries.length === 0
      ? 'Nothing was edited yet.'
      : 'No edit fits. Press Escape to show all.';
  }

  /** The line of each group, in the first column that is free from its first row on. */
  #reach(shown: readonly number[]): Map<Group, Track> {
    const reach = new Map<Group, Track>();
    for (const [at, index] of shown.entries()) {
      const group = this.#app.story.groupOf(index);
      const known = reach.get(group);
      if (known) known.last = at;
      else reach.set(group, { first: at, last: at, column: 0 });
    }
    const ends: number[] = [];
    for (const track of reach.values()) {
      const free = ends.findIndex(last => last < track.first);
      track.column = free >= 0 ? free : Math.min(ends.length, this.#mostColumns - 1);
      ends[track.column] = Math.max(track.last, ends[track.column] ?? 0);
    }
    return reach;
  }

  /** One that is as it was is not drawn again: of ten thousand few change when one comes. */
  #rowOf(
    index: number,
    { at, of }: { at: number; of: number },
    reach: ReadonlyMap<Group, Track>,
  ): HTMLElement {
    const { commit, became } = this.#app.story.entries[index]!;
    const { tint, name } = this.#app.story.groupOf(index);
    const { column } = reach.get(this.#app.story.groupOf(index))!;
    const tracks = this.#tracksAt(at, reach).map(([one, track]) => [
      one.tint,
      track.column,
      at === track.first,
      at === track.last,
    ]);
    const drawnOf = JSON.stringify([became, this.#app.story.isBack(index), tint, name, column, tracks]);
    const known = this.#rows.get(commit);
    const row = known?.drawnOf === drawnOf ? known.row : this.#row(index, at, reach);
    if (row !== known?.row) this.#rows.set(commit, { row, drawnOf });
    row.id = `entry-${index}`;
    // Of a long list not all rows are there to be counted.
    row.setAttribute('aria-posinset', String(at + 1));
    row.setAttribute('aria-setsize', String(of));
    return row;
  }

  /** The first line of the reason; of a commit that the engine did not make, its subject. */
  #why(index: number): string {
    const { reason, op, subject } = this.#app.story.entries[index]!;
    return (reason || (op === null ? subject : '')).split('\n')[0]!;
  }

  /** The lines that pass a row. */
  #tracksAt(at: number, reach: ReadonlyMap<Group, Track>): Array<[Group, Track]> {
    return [...reach].filter(([, { first, last }]) => first <= at && at <= last && first < last);
  }

  #row(index: number, at: number, reach: ReadonlyMap<Group, Track>): HTMLElement {
    const { dom, words, story } = this.#app;
    const { op, subject, status, time, files, other_files: others } = story.entries[index]!;
    const landed = status.landed_in;
    const group = story.groupOf(index);
    const why = this.#why(index);
    const name = `row ${group.tint}${story.isBack(index) ? ' undone' : ''}${why === '' ? ' short' : ''}`;
    const commit = story.entries[index]!.commit;
    const attributes = {
      class: name,
      role: 'option',
      'data-commit': commit,
      'aria-selected': 'false',
    };
    const [file] = files;
    const more = files.length + others - 1;
    return dom.el(
      'li',
      { ...attributes, click: () => this.#app.chooseCommit(commit) },
      this.#lines(index, at, reach),
      dom.el(
        'span',
        { class: 'what', title: file ? words.plain(file.path) : null },
        dom.el('span', { class: 'op' }, ...words.visible(op ?? 'commit')),
        ' ',
        file ? words.path(file.path) : dom.el('span', { class: 'path' }, ...words.visible(subject)),
        file && more > 0 && dom.el('span', { class: 'dim' }, ` and ${words.count(more, 'more file')}`),
      ),
      files.length > 0 && words.stat(story.sum([index])),
      dom.el('span', { class: 'why' }, ...words.visible(why)),
      dom.el(
        'span',
        { class: 'who' },
        story.isBack(index) && dom.el('span', { class: 'badge' }, 'taken back'),
        landed !== null &&
          dom.el('span', { class: 'badge landed', title: this.#landedWords(landed) }, 'landed'),
        dom.el('span', { class: 'name' }, ...words.visible(group.name)),
        ' ',
        words.clock(time),
      ),
    );
  }

  #landedWords(commit: string): string {
    return `on the branch, in ${commit.slice(0, 12)}`;
  }

  #lines(index: number, at: number, reach: ReadonlyMap<Group, Track>): HTMLElement {
    const { dom, story } = this.#app;
    const lines = this.#tracksAt(at, reach).map(([{ tint }, { first, last, column }]) => {
      const ends = `${at === first ? ' first' : ''}${at === last ? ' last' : ''}`;
      const line = dom.el('span', { class: `track ${tint}${ends}` });
      line.style.setProperty('--column', String(column));
      return line;
    });
    const dot = this.#dot(story.kindOf(index), story.isBack(index));
    dot.style.setProperty('--column', String(reach.get(story.groupOf(index))!.column));
    return dom.el('span', { class: 'lanes', 'aria-hidden': 'true' }, ...lines, dot);
  }

  #dot(kind: Kind, undone: boolean): SVGElement {
    const { dom } = this.#app;
    const shape =
      kind === 'outside'
        ? dom.svg('path', { d: 'M8 1.8 14.2 8 8 14.2 1.8 8z', class: 'shape' })
        : kind === 'commit'
          ? dom.svg('rect', { x: 3, y: 3, width: 10, height: 10, rx: 2, class: 'shape' })
          : dom.svg('circle', { cx: 8, cy: 8, r: kind === 'edit' ? 5 : 6.6, class: 'shape' });
    const sign = this.#signs[kind] !== '' && dom.svg('path', { d: this.#signs[kind], class: 'sign' });
    return dom.svg('svg', { viewBox: '0 0 16 16', class: `dot${undone ? ' hollow' : ''}` }, shape, sign);
  }

  /** `isNew`: it was not chosen before, and is brought into sight. */
  #choose(chosen: number | null, isNew: boolean): void {
    const relations = chosen === null ? [] : this.#app.story.relationsOf(chosen);
    this.#related = new Set(relations.map(one => one.entry));
    this.#items.hold(this.#chosen);
    if (this.#chosen !== null && isNew) this.#items.reveal(this.#chosen);
    this.#mark();
  }

  /** What rows say of the chosen one, those too that come into sight. */
  #mark(): void {
    for (const row of this.#list.querySelectorAll('.row')) {
      const index = Number(row.id.slice('entry-'.length));
      row.setAttribute('aria-selected', String(index === this.#index));
      row.classList.toggle('related', this.#related.has(index));
    }
    const present = this.#index !== null && this.#list.querySelector(`#entry-${this.#index}`);
    if (present) this.#list.setAttribute('aria-activedescendant', `entry-${this.#index}`);
    else this.#list.removeAttribute('aria-activedescendant');
  }
}
