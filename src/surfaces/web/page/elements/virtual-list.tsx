/**
 * A long list of which the elements are made that are seen, and some beside them; room is kept for the others. A short one is
 * whole. What is held, as the chosen item is, has its element wherever the list is scrolled to.
 */

import { Component, type ComponentChildren, createRef, type VNode } from 'preact';

/** One item: those of a kind are equally high. A heading stays in sight until the next one comes. */
export interface Item {
  key: string;
  kind: string;
  isHeading?: boolean;
}

export interface ListProps<I extends Item> {
  /** It is the identical list as long as nothing in it is another. */
  items: readonly I[];
  make(item: I): VNode;
  /** The item that has its element wherever the list is scrolled to; another one is brought into sight. */
  held: string | null;
  /** Up to so many items are all there, so that the browser finds words in them. */
  whole: number;
  /** Draws the list around its items, with the reference of the element that scrolls. */
  frame(children: ComponentChildren, list: { current: HTMLElement | null }): VNode;
}

/** Above the items lies a heading; below, the next one begins. */
const MARGIN = { above: 32, below: 8 };
/** CSS pixels of a kind that was never seen, and of a list that is not there yet. */
const GUESS = { item: 60, list: 800 };

interface Anchor {
  key: string;
  down: number;
}

export class VirtualList<I extends Item> extends Component<ListProps<I>> {
  readonly #list = createRef<HTMLElement>();
  #laid: readonly Item[] = [];
  #at = new Map<string, number>();
  /** Where each item begins, and the last ends. */
  #tops: number[] = [0];
  readonly #heights = new Map<string, number>();
  /** Where the list is scrolled to, and what was seen before its items became others. */
  #top = 0;
  #kept: Anchor | null = null;
  #drawn = '';
  readonly #observer = new ResizeObserver(() => this.#settle(this.#anchor(this.props.items)));

  override componentDidMount(): void {
    const list = this.#list.current!;
    list.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    this.#observer.observe(list);
    this.#settle(null);
    this.#reveal();
  }

  override componentWillUnmount(): void {
    this.#observer.disconnect();
  }

  /** Keeps what is seen where it is, whatever came above it. */
  override componentDidUpdate(before: ListProps<I>): void {
    if (before.items !== this.props.items) this.#settle(this.#kept);
    if (before.held !== this.props.held) this.#reveal();
    const list = this.#list.current!;
    if (list.clientHeight > 0 && Math.abs(list.scrollTop - this.#top) > 1) list.scrollTop = this.#top;
  }

  override render({ items, make, frame }: ListProps<I>): VNode {
    if (this.#laid !== items) {
      this.#kept = this.#laid.length > 0 && this.#top > 0 ? this.#anchor(this.#laid) : null;
      this.#lay(items);
      this.#top = this.#offsetOf(this.#kept) ?? this.#top;
    }
    const wanted = this.#wanted(items);
    this.#drawn = wanted.join();
    const nodes: VNode[] = [];
    let end = 0;
    const room = (to: number): void => {
      const style = { height: `${to - end}px` };
      if (to > end)
        nodes.push(<li key={`room-${nodes.length}`} class="room" role="presentation" style={style} />);
    };
    for (const at of wanted) {
      room(this.#tops[at]!);
      nodes.push(make(items[at]!));
      end = this.#tops[at + 1]!;
    }
    room(this.#tops.at(-1)!);
    return frame(nodes, this.#list);
  }

  #lay(items: readonly Item[]): void {
    this.#laid = items;
    this.#at = new Map(items.map(({ key }, at) => [key, at]));
    let top = 0;
    this.#tops = [0];
    for (const { kind } of items) {
      top += this.#heights.get(kind) ?? GUESS.item;
      this.#tops.push(top);
    }
  }

  #scrolled(): void {
    this.#top = this.#list.current?.scrollTop ?? 0;
    if (this.#wanted(this.props.items).join() !== this.#drawn) this.setState({});
  }

  /** Puts what is seen back to its place once kinds that are seen for the first time have a height. */
  #settle(anchor: Anchor | null): void {
    const list = this.#list.current;
    if (!list) return;
    if (this.#measure(list)) {
      this.#lay(this.props.items);
      this.setState({});
    }
    if (list.scrollTop === 0 && anchor === null) return;
    this.#scrollTo(this.#offsetOf(anchor) ?? list.scrollTop);
  }

  /** Scrolls as little as it takes for the held item to be seen. */
  #reveal(): void {
    const list = this.#list.current;
    const at = this.#at.get(this.props.held ?? '');
    if (!list || at === undefined || list.clientHeight === 0) return;
    const top = this.#tops[at]! - MARGIN.above;
    const bottom = this.#tops[at + 1]! + MARGIN.below;
    if (top < this.#top) this.#scrollTo(top);
    else if (bottom > this.#top + list.clientHeight) this.#scrollTo(bottom - list.clientHeight);
  }

  #scrollTo(top: number): void {
    this.#top = Math.max(0, top);
    this.#list.current!.scrollTop = this.#top;
    if (this.#wanted(this.props.items).join() !== this.#drawn) this.setState({});
  }

  /** The first item that is seen below the heading, and how far down. */
  #anchor(items: readonly Item[]): Anchor | null {
    const first = this.#itemAt(this.#top + MARGIN.above);
    const at = items.findIndex((item, index) => index >= first && !item.isHeading);
    return at < 0 || this.#top === 0 ? null : { key: items[at]!.key, down: this.#tops[at]! - this.#top };
  }

  #offsetOf(anchor: Anchor | null): number | null {
    const at = anchor && this.#at.get(anchor.key);
    return at === null || at === undefined ? null : Math.max(0, this.#tops[at]! - anchor!.down);
  }

  /** Tells whether the elements show that a kind is of another height than was thought. */
  #measure(list: HTMLElement): boolean {
    const known = [...this.#heights].join();
    for (const element of list.querySelectorAll<HTMLElement>('[data-kind]')) {
      const { height } = element.getBoundingClientRect();
      if (height > 0) this.#heights.set(element.dataset.kind!, height);
    }
    return [...this.#heights].join() !== known;
  }

  /** The item that holds this place: the last one that begins at it or above. */
  #itemAt(place: number): number {
    let [low, high] = [0, Math.max(0, this.#tops.length - 2)];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#tops[middle]! <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #wanted(items: readonly Item[]): number[] {
    if (items.length <= this.props.whole) return [...items.keys()];
    const height = this.#list.current?.clientHeight || GUESS.list;
    const [first, last] = [this.#itemAt(this.#top - height), this.#itemAt(this.#top + 2 * height)];
    const wanted = new Set<number>();
    const held = this.#at.get(this.props.held ?? '');
    if (held !== undefined) wanted.add(held);
    const heading = items.findLastIndex((item, at) => at <= first && item.isHeading);
    if (heading >= 0) wanted.add(heading);
    for (let at = first; at <= last; at++) wanted.add(at);
    return [...wanted].sort((a, b) => a - b);
  }
}
