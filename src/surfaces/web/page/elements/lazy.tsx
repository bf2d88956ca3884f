/** A part of a long page: its content is there when it is near to what is seen, and else the room for it. */

import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface LazyProps {
  /** CSS pixels that it takes, as far as that can be told before it is drawn. */
  guess: number;
  /** True for an element that is drawn wherever it is on the page. */
  isHeld: boolean;
  children(): ComponentChildren;
}

/** Margin above and below what is seen in which parts are drawn. */
const NEAR = '100%';

const watched = new WeakMap<Element, (isNear: boolean) => void>();
let observer: IntersectionObserver | undefined;

/** Returns the observer in an element that scrolls, one for all parts: the browser tells of many at once. */
function observerIn(root: Element | null): IntersectionObserver {
  if (observer?.root === root) return observer;
  observer?.disconnect();
  const tell = (entries: IntersectionObserverEntry[]): void => {
    for (const { target, isIntersecting } of entries) watched.get(target)?.(isIntersecting);
  };
  observer = new IntersectionObserver(tell, { root, rootMargin: NEAR });
  return observer;
}

export function Lazy({ guess, isHeld, children }: LazyProps): VNode {
  const place = useRef<HTMLDivElement>(null);
  const held = useRef<Anchor | null>(null);
  const [{ isNear, height }, become] = useState({ isNear: false, height: guess });
  useLayoutEffect(() => {
    const element = place.current!;
    const panel = element.closest('#panel');
    const observer = observerIn(panel);
    watched.set(element, isNear => {
      // The room is a guess: what is drawn into it moves nothing that is read.
      held.current = panel && hold(panel, panel);
      become(now => (now.isNear === isNear ? now : { isNear, height: element.offsetHeight }));
    });
    observer.observe(element);
    return () => observer.unobserve(element);
  }, []);
  useLayoutEffect(() => {
    if (held.current) putBack(place.current!.closest('#panel')!, held.current);
    held.current = null;
  }, [isNear]);
  const isDrawn = isNear || isHeld;
  return (
    <div ref={place} style={isDrawn ? {} : { height: `${height}px` }}>
      {isDrawn && children()}
    </div>
  );
}

/** An element that is read, and its place on the screen, while things above it come, grow and go. */
export interface Anchor {
  element: Element;
  top: number;
}

/**
 * Notes the place of what is read: the hunk under the pointer, or the first one that is seen of a panel that is scrolled;
 * where there is none, of `other`.
 */
export function hold(panel: Element, other: Element): Anchor {
  const { top } = panel.getBoundingClientRect();
  const hunks = panel.scrollTop > 0 ? [...panel.querySelectorAll('.review-hunk')] : [];
  const element =
    panel.querySelector('.review-hunk:hover') ??
    hunks.find(one => one.getBoundingClientRect().bottom > top) ??
    other;
  return { element, top: element.getBoundingClientRect().top };
}

/** Scrolls the panel until what was held is where it was. */
export function putBack(panel: Element, { element, top }: Anchor): void {
  if (element.isConnected) panel.scrollTop += element.getBoundingClientRect().top - top;
}
