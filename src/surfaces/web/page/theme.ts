/** Light or dark: as the system has it, until the reader decides. */

import { keep, recall } from './kept.ts';

const KEY = 'vedit-theme';
const root = document.documentElement;

export const systemTheme: MediaQueryList = matchMedia('(prefers-color-scheme: dark)');

/** Puts into effect what the reader decided before. */
export function restoreTheme(): void {
  const decided = recall(KEY);
  if (decided === 'light' || decided === 'dark') setTheme(decided);
}

/** Shows these colours, without remembering them. */
export function setTheme(theme: 'light' | 'dark'): void {
  root.dataset.theme = theme;
}

export function toggleTheme(): void {
  setTheme(isDark() ? 'light' : 'dark');
  keep(KEY, root.dataset.theme!);
}

export function isDark(): boolean {
  const decided = root.dataset.theme;
  return decided === undefined ? systemTheme.matches : decided === 'dark';
}
