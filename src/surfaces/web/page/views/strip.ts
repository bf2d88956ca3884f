/** A bar for each entry, oldest first: up what it added, down what it removed. A click chooses the entry. */

import type { App } from '../app.ts';

export class Strip {
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  /** The keyboard has the list for the same, so the picture is for eyes and pointers alone. */
  render(): HTMLElement {
    const { dom, story, words } = this.#app;
    const { entries } = story;
    const view = { viewBox: `0 0 ${entries.length} 60`, preserveAspectRatio: 'none', 'aria-hidden': 'true' };
    const when = words.span(entries.at(-1)!.time, entries[0]!.time);
    const meaning = dom.el('span', { class: 'dim' }, ' · lines added and removed by each edit');
    const picture = dom.svg('svg', view, ...this.#bars());
    return dom.el('figure', { class: 'strip' }, picture, dom.el('figcaption', {}, when, meaning));
  }

  #bars(): SVGElement[] {
    const { story } = this.#app;
    const sums = story.entries.map((_, index) => story.sum([index]));
    const most = Math.max(1, ...sums.flatMap(({ added, removed }) => [added, removed]));
    const height = (lines: number): number => Math.max(1.5, 28 * Math.sqrt(lines / most));
    return sums.map(({ added, removed }, index) =>
      this.#bar(index, removed > 0 && added === 0 ? 0 : height(added), removed > 0 ? height(removed) : 0),
    );
  }

  #bar(index: number, up: number, down: number): SVGElement {
    const { dom, story, words } = this.#app;
    const { subject } = story.entries[index]!;
    const x = story.entries.length - 1 - index;
    const rect = (y: number, height: number, name: string): SVGElement =>
      dom.svg('rect', { x: x + 0.12, y, width: 0.76, height, class: name });
    const name = `bar ${story.groupOf(index).tint}${story.isBack(index) ? ' undone' : ''}`;
    return dom.svg(
      'g',
      { class: name, click: () => this.#app.choose(index) },
      dom.svg('title', {}, words.plain(subject)),
      dom.svg('rect', { x, y: 0, width: 1, height: 60, class: 'hit' }),
      rect(29.5 - up, up, 'up'),
      rect(30.5, down, 'down'),
    );
  }
}
