/** A part of a long page: its content is there when it is near to what is seen, and else the room for it. */

import { Component, type ComponentChildren, createRef, type VNode } from 'preact';

interface LazyProps {
  /** CSS pixels that it takes, as far as that can be told before it is drawn. */
  guess: number;
  /** It is drawn wherever it is. */
  isHeld: boolean;
  children(): ComponentChildren;
}

/** Margin above and below what is seen in which parts are drawn. */
const NEAR = '100%';

const watched = new WeakMap<Element, Lazy>();
let observer: IntersectionObserver | undefined;

/** One for all of them: the browser tells of many at once. */
function observerIn(root: Element | null): IntersectionObserver {
  if (observer && observer.root === root) return observer;
  observer?.disconnect();
  const tell = (entries: IntersectionObserverEntry[]): void => {
    for (const { target, isIntersecting } of entries) watched.get(target)?.near(isIntersecting);
  };
  observer = new IntersectionObserver(tell, { root, rootMargin: NEAR });
  return observer;
}

export class Lazy extends Component<LazyProps, { isNear: boolean }> {
  override state: { isNear: boolean } = { isNear: false };
  readonly #place = createRef<HTMLDivElement>();
  #height = 0;

  override componentDidMount(): void {
    const place = this.#place.current!;
    watched.set(place, this);
    observerIn(place.closest('#panel')).observe(place);
  }

  override componentWillUnmount(): void {
    const place = this.#place.current;
    if (place) observer?.unobserve(place);
  }

  /** The room is a guess: what is drawn into it moves nothing that is read. */
  override getSnapshotBeforeUpdate(_: LazyProps, { isNear }: { isNear: boolean }): Held | null {
    const panel = this.#place.current!.closest('#panel');
    return panel && isNear !== this.state.isNear ? hold(panel, panel) : null;
  }

  override componentDidUpdate(_: LazyProps, __: object, held: Held | null): void {
    if (held) putBack(this.#place.current!.closest('#panel')!, held);
  }

  near(isNear: boolean): void {
    if (isNear === this.state.isNear) return;
    if (!isNear) this.#height = this.#place.current?.offsetHeight ?? 0;
    this.setState({ isNear });
  }

  override render({ guess, isHeld, children }: LazyProps, { isNear }: { isNear: boolean }): VNode {
    const isDrawn = isNear || isHeld;
    return (
      <div ref={this.#place} style={isDrawn ? {} : { height: `${this.#height || guess}px` }}>
        {isDrawn && children()}
      </div>
    );
  }
}

/** An element that is read, and its place on the screen, while things above it come, grow and go. */
export interface Held {
  element: Element;
  top: number;
}

/** Notes the place of the hunk under the pointer, or of this element where there is none. */
export function hold(panel: Element, other: Element): Held {
  const element = panel.querySelector('.review-hunk:hover') ?? other;
  return { element, top: element.getBoundingClientRect().top };
}

/** Scrolls the panel until what was held is where it was. */
export function putBack(panel: Element, { element, top }: Held): void {
  if (element.isConnected) panel.scrollTop += element.getBoundingClientRect().top - top;
}
