/** The chosen hunk on the screen: whether it is there, and bringing it there. */

/** CSS pixels of a hunk that have to be seen for it to be on the screen. */
const SEEN = 60;

interface Place {
  hunk: DOMRect;
  panel: DOMRect;
  element: HTMLElement;
}

function chosenPlace(): Place | null {
  const element = document.querySelector<HTMLElement>('.review-hunk.chosen');
  const panel = document.getElementById('panel');
  if (!element || !panel) return null;
  return { hunk: element.getBoundingClientRect(), panel: panel.getBoundingClientRect(), element };
}

/** Tells whether the chosen hunk is on the screen: all of it, or as much as tells one from another. */
export function isInSight(): boolean {
  const place = chosenPlace();
  if (!place) return false;
  const { hunk, panel } = place;
  const seen = Math.min(hunk.bottom, panel.bottom) - Math.max(hunk.top, panel.top);
  return seen >= Math.min(SEEN, hunk.height);
}

/** Scrolls as little as it takes for the chosen hunk to be seen, from its beginning. */
export function reveal(): void {
  const place = chosenPlace();
  if (!place) return;
  const { hunk, panel, element } = place;
  if (hunk.top < panel.top || hunk.height > panel.height) element.scrollIntoView({ block: 'start' });
  else if (hunk.bottom > panel.bottom) element.scrollIntoView({ block: 'end' });
}
