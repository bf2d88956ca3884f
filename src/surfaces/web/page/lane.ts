/** The list of entries: a lane for each session, a sign for each kind of entry. */

import type { App } from './app.ts';
import type { Group, State } from './contract.ts';
import type { Kind } from './story.ts';

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

  readonly #app: App;
  readonly #list: HTMLElement;
  /** By commit. */
  readonly #rows = new Map<string, { row: HTMLElement; drawnOf: string }>();
  /** The commit that is chosen. */
  #chosen: string | null = null;

  constructor(app: App) {
    this.#app = app;
    this.#list = app.dom.get('list');
  }

  render(
    state: State,
    previous: State | null,
    shown: readonly number[],
    before: readonly number[] | null,
  ): void {
    if (shown !== before) this.#drawInPlace(shown, previous !== null);
    const isOther = this.#commitOf(state.chosen) !== this.#chosen;
    this.#chosen = this.#commitOf(state.chosen);
    if (shown !== before || state.chosen !== previous?.chosen) this.#choose(state.chosen, isOther);
  }

  #commitOf(index: number | null): string | null {
    return index === null ? null : this.#app.story.entries[index]!.commit;
  }

  focus(): void {
    this.#list.focus();
  }

  /** The list from its beginning on where that is seen, unless `stays`: then the rows that are seen stay where they are. */
  #drawInPlace(shown: readonly number[], stays: boolean): void {
    const list = this.#list;
    const top = list.getBoundingClientRect().top;
    const rows = stays ? [...list.querySelectorAll<HTMLElement>('.row')] : [];
    const row =
      list.scrollTop > 0 ? rows.find(one => one.getBoundingClientRect().bottom > top + 24) : undefined;
    const [commit, at] = [row?.dataset.commit, row?.getBoundingClientRect().top];
    this.#draw(shown);
    if (commit === undefined || at === undefined) return;
    const keep = (): void => {
      const same = list.querySelector(`.row[data-commit="${commit}"]`);
      if (same) list.scrollTop += same.getBoundingClientRect().top - at;
    };
    keep();
    // Rows out of sight have a height that is guessed until they are drawn.
    requestAnimationFrame(() => {
      keep();
      requestAnimationFrame(keep);
    });
  }

  #draw(shown: readonly number[]): void {
    const { dom, words, story } = this.#app;
    const reach = this.#reach(shown);
    const columns = 1 + Math.max(0, ...[...reach.values()].map(({ column }) => column));
    this.#list.style.setProperty('--columns', String(columns));
    let day = '';
    const items = shown.map((index, at) => {
      const today = words.day(story.entries[index]!.time);
      const isNew = today !== day;
      day = today;
      const heading = isNew && dom.el('li', { class: 'day', role: 'presentation' }, today);
      const looked = index === this.#app.boundary && this.#looked();
      return [heading, looked, this.#rowOf(index, at, reach)];
    });
    const empty = dom.el('li', { class: 'empty', role: 'presentation' }, this.#nothing());
    dom.patch(this.#list, shown.length === 0 ? [empty] : items.flat().filter(item => item !== false));
  }

  #looked(): HTMLElement {
    const { dom } = this.#app;
    return dom.el('li', { class: 'looked', role: 'presentation' }, '↑ since you last looked');
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
  #rowOf(index: number, at: number, reach: ReadonlyMap<Group, Track>): HTMLElement {
    const { commit, undone, landed } = this.#app.story.entries[index]!;
    const { tint, name } = this.#app.story.groupOf(index);
    const { column } = reach.get(this.#app.story.groupOf(index))!;
    const tracks = this.#tracksAt(at, reach).map(([one, track]) => [
      one.tint,
      track.column,
      at === track.first,
      at === track.last,
    ]);
    const drawnOf = JSON.stringify([undone, landed, tint, name, column, tracks]);
    const known = this.#rows.get(commit);
    const row = known?.drawnOf === drawnOf ? known.row : this.#row(index, at, reach);
    if (row !== known?.row) this.#rows.set(commit, { row, drawnOf });
    row.id = `entry-${index}`;
    return row;
  }

  /** The lines that pass a row. */
  #tracksAt(at: number, reach: ReadonlyMap<Group, Track>): Array<[Group, Track]> {
    return [...reach].filter(([, { first, last }]) => first <= at && at <= last && first < last);
  }

  #row(index: number, at: number, reach: ReadonlyMap<Group, Track>): HTMLElement {
    const { dom, words, story } = this.#app;
    const { op, subject, reason, undone, landed, time, files, other_files: others } = story.entries[index]!;
    const group = story.groupOf(index);
    const why = (reason || (op === null ? subject : '')).split('\n')[0]!;
    const name = `row ${group.tint}${undone ? ' undone' : ''}${why === '' ? ' short' : ''}`;
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
        undone && dom.el('span', { class: 'badge' }, 'taken back'),
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
    const dot = this.#dot(story.kindOf(index), story.entries[index]!.undone);
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
    const related = new Set(chosen === null ? [] : this.#app.story.relationsOf(chosen).map(one => one.entry));
    for (const row of this.#list.querySelectorAll('.row')) {
      const index = Number(row.id.slice('entry-'.length));
      row.setAttribute('aria-selected', String(index === chosen));
      row.classList.toggle('related', related.has(index));
      if (index === chosen && isNew) row.scrollIntoView({ block: 'nearest' });
    }
    const present = chosen !== null && this.#list.querySelector(`#entry-${chosen}`);
    if (present) this.#list.setAttribute('aria-activedescendant', `entry-${chosen}`);
    else this.#list.removeAttribute('aria-activedescendant');
  }
}
