/** Holds what is read where it is on the screen, while things above it come, grow and go. */

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
