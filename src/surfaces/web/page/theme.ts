/** Light or dark: as the system has it, until the reader decides. */

import type { Dom } from './elements/dom.ts';

export class Theme {
  readonly #key = 'vedit-theme';

  readonly #root: HTMLElement;
  readonly #button: HTMLElement;
  readonly #system = matchMedia('(prefers-color-scheme: dark)');

  constructor(dom: Dom, root: HTMLElement) {
    this.#root = root;
    this.#button = dom.get('theme');
    const decided = this.#remembered();
    if (decided !== null) root.dataset.theme = decided;
    this.#button.addEventListener('click', () => this.toggle());
    this.#system.addEventListener('change', () => this.#label());
    this.#label();
  }

  toggle(): void {
    this.#root.dataset.theme = this.#isDark() ? 'light' : 'dark';
    this.#label();
    try {
      localStorage.setItem(this.#key, this.#root.dataset.theme);
    } catch {
      // A browser that keeps nothing for a file still has the theme for now.
    }
  }

  /** As a host that shows the page has it; it is not remembered. */
  becomes(theme: 'light' | 'dark'): void {
    this.#root.dataset.theme = theme;
    this.#label();
  }

  #isDark(): boolean {
    const decided = this.#root.dataset.theme;
    return decided === undefined ? this.#system.matches : decided === 'dark';
  }

  #label(): void {
    this.#button.setAttribute('aria-label', `Switch to ${this.#isDark() ? 'light' : 'dark'} colours`);
  }

  #remembered(): string | null {
    try {
      const value = localStorage.getItem(this.#key);
      return value === 'light' || value === 'dark' ? value : null;
    } catch {
      return null;
    }
  }
}
