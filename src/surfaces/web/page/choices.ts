/** Choices of the reader, kept in the browser: light or dark, how lines are shown. A file or a frame keeps them for now. */

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

const THEME = 'vedit-theme';
const root = document.documentElement;

export const systemTheme: MediaQueryList = matchMedia('(prefers-color-scheme: dark)');

/** Puts into effect what the reader decided before. */
export function restoreTheme(): void {
  const decided = recall(THEME);
  if (decided === 'light' || decided === 'dark') setTheme(decided);
}

/** Shows these colours, without remembering them. */
export function setTheme(theme: 'light' | 'dark'): void {
  root.dataset.theme = theme;
}

export function toggleTheme(): void {
  setTheme(isDark() ? 'light' : 'dark');
  keep(THEME, root.dataset.theme!);
}

export function isDark(): boolean {
  const decided = root.dataset.theme;
  return decided === undefined ? systemTheme.matches : decided === 'dark';
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
