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
  /** The identical list as long as nothing in it is another. */
  items: readonly I[];
  make(item: I): VNode;
  /** The key of the item that has its element wherever the list is scrolled to; another one is brought into sight. */
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

export class VirtualList<I extends Item> extends Component<ListProps<I>> {
  readonly #list = createRef<HTMLElement>();
  #items: readonly I[] = [];
  /** Where each item begins, and the last ends. */
  #tops: number[] = [0];
  /** By kind. */
  readonly #heights = new Map<string, number>();
  /** Where the list is scrolled to. */
  #top = 0;
  #drawn = '';
  readonly #observer = new ResizeObserver(() => this.#resized());

  override componentDidMount(): void {
    const list = this.#list.current!;
    list.addEventListener('scroll', () => this.#scrolledTo(list.scrollTop), { passive: true });
    this.#observer.observe(list);
    this.#restore();
    this.#reveal();
  }

  override componentWillUnmount(): void {
    this.#observer.disconnect();
  }

  override componentDidUpdate(before: ListProps<I>): void {
    if (before.items !== this.props.items) this.#restore();
    if (before.held !== this.props.held) this.#reveal();
    this.#scroll();
  }

  #resized(): void {
    this.#restore();
    this.#scrolledTo(this.#top);
    this.#scroll();
  }

  override render({ items, make, frame }: ListProps<I>): VNode {
    if (this.#items !== items) this.#layOut(items);
    const wanted = this.#wanted();
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

  /** Gives each item its place. The first that is seen below the heading stays where it is on the screen. */
  #layOut(items: readonly I[]): void {
    const seen = this.#items.findIndex(
      (item, at) => this.#tops[at + 1]! > this.#top + MARGIN.above && !item.isHeading,
    );
    const [key, down] = [this.#items[seen]?.key, this.#top - (this.#tops[seen] ?? 0)];
    this.#items = items;
    this.#tops = [0];
    for (const { kind } of items)
      this.#tops.push(this.#tops.at(-1)! + (this.#heights.get(kind) ?? GUESS.item));
    const at = this.#top === 0 ? -1 : items.findIndex(item => item.key === key);
    if (at >= 0) this.#top = Math.max(0, this.#tops[at]! + down);
  }

  /** Lays the items out again where the elements show that a kind is of another height than was thought. */
  #restore(): void {
    const known = [...this.#heights].join();
    for (const element of this.#list.current?.querySelectorAll<HTMLElement>('[data-kind]') ?? []) {
      const { height } = element.getBoundingClientRect();
      if (height > 0) this.#heights.set(element.dataset.kind!, height);
    }
    if ([...this.#heights].join() === known) return;
    this.#layOut(this.props.items);
    this.setState({});
  }

  /** Scrolls as little as it takes for the held item to be seen. */
  #reveal(): void {
    const height = this.#list.current?.clientHeight ?? 0;
    const at = this.#heldAt();
    if (at < 0 || height === 0) return;
    const top = this.#tops[at]! - MARGIN.above;
    const bottom = this.#tops[at + 1]! + MARGIN.below;
    this.#scrolledTo(Math.max(0, Math.min(Math.max(this.#top, bottom - height), top)));
    this.#scroll();
  }

  #scroll(): void {
    const list = this.#list.current!;
    if (list.clientHeight > 0 && Math.abs(list.scrollTop - this.#top) > 1) list.scrollTop = this.#top;
  }

  #scrolledTo(top: number): void {
    this.#top = top;
    if (this.#wanted().join() !== this.#drawn) this.setState({});
  }

  #heldAt(): number {
    const { held } = this.props;
    return held === null ? -1 : this.#items.findIndex(({ key }) => key === held);
  }

  /** Returns the items to draw, by index: those that are seen or near, the held one, and the heading above. */
  #wanted(): number[] {
    const items = this.#items;
    if (items.length <= this.props.whole) return [...items.keys()];
    const height = this.#list.current?.clientHeight || GUESS.list;
    const itemAt = (place: number): number =>
      Math.max(
        0,
        Math.min(
          this.#tops.findLastIndex(top => top <= place),
          items.length - 1,
        ),
      );
    const [first, last] = [itemAt(this.#top - height), itemAt(this.#top + 2 * height)];
    const heading = items.findLastIndex((item, at) => at <= first && item.isHeading);
    const others = [heading, this.#heldAt()].filter(at => at >= 0 && (at < first || at > last));
    const window = Array.from({ length: last - first + 1 }, (_, n) => first + n);
    return [...others, ...window].sort((a, b) => a - b);
  }
}
