/** Lines of code and diffs as elements, as many at once as a browser draws without a pause. */

import type { Row } from '../contract.ts';
import type { Dom } from './dom.ts';
import type { Words } from './words.ts';

export class Code {
  /** How many lines are drawn at once; the others wait behind a button. */
  readonly #most = 2000;

  readonly #dom: Dom;
  readonly #words: Words;

  constructor(dom: Dom, words: Words) {
    this.#dom = dom;
    this.#words = words;
  }

  /** A block of rows that can be scrolled sideways, by keyboard too. */
  block(label: string, rows: readonly Row[]): HTMLElement {
    const block = this.empty(label);
    const isDiff = rows.some(row => row.sign !== ' ');
    const has = (side: 'old' | 'now'): boolean => rows.some(row => row.folded || row[side] !== null);
    block.classList.toggle('no-old', !isDiff || !has('old'));
    block.classList.toggle('no-new', !has('now'));
    this.#append(block, rows, this.#hasOneLineEnd(rows));
    return block;
  }

  empty(label: string): HTMLElement {
    const region = { class: 'code', role: 'region', tabindex: 0, 'aria-label': this.#words.plain(label) };
    return this.#dom.el('div', region);
  }

  /** One line, with `beside` in the place of its old number. */
  line(row: Row, hideReturn: boolean, beside: Node = this.#number(row.old)): HTMLElement {
    const { sign } = row;
    const [tag, name] =
      sign === '+'
        ? (['ins', 'line plus-line'] as const)
        : sign === '-'
          ? (['del', 'line minus-line'] as const)
          : (['div', 'line'] as const);
    return this.#dom.el(
      tag,
      { class: name },
      beside,
      this.#number(row.now),
      this.#dom.el('span', { class: 'sign' }, sign === '-' ? '−' : sign),
      this.#dom.el('span', { class: 'text' }, ...this.#text(row, hideReturn)),
    );
  }

  /** Appends in portions; `make` gives the element of an item. */
  portions<Item>(
    block: HTMLElement,
    items: readonly Item[],
    make: (item: Item, index: number) => Node,
  ): void {
    let at = 0;
    const more = (): void => {
      const next = items.slice(at, at + this.#most).map((item, n) => make(item, at + n));
      block.append(...next);
      at += next.length;
      if (at < items.length) block.append(this.#moreButton(items.length - at, more));
    };
    more();
  }

  #append(block: HTMLElement, rows: readonly Row[], hideReturn: boolean): void {
    this.portions(block, rows, row =>
      row.folded ? this.#foldedLine(row.folded, hideReturn) : this.line(row, hideReturn),
    );
  }

  #moreButton(left: number, more: () => void): HTMLElement {
    const words = `Show more: ${this.#words.count(left, 'line')} left`;
    const button = this.#dom.el('button', { type: 'button', class: 'more' }, words);
    button.addEventListener('click', () => {
      button.remove();
      more();
    });
    return button;
  }

  #foldedLine(rows: readonly Row[], hideReturn: boolean): HTMLElement {
    const words = `⋯ ${this.#words.count(rows.length, 'unchanged line')}`;
    const button = this.#dom.el('button', { type: 'button', class: 'more' }, words);
    button.addEventListener('click', () => {
      const shown = this.#dom.el('div');
      this.#append(shown, rows, hideReturn);
      button.replaceWith(shown);
    });
    return button;
  }

  /** Numbers are drawn by the style, so that copied text has none. */
  #number(number: number | null): HTMLElement {
    return this.#dom.el('span', { class: 'number', 'data-number': number ?? '' });
  }

  /** True when every line that is ended is ended by CR LF: then CRs say nothing. */
  #hasOneLineEnd(rows: readonly Row[]): boolean {
    return rows
      .flatMap(row => row.folded ?? [row])
      .every(row => !row.text.endsWith('\n') || row.text.endsWith('\r\n'));
  }

  #text(row: Row, hideReturn: boolean): Node[] {
    const ended = row.text.endsWith('\n');
    const end = row.text.length - (ended ? (hideReturn && row.text.endsWith('\r\n') ? 2 : 1) : 0);
    const from = Math.min(row.from ?? end, end);
    const to = Math.min(row.to ?? end, end);
    const nodes = this.#words.visible(row.text.slice(0, from));
    if (to > from) {
      nodes.push(this.#dom.el('mark', {}, ...this.#words.visible(row.text.slice(from, to))));
    }
    nodes.push(...this.#words.visible(row.text.slice(to, end)));
    if (!ended) nodes.push(this.#dom.el('span', { class: 'note' }, ' no line end at the end of the file'));
    return nodes;
  }
}
