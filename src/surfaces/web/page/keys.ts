/** The keyboard, and the window that tells it. */

import type { App } from './app.ts';
import type { Binding } from './contract.ts';

export class Keys {
  readonly #app: App;
  readonly #remembered = 'vedit-keys';

  readonly #bindings: Binding[];
  readonly #help: HTMLDialogElement;
  readonly #single: HTMLInputElement;

  constructor(app: App) {
    this.#app = app;
    this.#help = app.dom.get<HTMLDialogElement>('help');
    this.#single = app.dom.get<HTMLInputElement>('single-keys');
    this.#single.checked = this.#isOn();
    this.#single.addEventListener('change', () => this.#keep());
    this.#bindings = this.#list();
    this.#fillHelp(this.#bindings);
    app.dom.get('help-button').addEventListener('click', () => this.#toggleHelp());
    app.dom.get('help-close').addEventListener('click', () => this.#help.close());
    document.addEventListener('keydown', event => this.#onKey(event));
  }

  /** Further keys, which come before those of the page. */
  add(bindings: readonly Binding[]): void {
    this.#bindings.unshift(...bindings);
    this.#fillHelp(bindings);
  }

  #list(): Binding[] {
    const app = this.#app;
    return [
      { keys: ['j', 'ArrowDown'], shown: 'j ↓', does: 'next edit down the list', run: () => app.move(1) },
      { keys: ['k', 'ArrowUp'], shown: 'k ↑', does: 'next edit up the list', run: () => app.move(-1) },
      {
        keys: ['Enter'],
        does: 'show the chosen edit; in the search, the first that fits',
        run: () => app.open(),
      },
      { keys: ['g', 'Home'], does: 'first of the list', run: () => app.move(Number.NEGATIVE_INFINITY) },
      { keys: ['G', 'End'], does: 'last of the list', run: () => app.move(Number.POSITIVE_INFINITY) },
      {
        keys: ['ArrowLeft', 'h'],
        shown: '← h',
        does: 'earlier edit of the same file',
        run: () => app.step(-1),
      },
      {
        keys: ['ArrowRight', 'l'],
        shown: '→ l',
        does: 'later edit of the same file',
        run: () => app.step(1),
      },
      { keys: ['o'], does: 'overview', run: () => app.show('overview') },
      { keys: ['d'], does: 'changes: the diff', run: () => app.show('changes') },
      { keys: ['r'], does: 'replay the file', run: () => app.show('replay') },
      { keys: ['b'], does: 'blame: which edit wrote each line', run: () => app.show('blame') },
      { keys: ['p', ' '], shown: 'p Space', does: 'play or pause', run: () => app.play() },
      { keys: ['f'], does: 'choose a file', run: () => app.filters.focusFiles() },
      { keys: ['/'], does: 'search', run: () => app.filters.focusWords() },
      { keys: ['Escape'], shown: 'Esc', does: 'show all edits again', run: () => this.#escape() },
      { keys: ['t'], does: 'light or dark', run: () => app.theme.toggle() },
      { keys: ['?'], does: 'this help', run: () => this.#toggleHelp() },
    ];
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (this.#help.open ? event.key !== '?' : document.querySelector('dialog[open]') !== null) return;
    // WCAG 2.1.4: who speaks to the computer, or hits keys by mistake, can do without.
    if (!this.#single.checked && event.key.length === 1) return;
    if (this.#isTaken(event)) return;
    const binding = this.#bindings.find(({ keys }) => keys.includes(event.key));
    if (!binding) return;
    event.preventDefault();
    binding.run();
  }

  /** True for keys that the focused element needs for itself. */
  #isTaken({ key, target }: KeyboardEvent): boolean {
    if (!(target instanceof HTMLElement) || key === 'Escape') return false;
    if (target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return true;
    // In the search the list is gone through without leaving it.
    if (target instanceof HTMLInputElement && target.type === 'search')
      return !['Enter', 'ArrowUp', 'ArrowDown'].includes(key);
    if (target instanceof HTMLInputElement && target.type === 'checkbox') return key === ' ';
    if (target instanceof HTMLInputElement) return target.type !== 'range' || key.length > 1;
    if (key === ' ' || key === 'Enter') return target.closest('button, summary') !== null;
    if (target.closest('#panel') === null) return false;
    const code = target.closest('.code');
    const isWide = code !== null && code.scrollWidth > code.clientWidth;
    return ['ArrowUp', 'ArrowDown', 'Home', 'End', ...(isWide ? ['ArrowLeft', 'ArrowRight'] : [])].includes(
      key,
    );
  }

  #escape(): void {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    this.#app.filters.clear();
  }

  #toggleHelp(): void {
    if (this.#help.open) this.#help.close();
    else this.#help.showModal();
  }

  #isOn(): boolean {
    try {
      return localStorage.getItem(this.#remembered) !== 'off';
    } catch {
      return true;
    }
  }

  #keep(): void {
    try {
      localStorage.setItem(this.#remembered, this.#single.checked ? 'on' : 'off');
    } catch {
      // For now it is so all the same.
    }
  }

  #fillHelp(bindings: readonly Binding[]): void {
    const { dom } = this.#app;
    const rows = bindings.flatMap(({ keys, shown, does }) => [
      dom.el('dt', {}, ...(shown ?? keys.join(' ')).split(' ').map(key => dom.el('kbd', {}, key))),
      dom.el('dd', {}, does),
    ]);
    dom.get('keys').append(...rows);
  }
}
