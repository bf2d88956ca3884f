/** What happened, at a glance: a sentence, how much each edit changed, who did how much, and where. */

import type { App } from '../app.ts';
import type { Group, Parts } from '../contract.ts';
import type { FileStory } from '../model/file-story.ts';
import type { Strip } from './strip.ts';

export class Overview {
  /** How many files the table names; all of them are in the list's filter. */
  readonly #mostFiles = 200;

  readonly #app: App;
  readonly #strip: Strip;

  constructor(app: App, { Strip }: Pick<Parts, 'Strip'>) {
    this.#app = app;
    this.#strip = new Strip(app);
  }

  render(): Node[] {
    const { dom, story } = this.#app;
    if (story.entries.length === 0) {
      return [dom.el('p', { class: 'lead' }, 'Nothing was edited yet. The first edit will be here.')];
    }
    return [
      dom.el('h2', { class: 'lead' }, this.#sentence()),
      this.#strip.render(),
      dom.el('h3', {}, 'Who'),
      dom.el('ul', { class: 'cards' }, ...story.groups.map(group => this.#card(group))),
      dom.el('h3', {}, 'Where'),
      ...this.#files(),
    ];
  }

  /** `12 edits of 3 files by 2 sessions; 1 was taken back, 1 change came from outside.` */
  #sentence(): string {
    const { story, words } = this.#app;
    const sessions = story.groups.filter(group => group.session !== null).length;
    const all = [...story.entries.keys()];
    const undone = all.filter(index => story.isBack(index)).length;
    const landed = all.filter(
      index => story.isEdit(index) && story.entries[index]!.status.landed_in !== null,
    ).length;
    const outside = all.filter(index => ['outside', 'commit', 'sync'].includes(story.kindOf(index))).length;
    const rest = [
      undone > 0 && `${words.number(undone)} ${undone === 1 ? 'was' : 'were'} taken back`,
      landed > 0 && `${words.number(landed)} ${landed === 1 ? 'has' : 'have'} landed on a branch`,
      outside > 0 && `${words.count(outside, 'change')} came from outside`,
    ].filter(part => part !== false);
    const edits = words.count(all.filter(index => story.isEdit(index)).length, 'edit');
    const by = sessions > 0 ? ` by ${words.count(sessions, 'session')}` : '';
    const start = `${edits} of ${words.count(story.files.length, 'file')}${by}`;
    return rest.length > 0 ? `${start}; ${rest.join(', ')}.` : `${start}.`;
  }

  #card(group: Group): HTMLElement {
    const { dom, story, words } = this.#app;
    const undone = group.entries.filter(index => story.isBack(index)).length;
    const edits = group.entries.filter(index => story.isEdit(index)).length;
    const about = [group.session !== null && `session ${group.session}`, group.model]
      .filter(Boolean)
      .join(', ');
    const onlyGroup = story.groups.indexOf(group);
    const name = `card ${group.tint}`;
    const button = dom.el(
      'button',
      { type: 'button', class: name, click: () => this.#app.narrow({ onlyGroup }) },
      dom.el('strong', {}, dom.el('span', { class: 'swatch' }), ...words.visible(group.name)),
      about !== '' && dom.el('span', { class: 'dim' }, ...words.visible(about)),
      dom.el(
        'span',
        {},
        group.session === null ? words.count(group.entries.length, 'change') : words.count(edits, 'edit'),
        undone > 0 && `, ${words.number(undone)} taken back`,
        ' ',
        words.stat(story.sum(group.entries)),
      ),
    );
    return dom.el('li', {}, button);
  }

  /** The most edited first. */
  #files(): HTMLElement[] {
    const { dom, story, words } = this.#app;
    const order = story.files.map((file, index) => ({ file, index }));
    order.sort((a, b) => b.file.steps.length - a.file.steps.length);
    const shown = order.slice(0, this.#mostFiles).map(({ file, index }) => this.#fileRow(file, index));
    const heads = ['File', 'Changes', 'Lines', 'Replay'].map((head, at) =>
      dom.el('th', { scope: 'col', class: at === 0 ? '' : at === 3 ? 'unseen' : 'right' }, head),
    );
    const table = dom.el('table', { class: 'files' }, dom.el('thead', {}, dom.el('tr', {}, ...heads)));
    table.append(dom.el('tbody', {}, ...shown));
    const left = order.length - shown.length;
    return left === 0
      ? [table]
      : [table, dom.el('p', { class: 'dim' }, `and ${words.count(left, 'more file')}`)];
  }

  #fileRow(file: FileStory, index: number): HTMLElement {
    const { dom, words } = this.#app;
    const sum = (of: 'added' | 'removed'): number =>
      file.steps.reduce((all, { change }) => all + change[of], 0);
    const title = words.plain(file.name);
    const narrow = {
      type: 'button',
      class: 'link',
      title,
      click: () => this.#app.narrow({ onlyFile: index }),
    };
    const label = `Replay ${words.plain(file.name)}`;
    const replay = { type: 'button', 'aria-label': label, click: () => this.#app.replay(index) };
    return dom.el(
      'tr',
      {},
      dom.el('th', { scope: 'row' }, dom.el('button', narrow, words.path(file.name)), this.#beads(file)),
      dom.el('td', { class: 'right' }, words.number(file.steps.length)),
      dom.el('td', { class: 'right' }, words.stat({ added: sum('added'), removed: sum('removed') })),
      dom.el('td', { class: 'right' }, dom.el('button', replay, 'Replay')),
    );
  }

  /** Who edited it, edit by edit. */
  #beads(file: FileStory): HTMLElement {
    const { dom, story } = this.#app;
    const beads = file.steps.slice(-24).map(({ entry }) => {
      const name = `bead ${story.groupOf(entry).tint}${story.isBack(entry) ? ' hollow' : ''}`;
      return dom.el('span', { class: name });
    });
    return dom.el('span', { class: 'beads', 'aria-hidden': 'true' }, ...beads);
  }
}
