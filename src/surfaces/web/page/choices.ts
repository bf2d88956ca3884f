/** Choices of the reader, kept in the browser. A file or a frame keeps none. */

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It is not kept.
  }
}

export type Display = 'wrap' | 'sides';

const WIDE = matchMedia('(min-width: 1200px)');

export function isOn(display: Display): boolean {
  return recall(`vedit-${display}`) === 'on';
}

export function toggle(display: Display): void {
  keep(`vedit-${display}`, isOn(display) ? 'off' : 'on');
}

/** Tells whether old and new lines stand side by side: where there is room for that. */
export function areSides(): boolean {
  return isOn('sides') && WIDE.matches;
}
