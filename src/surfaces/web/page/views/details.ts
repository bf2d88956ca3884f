/** The chosen entry above its diff: what, why, who, when, and what it has to do with others. */

import type { TimelineEntry } from '../../../../workspace/queries/timeline/timeline.ts';
import type { App } from '../app.ts';
import type { State } from '../contract.ts';

export class Details {
  readonly #app: App;
  readonly #place: HTMLElement;

  constructor(app: App) {
    this.#app = app;
    this.#place = app.dom.get('details');
  }

  render({ view, chosen, file, step }: State): void {
    this.#place.hidden = view === 'overview' || view === 'review' || chosen === null;
    if (this.#place.hidden || chosen === null) return;
    const isBefore = view !== 'changes' && file !== null && step === 0;
    this.#app.dom.patch(this.#place, isBefore ? this.#beforeAll(file) : this.#entry(chosen));
  }

  #beforeAll(file: number): Node[] {
    const { dom, story, words } = this.#app;
    const { name } = story.files[file]!;
    return [
      dom.el(
        'h2',
        {},
        words.path(name),
        dom.el('span', { class: 'dim' }, ' before the first edit in this page'),
      ),
    ];
  }

  #entry(index: number): Node[] {
    const { dom, story, words } = this.#app;
    const entry = story.entries[index]!;
    const what = entry.op === null ? words.visible(entry.subject) : this.#what(entry);
    const became = entry.became !== '' && dom.el('span', { class: 'badge' }, ...words.visible(entry.became));
    const heading = dom.el(
      'h2',
      { class: story.isBack(index) ? 'undone' : '' },
      ...what,
      ' ',
      words.stat(story.sum([index])),
      became,
    );
    const reason = entry.reason !== '' && dom.el('p', { class: 'reason' }, ...this.#paragraph(entry.reason));
    const links = this.#relations(index);
    return [heading, reason, this.#facts(index, entry), links].filter(node => node !== false);
  }

  #what({ op, files, subject }: TimelineEntry): Node[] {
    const { dom, words } = this.#app;
    const name = dom.el('span', { class: 'op' }, ...words.visible(op!));
    if (files.length === 1) return [name, new Text(' '), words.path(files[0]!.path)];
    return files.length === 0
      ? words.visible(subject)
      : [name, new Text(` ${words.count(files.length, 'file')}`)];
  }

  /** Line ends of a reason are its own; anything else that hides is shown. */
  #paragraph(text: string): Node[] {
    const { dom, words } = this.#app;
    return text
      .split('\n')
      .flatMap((line, at) => [...(at > 0 ? [dom.el('br')] : []), ...words.visible(line)]);
  }

  #facts(index: number, entry: TimelineEntry): HTMLElement {
    const { dom, story, words } = this.#app;
    const group = story.groupOf(index);
    const { agent, session, model, time, commit, base } = entry;
    const landed = entry.status.landed_in;
    const id = (text: string): Node[] => words.copyable(text);
    const facts: Array<[string, Node[] | null]> = [
      [
        group.session === null ? 'From' : 'Agent',
        [dom.el('span', { class: 'swatch' }), ...words.visible(group.name)],
      ],
      ['Model', model === null ? null : words.visible(model)],
      ['Session', session === null || group.name === `session ${session}` ? null : words.visible(session)],
      ['When', [words.moment(time)]],
      ['Commit', id(commit.slice(0, 12))],
      ['Landed', landed === null ? null : id(landed.slice(0, 12))],
      ['Base', base === null ? null : id(base.slice(0, 12))],
      ['Take it out', this.#canRevert(index) ? id(`vedit revert ${commit.slice(0, 12)}`) : null],
    ];
    const parts = facts.flatMap(([name, value]) =>
      value === null || (name === 'Agent' && agent === null && session === null)
        ? []
        : [dom.el('div', {}, dom.el('dt', {}, name), dom.el('dd', {}, ...value))],
    );
    return dom.el('dl', { class: `facts ${group.tint}` }, ...parts);
  }

  #canRevert(index: number): boolean {
    return this.#app.story.isEdit(index) && !this.#app.story.isBack(index);
  }

  #relations(index: number): HTMLElement | false {
    const { dom, story, words } = this.#app;
    const links = story.relationsOf(index).map(({ words: how, entry }) => {
      const { commit } = story.entries[entry]!;
      const show = { type: 'button', class: 'link', click: () => this.#app.chooseCommit(commit) };
      return dom.el(
        'li',
        {},
        `${how} `,
        dom.el('button', show, ...words.visible(story.entries[entry]!.subject)),
      );
    });
    return links.length > 0 && dom.el('ul', { class: 'relations' }, ...links);
  }
}
