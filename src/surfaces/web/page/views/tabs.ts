/** The four views as tabs (ARIA Authoring Practices, "Tabs"): arrow keys move between them. */

import type { App } from '../app.ts';
import type { State, ViewName } from '../contract.ts';

export class Tabs {
  readonly #views: readonly ViewName[];

  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
    const all: ViewName[] = ['review', 'overview', 'changes', 'replay', 'blame'];
    this.#views = all.filter(view => document.getElementById(`tab-${view}`));
    for (const view of this.#views) this.#tab(view).addEventListener('click', () => app.show(view));
    app.dom.get('tabs').addEventListener('keydown', event => this.#onKey(event));
  }

  render({ view }: State): void {
    for (const one of this.#views) {
      this.#tab(one).setAttribute('aria-selected', String(one === view));
      this.#tab(one).tabIndex = one === view ? 0 : -1;
    }
    this.#app.dom.get('panel').setAttribute('aria-labelledby', `tab-${view}`);
  }

  #tab(view: ViewName): HTMLElement {
    return this.#app.dom.get(`tab-${view}`);
  }

  #onKey(event: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    const at = this.#views.indexOf(this.#app.state.view) + step + this.#views.length;
    const next = this.#views[at % this.#views.length]!;
    this.#app.show(next);
    this.#tab(next).focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
