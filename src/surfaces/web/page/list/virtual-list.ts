/**
 * A long list of which the elements are made that are seen, and some beside them; room is kept for the others. A short one is
 * whole. What is held, as the chosen item is, has its element wherever the list is scrolled to.
 */

import type { Dom } from '../elements/dom.ts';

/** One item: those of a kind are equally high. A heading stays in sight until the next one comes. */
export interface Item {
  key: string;
  kind: string;
  isHeading?: boolean;
  make(): HTMLElement;
}

export class VirtualList {
  /** Up to so many items are all there, so that the browser finds words in them. */
  readonly #whole = 500;
  /** Above the items lies a heading; below, the next one begins. */
  readonly #margin = { above: 32, below: 8 };
  /** CSS pixels of a kind that was never seen. */
  readonly #guess = 60;

  readonly #dom: Dom;
  readonly #list: HTMLElement;
  readonly #onDrawn: () => void;
  #items: readonly Item[] = [];
  #at = new Map<string, number>();
  /** Where each item begins, and the last ends. */
  #tops: number[] = [0];
  readonly #heights = new Map<string, number>();
  #held: string | null = null;
  #drawn = '';

  /** `onDrawn` is called when other elements are there. */
  constructor(dom: Dom, list: HTMLElement, onDrawn: () => void) {
    this.#dom = dom;
    this.#list = list;
    this.#onDrawn = onDrawn;
    list.addEventListener('scroll', () => this.#draw(), { passive: true });
    new ResizeObserver(() => this.#resized()).observe(list);
  }

  /** Shows these. Where the list is scrolled, what is seen stays where it is; with `stays` false it begins anew. */
  show(items: readonly Item[], stays: boolean): void {
    const anchor = stays && this.#list.scrollTop > 0 ? this.#anchor() : null;
    this.#items = items;
    this.#at = new Map(items.map(({ key }, at) => [key, at]));
    this.#lay();
    this.#drawn = '';
    this.#scrollTo(this.#offsetOf(anchor) ?? (stays ? this.#list.scrollTop : 0));
    // Kinds that are seen for the first time have a height now.
    if (this.#measure()) this.#scrollTo(this.#offsetOf(anchor) ?? this.#list.scrollTop);
  }

  /** The element of this item is there from now on, until another is held. */
  hold(key: string | null): void {
    if (this.#held === key) return;
    this.#held = key;
    this.#draw();
  }

  /** Scrolls as little as it takes for this item to be seen. */
  reveal(key: string): void {
    const at = this.#at.get(key);
    const { clientHeight, scrollTop } = this.#list;
    if (at === undefined || clientHeight === 0) return;
    const top = this.#tops[at]! - this.#margin.above;
    const bottom = this.#tops[at + 1]! + this.#margin.below;
    if (top < scrollTop) this.#scrollTo(top);
    else if (bottom > scrollTop + clientHeight) this.#scrollTo(bottom - clientHeight);
  }

  /** The first item that is seen below the heading, and how far down. */
  #anchor(): { key: string; down: number } | null {
    const { scrollTop } = this.#list;
    const first = this.#itemAt(scrollTop + this.#margin.above);
    const at = this.#items.findIndex((item, index) => index >= first && !item.isHeading);
    return at < 0 ? null : { key: this.#items[at]!.key, down: this.#tops[at]! - scrollTop };
  }

  #offsetOf(anchor: { key: string; down: number } | null): number | null {
    const at = anchor && this.#at.get(anchor.key);
    return at === null || at === undefined ? null : this.#tops[at]! - anchor!.down;
  }

  #scrollTo(top: number): void {
    this.#draw(Math.max(0, top));
    this.#list.scrollTop = top;
    this.#draw();
  }

  #lay(): void {
    let top = 0;
    this.#tops = [0];
    for (const { kind } of this.#items) {
      top += this.#heights.get(kind) ?? this.#guess;
      this.#tops.push(top);
    }
  }

  /** True where the elements show that a kind is of another height than was thought. */
  #measure(): boolean {
    const known = [...this.#heights].join();
    for (const element of this.#list.querySelectorAll<HTMLElement>('[data-kind]')) {
      const { height } = element.getBoundingClientRect();
      if (height > 0) this.#heights.set(element.dataset.kind!, height);
    }
    if ([...this.#heights].join() === known) return false;
    this.#lay();
    this.#drawn = '';
    return true;
  }

  /** The window or the size of the letters is another one. */
  #resized(): void {
    const anchor = this.#anchor();
    if (this.#measure() && this.#list.scrollTop > 0)
      this.#scrollTo(this.#offsetOf(anchor) ?? this.#list.scrollTop);
    else this.#draw();
  }

  /** The item that holds this place: the last one that begins at it or above. */
  #itemAt(place: number): number {
    let [low, high] = [0, Math.max(0, this.#items.length - 1)];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#tops[middle]! <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** What is to be there when the list is scrolled to `top`, in their order. */
  #wanted(top: number): number[] {
    const { length } = this.#items;
    if (length <= this.#whole) return [...this.#items.keys()];
    const height = this.#list.clientHeight || 800;
    const [first, last] = [this.#itemAt(top - height), this.#itemAt(top + 2 * height)];
    const wanted = new Set<number>();
    const held = this.#held === null ? undefined : this.#at.get(this.#held);
    if (held !== undefined) wanted.add(held);
    for (let at = first; at >= 0; at--) {
      if (!this.#items[at]!.isHeading) continue;
      wanted.add(at);
      break;
    }
    for (let at = first; at <= last; at++) wanted.add(at);
    return [...wanted].sort((a, b) => a - b);
  }

  #draw(top = this.#list.scrollTop): void {
    const wanted = this.#wanted(top);
    const drawn = wanted.join();
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const nodes: HTMLElement[] = [];
    let end = 0;
    for (const at of wanted) {
      if (this.#tops[at]! > end) nodes.push(this.#room(this.#tops[at]! - end));
      const node = this.#items[at]!.make();
      node.dataset.kind = this.#items[at]!.kind;
      nodes.push(node);
      end = this.#tops[at + 1]!;
    }
    if (this.#tops.at(-1)! > end) nodes.push(this.#room(this.#tops.at(-1)! - end));
    this.#put(nodes);
    this.#onDrawn();
  }

  #room(height: number): HTMLElement {
    const room = this.#dom.el('li', { class: 'room', role: 'presentation' });
    room.style.height = `${height}px`;
    return room;
  }

  /** Elements that stay are not moved. */
  #put(nodes: readonly HTMLElement[]): void {
    const list = this.#list;
    const wanted = new Set<Node>(nodes);
    for (const node of [...list.childNodes]) if (!wanted.has(node)) node.remove();
    for (const [at, node] of nodes.entries()) {
      const present = list.childNodes[at];
      if (present !== node) list.insertBefore(node, present ?? null);
    }
  }
}
