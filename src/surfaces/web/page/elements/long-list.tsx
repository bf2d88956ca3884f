/**
 * A long list of which the elements are made that are seen, and some beside them; room is kept for the others. A short one is
 * whole. What is read stays where it is on the screen while items come, grow and go.
 */

import { Component, type ComponentChildren, createRef, type VNode } from 'preact';

/** One item. Those of a kind are equally high, but for those with a `guess`. A heading stays in sight until the next one comes. */
export interface Item {
  key: string;
  kind: string;
  isHeading?: boolean;
  /** CSS pixels of an item that is as high as what is in it, as far as that can be told before it is drawn. */
  guess?: number;
}

export interface ListProps<I extends Item> {
  /** The identical list as long as nothing in it is another. */
  items: readonly I[];
  /** Draws an item; its element has the attributes `data-kind`, and with a guess `data-key`. */
  make(item: I): VNode;
  /** The key of the item that has its element wherever the list is scrolled to. */
  held: string | null;
  /** Grows where the held item is to be brought into sight, and stays there while the layout settles. */
  aim: unknown;
  /** Up to so many items are all there, so that the browser finds words in them. */
  whole: number;
  /** True where the held item, or the one under the pointer, stays where it is even at the top of the list. */
  isRead?: boolean;
  /** The name of elements that keep room. */
  room?: 'li' | 'div';
  /** Told which items are drawn, as indexes. */
  drawn?(first: number, last: number): void;
  /** Draws the list around its items, with the reference of the element that scrolls. */
  frame(children: ComponentChildren, list: { current: HTMLElement | null }): VNode;
}

/** Above the items lies a heading; below, the next one begins. */
const MARGIN = { above: 32, below: 8 };
/** CSS pixels of a kind that was never seen, and of a list that is not there yet. */
const GUESS = { item: 60, list: 800 };

/** An item that stays where it is: its key, and how far below the upper edge it begins. */
interface Anchor {
  key: string;
  down: number;
}

export class LongList<I extends Item> extends Component<ListProps<I>> {
  readonly #list = createRef<HTMLElement>();
  #items: readonly I[] = [];
  #indexes: ReadonlyMap<string, number> = new Map();
  /** Where each item begins, and the last ends. */
  #tops: number[] = [0];
  /** By kind; and of items with a guess, by key. */
  readonly #heights = new Map<string, number>();
  readonly #own = new Map<string, number>();
  /** Where the list is scrolled to, and where it was scrolled to by this class: else the reader did. */
  #top = 0;
  #written = 0;
  /** True until what is aimed at has settled, or the reader scrolls. */
  #isAiming = true;
  #drawn = '';
  readonly #observer = new ResizeObserver(() => this.#resized());

  override componentDidMount(): void {
    const list = this.#list.current!;
    list.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    this.#observer.observe(list);
    this.#settle();
  }

  override componentWillUnmount(): void {
    this.#observer.disconnect();
  }

  override componentDidUpdate(before: ListProps<I>): void {
    if (before.aim !== this.props.aim) this.#isAiming = true;
    this.#settle();
  }

  #resized(): void {
    this.#settle();
    this.#scrolled();
  }

  /** Takes over where the reader has scrolled to. */
  #follow(): void {
    const top = this.#list.current?.scrollTop ?? this.#written;
    if (Math.abs(top - this.#written) <= 1) return;
    this.#isAiming = false;
    this.#top = top;
    this.#written = top;
  }

  override render({ items, make, frame, room: Room = 'li' }: ListProps<I>): VNode {
    this.#follow();
    if (this.#items !== items) this.#layOut(items);
    const wanted = this.#wanted();
    this.#drawn = wanted.join();
    const nodes: VNode[] = [];
    let end = 0;
    const room = (to: number): void => {
      const style = { height: `${to - end}px` };
      if (to > end)
        nodes.push(<Room key={`room-${nodes.length}`} class="room" role="presentation" style={style} />);
    };
    for (const at of wanted) {
      room(this.#tops[at]!);
      nodes.push(make(items[at]!));
      end = this.#tops[at + 1]!;
    }
    room(this.#tops.at(-1)!);
    return frame(nodes, this.#list);
  }

  /** Gives each item its place. What is read stays where it is on the screen. */
  #layOut(items: readonly I[]): void {
    const anchor = this.#anchor();
    this.#items = items;
    this.#indexes = new Map(items.map(({ key }, at) => [key, at]));
    let end = 0;
    this.#tops = [0];
    for (const item of items) this.#tops.push((end += this.#heightOf(item)));
    const at = anchor && this.#indexes.get(anchor.key);
    if (at != null) this.#top = Math.max(0, this.#tops[at]! - anchor!.down);
  }

  #heightOf({ key, kind, guess }: Item): number {
    return guess === undefined ? (this.#heights.get(kind) ?? GUESS.item) : (this.#own.get(key) ?? guess);
  }

  /** Returns what stays where it is: what is under the pointer, the held item where it is seen, or the first that is seen. */
  #anchor(): Anchor | null {
    const { held, isRead } = this.props;
    const anchorAt = (at: number | undefined): Anchor | null =>
      at === undefined ? null : { key: this.#items[at]!.key, down: this.#tops[at]! - this.#top };
    const bottom = this.#top + (this.#list.current?.clientHeight ?? 0);
    const isSeen = (at: number | undefined): at is number =>
      at !== undefined && this.#tops[at]! < bottom && this.#tops[at + 1]! > this.#top;
    const hovered = this.#list.current?.querySelector<HTMLElement>('[data-key]:hover')?.dataset.key ?? '';
    for (const key of isRead ? [hovered, held ?? ''] : [])
      if (isSeen(this.#indexes.get(key))) return anchorAt(this.#indexes.get(key));
    if (this.#top === 0) return null;
    const first = this.#items.findIndex(
      (item, at) => this.#tops[at + 1]! > this.#top + MARGIN.above && !item.isHeading,
    );
    return anchorAt(first < 0 ? undefined : first);
  }

  /** Lays the items out again where the elements show that one is of another height than was thought, and scrolls. */
  #settle(): void {
    this.#follow();
    let isOther = false;
    const known = [...this.#heights].join();
    for (const element of this.#list.current?.querySelectorAll<HTMLElement>('[data-kind]') ?? []) {
      const { height } = element.getBoundingClientRect();
      const { key, kind } = element.dataset;
      if (height === 0) continue;
      if (key === undefined) this.#heights.set(kind!, height);
      else if (Math.abs((this.#own.get(key) ?? 0) - height) > 0.5) {
        this.#own.set(key, height);
        isOther = true;
      }
    }
    isOther ||= [...this.#heights].join() !== known;
    if (isOther) this.#layOut(this.props.items);
    if (this.#isAiming) this.#reveal();
    this.#scroll();
    if (isOther || this.#wanted().join() !== this.#drawn) this.setState({});
    else {
      this.#tell();
      // What is not read yet, `aria-busy`, becomes higher when it is.
      this.#isAiming &&= this.#list.current?.querySelector('[aria-busy=true]') !== null;
    }
  }

  /** Aims so that as little as it takes is scrolled for the held item to be seen, from its beginning. */
  #reveal(): void {
    const height = this.#list.current?.clientHeight ?? 0;
    const at = this.#heldAt();
    if (at < 0 || height === 0) return;
    const heading = this.#items.findLastIndex((item, n) => n < at && item.isHeading);
    const above =
      heading < 0 || this.#items[at]!.isHeading ? 0 : this.#tops[heading + 1]! - this.#tops[heading]!;
    const top = this.#tops[at]! - above;
    const bottom = this.#tops[at + 1]! + MARGIN.below;
    this.#top = Math.max(0, Math.min(Math.max(this.#top, bottom - height), top));
  }

  #scroll(): void {
    const list = this.#list.current!;
    if (list.clientHeight === 0 || Math.abs(list.scrollTop - this.#top) <= 1) return;
    list.scrollTop = this.#top;
    this.#written = list.scrollTop;
  }

  #scrolled(): void {
    this.#follow();
    if (this.#wanted().join() !== this.#drawn) this.setState({});
  }

  #tell(): void {
    const height = this.#list.current?.clientHeight || GUESS.list;
    this.props.drawn?.(this.#itemAt(this.#top), this.#itemAt(this.#top + height));
  }

  #heldAt(): number {
    return this.#indexes.get(this.props.held ?? '') ?? -1;
  }

  /** Returns the item at a place, by halving. */
  #itemAt(place: number): number {
    let [low, high] = [0, this.#items.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#tops[middle]! <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Returns the items to draw, by index: those that are seen or near, the held one, and the heading above. */
  #wanted(): number[] {
    const items = this.#items;
    if (items.length <= this.props.whole) return [...items.keys()];
    const height = this.#list.current?.clientHeight || GUESS.list;
    const [first, last] = [this.#itemAt(this.#top - height), this.#itemAt(this.#top + 2 * height)];
    let heading = first;
    while (heading >= 0 && !items[heading]!.isHeading) heading--;
    const others = [heading, this.#heldAt()].filter(at => at >= 0 && (at < first || at > last));
    const window = Array.from({ length: last - first + 1 }, (_, n) => first + n);
    return [...others, ...window].sort((a, b) => a - b);
  }
}
