/** Choices of how lines are shown, remembered. */

import { keep, recall } from '../kept.ts';

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
